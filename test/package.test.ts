import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
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
    /^(?:package\.json|README\.md|LICENSE|CHANGELOG\.md|migrations\/\w+\/(?:\d+_[\w-]+\.sql|meta\/_journal\.json)|policies\/(?:packs\/)?[\w-]+\.(?:yaml|md)|clients\/verifier\/verify-record\.mjs|lib\/[\w.-]+\.js|lib\/(?:client|ai-sdk|adapters)\/[\w-]+\.(?:js|d\.ts)|dist\/console\/licences\.txt|dist\/console\/(?:index\.html|assets\/[\w-]+\.(?:js|css|svg))(?:\.br|\.gz)?)$/;
  t.strictSame(
    files.filter((path) => !expected.test(path)),
    [],
  );
  for (const path of ['lib/main.js', 'lib/client/index.js', 'lib/ai-sdk/index.d.ts', 'LICENSE']) {
    t.ok(files.includes(path), path);
  }
  // About a third is the console, in the three encodings that it is served in.
  t.ok(packed.unpackedSize < 4_800_000, `${packed.unpackedSize} bytes`);
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

t.test('installed in an empty folder it serves, and its client evaluates', async (t) => {
  const server = serveProcess(
    t,
    { ASSIZE_DATABASE: join(installed, 'data/assize.db') },
    { args: [join(installed, 'node_modules/.bin/assize'), 'serve'], cwd: installed },
  );
  const url = await server.url();
  const [, key = ''] = /demo agent key +(asz_live_[A-Za-z0-9_-]{43})\n/.exec(await server.firstKeys()) ?? [];
  t.equal((await fetch(`${url}/docs`)).status, 200);
  writeFileSync(
    join(installed, 'run.mjs'),
    `import { createAssizeClient } from 'assize/client';
     import { createAssizeGuard } from 'assize/ai-sdk';
     const client = createAssizeClient({ url: '${url}', apiKey: '${key}' });
     createAssizeGuard({ client }).middleware();
     const session = await client.sessions.start();
     const { enforcementAction } = await session.evaluate({ input: { text: 'ada@example.com' } });
     console.log(enforcementAction, (await session.end()).actionCount);`,
  );
  t.equal(run(installed, process.execPath, ['run.mjs']), 'WARN 1\n');
});

t.test('its types are complete without any package of ours', async (t) => {
  // The optional peer, as whoever uses the adapter has it.
  symlinkSync(join(root, 'node_modules/ai'), join(installed, 'node_modules/ai'));
  writeFileSync(
    join(installed, 'use.ts'),
    `import { AssizeError, createAssizeClient, type EvaluateResult } from 'assize/client';
     import { createAssizeGuard } from 'assize/ai-sdk';
     const client = createAssizeClient({ url: 'http://127.0.0.1:3000', apiKey: 'k' });
     export async function use(): Promise<EvaluateResult['violations'][number]['severity'] | undefined> {
       await using session = await client.sessions.start({ metadata: { a: 1 } });
       const answer = await session.evaluate({ input: { tool: 'x' } }, { redact: true });
       // @ts-expect-error the session is the one it is called on
       await session.evaluate({ input: {}, sessionId: 'other' });
       // @ts-expect-error a word that no answer has
       if (answer.enforcementAction === 'PERHAPS') throw new AssizeError('internal', '');
       const middleware = createAssizeGuard({ client, onHold: 'wait' }).middleware({ stream: 'live' });
       void middleware.wrapGenerate;
       return answer.violations[0]?.severity;
     }`,
  );
  const check = (files: string[], options: object): string => {
    const compilerOptions = { noEmit: true, strict: true, target: 'es2022', types: [], ...options };
    writeFileSync(join(installed, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    return run(installed, join(root, 'node_modules/.bin/tsc'));
  };
  const lib = ['es2022', 'dom', 'dom.iterable'];
  for (const module of ['node16', 'esnext']) {
    const moduleResolution = module === 'node16' ? 'node16' : 'bundler';
    // The declarations of `ai` are not ours to check; a type that ours lack would be an error in use.ts.
    const options = { lib, module, moduleResolution, exactOptionalPropertyTypes: true, skipLibCheck: true };
    t.equal(check(['use.ts'], options), '', moduleResolution);
  }
  const client = 'node_modules/assize/lib/client/index.d.ts';
  t.equal(check([client], { lib, module: 'node16' }), '', 'the client, with its libraries checked');
});
