import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/** What is built, by the scripts that build it, and the files that are then there. */
const parts = {
  bundle: { steps: ['bundle'], results: ['dist/main.js', 'dist/serve/serve.js'] },
  packages: {
    steps: ['npm-package', 'client-libraries', 'client-package'],
    results: ['lib/main.js', 'build/assize-client/package.json'],
  },
};

const stampOf = (part) => join(root, `build/${part}-built-from`);

/** Of the content of everything that is read, and of the Node that reads it. */
function sources() {
  const files = globSync(
    [
      'LICENSE',
      'policies/**',
      'src/**',
      'scripts/build/**',
      'clients/typescript/**',
      'package.json',
      'package-lock.json',
      'tsconfig*.json',
    ],
    { cwd: root },
  ).sort();
  const hashes = files
    .filter((file) => statSync(join(root, file)).isFile())
    .map((file) => `${file} ${hash('sha256', readFileSync(join(root, file)))}\n`);
  return `${process.version}\n${hashes.join('')}`;
}

/**
 * Whether the part was built from these very files: a build deletes what is there first, and programs that run from it would miss
 * it.
 */
export const isBuilt = (part, from = sources()) =>
  existsSync(stampOf(part)) &&
  readFileSync(stampOf(part), 'utf8') === from &&
  parts[part].results.every((file) => existsSync(join(root, file)));

/** Builds the part unless it is built. Ends the process when that fails. */
export function build(part) {
  const from = sources();
  if (isBuilt(part, from)) return;
  rmSync(stampOf(part), { force: true });
  for (const step of parts[part].steps) {
    const { status } = spawnSync(process.execPath, [join(root, `scripts/build/${step}.mjs`)], {
      cwd: root,
      stdio: 'inherit',
    });
    if (status !== 0) process.exit(status ?? 1);
  }
  mkdirSync(join(root, 'build'), { recursive: true });
  writeFileSync(stampOf(part), from);
}
