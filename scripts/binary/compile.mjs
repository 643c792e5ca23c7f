// Runs what people run, out of the chunks in the folder that is the argument, and writes down what V8 compiled for it:
// a binary that finds that starts in half the time. Every request here is one that the code is kept warm for.
import { randomBytes, randomInt } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { zstdCompressSync } from 'node:zlib';
import { createLoader } from '../../src/binary/load.ts';
import { documentation } from '../../src/detectors/kinds/documentation.ts';

// A thread of the program runs this file, too, and then its own chunk.
const folderVariable = 'COMPILE_FOLDER';
const work = isMainThread ? process.argv[2] : process.env[folderVariable];
process.env[folderVariable] = work;
const code = join(work, 'code');
const files = join(work, 'files');

// The chunks believe that they are in the binary.
const asset = (key) => readFileSync(join(work, key));
const sea = {
  isSea: () => true,
  getAsset: (key, encoding) =>
    key === 'main.js' ? `import(${JSON.stringify(import.meta.url)})` : asset(key).toString(encoding),
  getAssetKeys: () =>
    readdirSync(files, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => `files/${join(entry.parentPath, entry.name).slice(files.length + 1)}`),
  getRawAsset: (key) => zstdCompressSync(asset(key)),
};
const { getBuiltinModule } = process;
process.getBuiltinModule = (id) => (id === 'node:sea' ? sea : getBuiltinModule(id));

const { load, scripts } = createLoader({
  text: (name) => readFileSync(join(code, name), 'latin1'),
  compiled: () => undefined,
});
if (isMainThread) await train();
else load(`${process.argv.at(-1)}.js`);

async function train() {
  const port = randomInt(20_000, 32_000);
  const key = `asz_admin_${randomBytes(32).toString('base64url')}`;
  Object.assign(process.env, {
    HOME: work,
    ASSIZE_DATABASE: join(work, 'data/assize.db'),
    ASSIZE_UNPACK_FOLDER: join(work, 'unpacked'),
    ASSIZE_PORT: String(port),
    ASSIZE_ADMIN_KEY: key,
    ASSIZE_LOG_LEVEL: 'warn',
  });

  const { command } = load('command.js');

  async function call(method, path, body, caller = key) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { authorization: `Bearer ${caller}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text;
  }

  const policies = readdirSync(join(files, 'policies'))
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => join(files, 'policies', name));
  await command(['--help']);
  await command(['policies', 'check', ...policies]);
  await command(['serve']);
  await call('GET', '/health/ready');
  await call('GET', '/docs');
  await call('GET', '/openapi.json');
  const { data: integration } = JSON.parse(
    await call('POST', '/v1/integrations', { name: 'x', kind: 'AGENT' }),
  );
  const { data: listed } = JSON.parse(await call('GET', '/v1/policies'));
  for (const { id } of listed) await call('PUT', `/v1/integrations/${integration.id}/policies/${id}`);
  const input = { tool: 'crm.lookup', result: 'Ada Example, ada@example.com, token AKIAZQ3DRSTUVWXY2345' };
  // every recogniser has a text that it finds something in: without them the first real texts compile it
  const examples = { tool: 'crm.lookup', result: [...documentation.values()].map(({ found }) => found) };
  for (let i = 0; i < 3; i += 1)
    for (const one of [input, examples])
      await call('POST', '/v1/evaluate', { input: one }, integration.apiKey);
  await call('GET', '/v1/evaluation-sessions', null, integration.apiKey);
  await command(['hook', 'claude-code', '--url', `http://127.0.0.1:${port}`, '--key', integration.apiKey]);
  await command(['sessions', 'list', '--url', `http://127.0.0.1:${port}`, '--key', key]);
  for (const name of readdirSync(code)) load(name);

  mkdirSync(join(work, 'compiled'));
  for (const [name, script] of scripts)
    writeFileSync(join(work, 'compiled', name), script.createCachedData());
  process.exit(0);
}
