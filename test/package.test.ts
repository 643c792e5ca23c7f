import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { publint } from 'publint';
import t from 'tap';
import { openPackageFolder, type Packed, packAndInstall, run } from './helpers/npm-package.ts';
import { root, serveProcess } from './helpers/process.ts';

// It installs what the package needs.
t.setTimeout(240_000);
const folder = openPackageFolder();
const { installed } = folder;
let packed: Packed;

t.before(() => {
  packed = packAndInstall(folder, root, ['--prefer-offline']);
});

t.test('the package holds what runs, and nothing else', async (t) => {
  const files = packed.files.map(({ path }) => path);
  const expected =
    /^(?:package\.json|README\.md|LICENSE|CHANGELOG\.md|migrations\/\w+\/(?:\d+_[\w-]+\.sql|meta\/_journal\.json)|policies\/(?:packs\/)?[\w-]+\.(?:yaml|md)|clients\/verifier\/verify-record\.mjs|lib\/[\w.-]+\.js|dist\/console\/licences\.txt|dist\/console\/(?:index\.html|assets\/[\w-]+\.(?:js|css|svg))(?:\.br|\.gz)?)$/;
  t.strictSame(
    files.filter((path) => !expected.test(path)),
    [],
  );
  for (const path of ['lib/main.js', 'LICENSE']) {
    t.ok(files.includes(path), path);
  }
  // About a third is the console, in the three encodings that it is served in.
  t.ok(packed.unpackedSize < 5_400_000, `${packed.unpackedSize} bytes`);
});

t.test('it bundles no package, and depends on each that it loads and on no other', async (t) => {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const code = packed.files
    .filter(({ path }) => /^lib\/[^/]+\.js$/.test(path))
    .map(({ path }) => readFileSync(join(installed, 'node_modules/assize', path), 'utf8'))
    .join('\n');
  t.strictSame(
    code.match(/^\/\/ node_modules\/.*$/gm) ?? [],
    [],
    'esbuild names the file of all code before it',
  );
  t.match(code, /^\/\/ src\/app\.ts$/m);
  const loaded = [...code.matchAll(/(?:\b_*require\(|\bfrom |\bimport\(|^import )["']([^"']+)["']/gm)]
    .map(([, name = '']) => name)
    .filter((name) => !name.startsWith('.') && !isBuiltin(name))
    .map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0]);
  t.strictSame([...new Set(loaded)].sort(), Object.keys(dependencies).sort());
});

t.test('its manifest is right for whoever imports it', async (t) => {
  const { messages } = await publint({ pkgDir: join(installed, 'node_modules/assize'), pack: false });
  t.strictSame(
    messages.filter(({ type }) => type !== 'suggestion'),
    [],
  );
});

t.test('installed in an empty folder it serves and evaluates', async (t) => {
  const server = serveProcess(
    t,
    { ASSIZE_DATABASE: join(installed, 'data/assize.db') },
    { args: [join(installed, 'node_modules/.bin/assize'), 'serve'], cwd: installed },
  );
  const url = await server.url();
  const [, key = ''] = /demo agent key +(asz_live_[A-Za-z0-9_-]{43})\n/.exec(await server.firstKeys()) ?? [];
  t.equal((await fetch(`${url}/docs`)).status, 200);
  const evaluate = [
    'node_modules/.bin/assize',
    'evaluate',
    '{"text":"ada@example.com"}',
    '--url',
    url,
    '--key',
    key,
  ];
  t.match(run(installed, process.execPath, evaluate), /^DECISION\tWARN\n/);
});
