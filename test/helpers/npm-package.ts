import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { root } from './process.ts';

export interface Packed {
  filename: string;
  unpackedSize: number;
  files: { path: string }[];
}

/** Returns what the command prints; throws when it fails. */
export function run(cwd: string, command: string, args: readonly string[] = [], env = process.env): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stdout}${stderr}`);
  return stdout;
}

/** A folder for one package, removed after the tests, and an empty project in it to install the package in. */
export function openPackageFolder(): { work: string; installed: string } {
  const work = mkdtempSync(join(tmpdir(), 'assize-package-'));
  t.teardown(() => rmSync(work, { recursive: true, force: true }));
  const installed = join(work, 'installed');
  mkdirSync(installed);
  writeFileSync(join(installed, 'package.json'), '{"private":true,"type":"module"}');
  return { work, installed };
}

/** Packs the package in `folder` as npm would publish it, and installs that. */
export function packAndInstall(
  { work, installed }: { work: string; installed: string },
  folder: string,
  installOptions: readonly string[],
): Packed {
  const pack = ['pack', folder, '--json', '--ignore-scripts', '--pack-destination', work];
  const [packed] = JSON.parse(run(root, 'npm', pack));
  const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...installOptions];
  run(installed, 'npm', [...install, join(work, packed.filename)]);
  return packed;
}
