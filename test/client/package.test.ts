import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
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

t.test(
  'it holds the client, the adapters and their types, in less than 300 KB, and depends on nothing',
  async (t) => {
    const expected =
      /^(?:package\.json|README\.md|LICENSE|(?:client|ai-sdk|adapters)\/[\w-]+\.(?:js|d\.ts))$/;
    t.strictSame(
      packed.files.map(({ path }) => path).filter((path) => !expected.test(path)),
      [],
    );
    t.ok(packed.unpackedSize < 300_000, `${packed.unpackedSize} bytes`);
    const manifest = JSON.parse(readFileSync(join(inside, 'package.json'), 'utf8'));
    const service = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    t.match(manifest, { version: service.version, license: service.license });
    for (const kind of ['dependencies', 'optionalDependencies']) t.notOk(kind in manifest, kind);
    for (const peer of Object.keys(manifest.peerDependencies))
      t.strictSame(manifest.peerDependenciesMeta[peer], { optional: true }, peer);
    t.notMatch(readFileSync(join(inside, 'client/index.js'), 'utf8'), /^import\b|\bimport\(/m);
    t.strictSame((await publint({ pkgDir: inside, pack: false })).messages, []);
  },
);

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

t.test('its types are complete without any package of ours', async (t) => {
  // The optional peer, as whoever uses the adapter has it.
  symlinkSync(join(root, 'node_modules/ai'), join(installed, 'node_modules/ai'));
  writeFileSync(
    join(installed, 'use.ts'),
    `import { AssizeError, createAssizeClient, createGate, type EvaluateResult } from 'assize-client';
     import { createAssizeGuard } from 'assize-client/ai-sdk';
     import { wrapToolCall } from 'assize-client/langchain';
     const client = createAssizeClient({ url: 'http://127.0.0.1:3000', apiKey: 'k' });
     void wrapToolCall(createGate({ client }));
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
    t.equal(check(['use.ts'], { ...options, lib: [...lib, 'esnext.disposable'] }), '', moduleResolution);
  }
  const client = 'node_modules/assize-client/client/index.d.ts';
  t.equal(check([client], { lib, module: 'node16' }), '', 'the client, with its libraries checked');
});
