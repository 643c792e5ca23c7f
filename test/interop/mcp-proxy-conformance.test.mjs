import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { rule } from '../helpers/policies.ts';
import { startFixture } from './conformance/fixture-server.mjs';
import { addingKey, adminKey, folderOf, startService } from './service.mjs';

const suite = join(import.meta.dirname, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

/** The checks that pass and fail at an address, each as `scenario:check`. */
async function outcomes(t, url, revision) {
  const folder = folderOf(t);
  const args = [
    'server',
    '--url',
    url,
    '--requirements',
    revision,
    '--timeout',
    '20000',
    '--output-dir',
    folder,
  ];
  const child = spawn(process.execPath, [suite, ...args], { stdio: 'ignore' });
  await new Promise((ended) => child.on('close', ended));
  const passed = new Set();
  const failed = new Map();
  for (const file of readdirSync(folder, { recursive: true }).filter((one) => one.endsWith('checks.json'))) {
    const scenario = file
      .split(/[\\/]/)
      .at(-2)
      .replace(/-\d{4}-\d{2}-\d{2}T.*$/, '');
    for (const { id, status, errorMessage } of JSON.parse(readFileSync(join(folder, file), 'utf8'))) {
      if (status === 'SUCCESS') passed.add(`${scenario}:${id}`);
      if (status === 'FAILURE') failed.set(`${scenario}:${id}`, errorMessage);
    }
  }
  // One check may be made several times.
  for (const name of failed.keys()) passed.delete(name);
  return { passed, failed };
}

for (const [revision, least] of [
  ['2025-11-25', 70],
  ['2026-07-28', 110],
])
  test(`what a server of ${revision} does holds through the proxy`, async (t) => {
    const url = await startFixture(t, revision);
    const service = await startService(t, { ASSIZE_CALLBACK_ALLOW: '127.0.0.1' });
    const { id, key } = await service.integration('AGENT');
    await service.policy(id, rule('mcp.tool == "nothing"', 'BLOCK'));
    await service.call(adminKey, 'POST', '/v1/mcp-servers', { name: 'fixture', url });
    const direct = await outcomes(t, url, revision);
    const proxied = await outcomes(
      t,
      await addingKey(t, `${service.base}/v1/mcp-proxy/fixture`, key),
      revision,
    );
    assert.ok(direct.passed.size >= least, `${direct.passed.size} checks pass directly`);
    const lost = [...direct.passed].filter((name) => !proxied.passed.has(name));
    assert.deepEqual(
      lost.map((name) => [name, proxied.failed.get(name)]),
      [],
    );
    t.diagnostic(
      `${proxied.passed.size} of ${direct.passed.size} checks, ${direct.failed.size} fail directly`,
    );
  });
