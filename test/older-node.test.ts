import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { temporaryFolder } from './helpers/app.ts';
import { root } from './helpers/process.ts';

/** A checkout whose npm puts a program in the place of the Node that it would install; null: it installs nothing. */
function checkout(t: Test, newerNode: string | null) {
  const folder = temporaryFolder(t);
  const inFolder = (path: string) => join(folder, path);
  for (const path of ['scripts/develop', 'scripts/node', 'programs'])
    mkdirSync(inFolder(path), { recursive: true });
  for (const file of [
    'scripts/node/require.mjs',
    'scripts/develop/install.mjs',
    'scripts/node/package-lock.json',
  ])
    copyFileSync(join(root, file), inFolder(file));
  const program = (path: string, text: string) => {
    writeFileSync(inFolder(path), text);
    chmodSync(inFolder(path), 0o755);
  };
  if (newerNode !== null) program('newer-node', newerNode);
  const installed = `scripts/node/node_modules/node-linux-${process.arch}`;
  program(
    'programs/npm',
    `#!/bin/sh
echo "$@" >> '${inFolder('asked')}'
[ -e '${inFolder('newer-node')}' ] || { echo 'npm: no network' >&2; exit 1; }
mkdir -p '${inFolder(`${installed}/bin`)}' '${inFolder(`${installed}/include`)}'
cp '${inFolder('newer-node')}' '${inFolder(`${installed}/bin/node`)}'
`,
  );
  writeFileSync(
    inFolder('older.mjs'),
    "Object.defineProperty(process, 'versions', { value: { node: '20.20.2' } });",
  );
  writeFileSync(
    inFolder('command.mjs'),
    "import './scripts/node/require.mjs';\nconsole.log('the old one');\n",
  );
  return {
    inFolder,
    installed: inFolder(installed),
    asked: () => (existsSync(inFolder('asked')) ? readFileSync(inFolder('asked'), 'utf8') : ''),
    run: (...args: string[]) =>
      spawnSync(process.execPath, ['--import', inFolder('older.mjs'), inFolder('command.mjs'), ...args], {
        env: { PATH: `${inFolder('programs')}:/usr/bin:/bin` },
        encoding: 'utf8',
      }),
  };
}

t.test('a command that an old Node begins goes on in one that it installs, once', (t) => {
  const { run, inFolder, installed, asked } = checkout(
    t,
    '#!/bin/sh\necho "new: $@"; command -v node; exit 7\n',
  );
  const link = inFolder('node_modules/.bin/node');
  for (const _ of ['installed', 'there']) {
    const { status, stdout } = run('serve', 'a b');
    t.equal(stdout, `new: ${inFolder('command.mjs')} serve a b\n${link}\n`);
    t.equal(status, 7);
  }
  t.equal(asked(), `ci --prefix ${inFolder('scripts/node')}\n`);
  t.notOk(existsSync(join(installed, 'include')), 'without headers');
  // npm ci deletes the link.
  rmSync(link);
  t.match(run().stdout, link);
  writeFileSync(inFolder('scripts/node/package-lock.json'), '{ "of": "another version" }');
  run();
  t.equal(asked().split('\n').length - 1, 2, 'another lockfile is installed');
  t.end();
});

t.test('an old Node says what it needs where no newer one can be installed', (t) => {
  const { run } = checkout(t, null);
  const { status, stdout, stderr } = run();
  t.equal(status, 1);
  t.equal(stdout, '');
  t.equal(stderr, 'npm: no network\nassize needs Node 22.18 or newer, and this is Node 20.20.2\n');
  t.end();
});
