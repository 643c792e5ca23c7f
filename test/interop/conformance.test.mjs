import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { removeFolder } from '../helpers/remove-folder.ts';
import { addingKey, startService } from './service.mjs';

const suite = join(import.meta.dirname, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

for (const revision of ['2025-11-25', '2026-07-28']) {
  test(`what ${revision} requires of a server holds, but for the baseline`, async (t) => {
    const service = await startService(t);
    // The suite checks sessions of connections, which only this scope has.
    const { key } = await service.integration('MCP_SERVER', { sessionScope: 'connection' });
    const url = await addingKey(t, service.url, key);
    const folder = mkdtempSync(join(tmpdir(), 'assize-conformance-'));
    t.after(() => removeFolder(folder));
    const baseline = join(import.meta.dirname, 'conformance', `${revision}.yml`);
    const args = ['server', '--url', url, '--requirements', revision, '--expected-failures', baseline];
    const child = spawn(process.execPath, [suite, ...args, '--timeout', '10000', '--output-dir', folder]);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
    const code = await new Promise((ended) => child.on('close', ended));
    assert.equal(code, 0, output);
  });
}
