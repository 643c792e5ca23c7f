import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { Miniflare } from 'miniflare';
import { rule } from '../helpers/policies.ts';
import { root } from '../helpers/process.ts';
import { packageFile, startService } from './service.mjs';

// The client as it is built, in the runtimes that its page names; all do the same.

const print = join(import.meta.dirname, 'runtimes/print.mjs');
const execute = promisify(execFile);
/** Its own launcher wants a script of the install, and none is run. */
const bun = () => {
  const [platform] = readdirSync(packageFile('@oven'));
  return packageFile(`@oven/${platform}/bin/bun`);
};

const runtimes = {
  Node: async (url, key) => JSON.parse((await execute(process.execPath, [print, url, key])).stdout),
  Bun: async (url, key) => JSON.parse((await execute(bun(), [print, url, key])).stdout),
  Deno: async (url, key) => {
    const args = [
      packageFile('deno/bin.cjs'),
      'run',
      '--no-prompt',
      '--no-remote',
      '--allow-net',
      print,
      url,
      key,
    ];
    return JSON.parse((await execute(process.execPath, args)).stdout);
  },
  'workerd, an edge runtime': async (url, key, t) => {
    const runtime = new Miniflare({
      compatibilityDate: '2026-04-01',
      modules: true,
      modulesRoot: root,
      modulesRules: [{ type: 'ESModule', include: ['**/*.mjs', '**/*.js'] }],
      scriptPath: join(import.meta.dirname, 'runtimes/worker.mjs'),
      bindings: { SERVICE: url, KEY: key },
      cf: false,
    });
    t.after(() => runtime.dispose());
    return (await runtime.dispatchFetch('http://worker.test/')).json();
  },
};

for (const [name, run] of Object.entries(runtimes)) {
  test(`the client works in ${name}`, async (t) => {
    const service = await startService(t);
    const { id, key } = await service.integration('AGENT');
    await service.policy(id, rule('tool == "mail" && "EMAIL_ADDRESS" in dataTags', 'WARN'));
    await service.policy(id, rule('tool == "pay"', 'APPROVAL_REQUIRED'));
    assert.deepEqual(await run(service.base, key, t), {
      enforcementAction: 'WARN',
      status: 'COMPLETED',
      actionCount: 1,
      held: 'APPROVAL_REQUIRED',
      review: { name: 'AssizeError', code: 'timeout' },
      wrongKey: { name: 'AssizeError', code: 'unauthenticated' },
      aborted: { name: 'AbortError', code: 20 },
      refused: { name: 'AssizeError', code: 'network' },
    });
  });
}
