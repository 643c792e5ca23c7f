import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { publint } from 'publint';
import t from 'tap';
import { openPackageFolder, type Packed, packAndInstall, run } from '../helpers/npm-package.ts';
import { processEnvironment, root, serveProcess } from '../helpers/process.ts';

// npm and the compiler take their time on a busy machine.
t.setTimeout(240_000);
const folder = openPackageFolder();
const { installed } = folder;
const inside = join(installed, 'node_modules/assize-client');
let packed: Packed;

t.before(() => {
  // Offline: it needs nothing but itself.
  packed = packAndInstall(folder, join(root, 'build/assize-client'), ['--offline']);
});

t.test('it holds the client and its types, in less than 100 KB, and depends on nothing', async (t) => {
  const expected = /^(?:package\.json|README\.md|LICENSE|index\.js|[\w-]+\.d\.ts)$/;
  t.strictSame(
    packed.files.map(({ path }) => path).filter((path) => !expected.test(path)),
    [],
  );
  t.ok(packed.unpackedSize < 100_000, `${packed.unpackedSize} bytes`);
  const manifest = JSON.parse(readFileSync(join(inside, 'package.json'), 'utf8'));
  const service = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  t.match(manifest, { version: service.version, license: service.license });
  for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies'])
    t.notOk(kind in manifest, kind);
  t.notMatch(readFileSync(join(inside, 'index.js'), 'utf8'), /^import\b|\bimport\(/m);
  t.strictSame((await publint({ pkgDir: inside, pack: false })).messages, []);
});

t.test('it is the client of the service’s own package', async (t) => {
  for (const file of ['index.js', 'schemas.d.ts'])
    t.equal(
      readFileSync(join(inside, file), 'utf8'),
      readFileSync(join(root, 'lib/client', file), 'utf8'),
      file,
    );
});

t.test('installed in an empty folder it evaluates, and its README is right', async (t) => {
  const server = serveProcess(t, { ASSIZE_DATABASE: join(folder.work, 'data/assize.db') });
  const url = await server.url();
  const [, key = ''] = /demo agent key +(asz_live_[A-Za-z0-9_-]{43})\n/.exec(await server.firstKeys()) ?? [];
  const [, example = ''] = /```js\n([\s\S]+?)```/.exec(readFileSync(join(inside, 'README.md'), 'utf8')) ?? [];
  writeFileSync(join(installed, 'readme.mjs'), example.replace('http://127.0.0.1:3000', url));
  const environment = { ...processEnvironment, ASSIZE_KEY: key };
  t.equal(run(installed, process.execPath, ['readme.mjs'], environment), 'continue\n');
  writeFileSync(
    join(installed, 'session.mjs'),
    `import { createAssizeClient } from 'assize-client';
     const { sessions } = createAssizeClient({ url: '${url}', apiKey: '${key}' });
     const session = await sessions.start();
     const { enforcementAction } = await session.evaluate({ input: { text: 'ada@example.com' } });
     console.log(enforcementAction, (await session.end()).actionCount);`,
  );
  t.equal(run(installed, process.execPath, ['session.mjs']), 'WARN 1\n');
});

t.test('its types are complete', async (t) => {
  writeFileSync(
    join(installed, 'use.ts'),
    `import { createAssizeClient, type EvaluateResult } from 'assize-client';
     const client = createAssizeClient({ url: 'http://127.0.0.1:3000', apiKey: 'k' });
     const response: EvaluateResult = await client.evaluate({ input: {} });
     // @ts-expect-error a word that no response has
     export const never: boolean = answer.enforcementAction === 'PERHAPS';`,
  );
  const compilerOptions = { noEmit: true, strict: true, target: 'es2022', module: 'node16', types: [] };
  const lib = ['es2022', 'dom', 'dom.iterable'];
  const files = ['use.ts', 'node_modules/assize-client/index.d.ts'];
  writeFileSync(
    join(installed, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...compilerOptions, lib }, files }),
  );
  t.equal(run(installed, join(root, 'node_modules/.bin/tsc')), '');
});
