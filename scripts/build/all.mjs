import '../develop/require-node.mjs';
import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

// Builds dist/, lib/ and build/assize-client, unless they were built from these very files: a build deletes what is there first, and
// programs that run from it would miss it.
const root = resolve(import.meta.dirname, '../..');
const steps = ['bundle', 'compiled', 'npm-package', 'client-libraries', 'client-package'];
const results = ['dist/main.js', 'lib/main.js', 'build/assize-client/package.json'];
const stamp = join(root, 'build/built-from');

/** Of the content of everything that is read, and of the Node that reads it. */
function sources() {
  const files = globSync(
    [
      'LICENSE',
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

const from = sources();
const isBuilt =
  existsSync(stamp) &&
  readFileSync(stamp, 'utf8') === from &&
  results.every((file) => existsSync(join(root, file)));
if (!isBuilt) {
  rmSync(stamp, { force: true });
  for (const step of steps) {
    const { status } = spawnSync(process.execPath, [join(root, `scripts/build/${step}.mjs`)], {
      cwd: root,
      stdio: 'inherit',
    });
    if (status !== 0) process.exit(status ?? 1);
  }
  mkdirSync(join(root, 'build'), { recursive: true });
  writeFileSync(stamp, from);
}
