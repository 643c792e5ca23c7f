import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rule } from '../helpers/policies.ts';
import { clients } from './clients.mjs';
import { adminKey, startService } from './service.mjs';

const tools = ['evaluate', 'start_session', 'end_session', 'get_session', 'list_reviews', 'await_review'];
const unknownKey = `asz_live_${'x'.repeat(43)}`;

async function started(t) {
  const service = await startService(t);
  const integration = await service.integration('MCP_SERVER');
  await service.policy(integration.id, rule('tool == "rm"', 'BLOCK'));
  await service.policy(integration.id, rule('tool == "pay"', 'APPROVAL_REQUIRED'));
  return { ...service, ...integration };
}

for (const [name, connect] of Object.entries(clients)) {
  test(`${name}: lists, is allowed, is blocked, waits for approval, uses it once`, async (t) => {
    const { url, key, call } = await started(t);
    const client = await connect(t, url, key);
    assert.deepEqual((await client.list()).sort(), [...tools].sort());
    // Claude Code shows the structure alone.
    const allowed = await client.call('evaluate', { input: { tool: 'ls' } });
    assert.match(allowed, /ALLOW: do the action|"enforcementAction":"ALLOW"/);
    assert.match(await client.call('evaluate', { input: { tool: 'rm' } }), /BLOCK: do not do the action/);

    const pay = { input: { tool: 'pay', arguments: { amount: 5 } } };
    const held = await client.call('evaluate', pay);
    assert.match(held, /APPROVAL_REQUIRED: do not do the action yet/);
    // As a model would: from the text alone.
    const [, reviewRequestId] = /\{\\?"id\\?":\\?"([0-9a-f-]{36})/.exec(held);
    const [, sessionId] = /\\?"sessionId\\?":\\?"([0-9a-f-]{36})/.exec(held);
    await call(adminKey, 'POST', `/v1/reviews/${reviewRequestId}/approve`);
    assert.match(await client.call('await_review', { id: reviewRequestId }), /APPROVED: call evaluate again/);
    const use = { ...pay, reviewRequestId, sessionId };
    assert.match(await client.call('evaluate', use), /ALLOW: the approval is used up/);
    assert.match(await client.call('evaluate', use), /APPROVAL_REQUIRED: .*the approval was already used/);
  });

  test(`${name}: a wrong key is refused`, async (t) => {
    const { url } = await startService(t);
    await assert.rejects(async () => {
      const client = await connect(t, url, unknownKey);
      await client.list();
    });
  });
}

for (const [name, revision] of [
  ['SDK 2.x, legacy', '2025-11-25'],
  ['SDK 2.x, auto', '2026-07-28'],
  ['SDK 2.x, pinned', '2026-07-28'],
]) {
  test(`${name}: agrees on ${revision}`, async (t) => {
    const { url, key } = await started(t);
    const client = await clients[name](t, url, key);
    assert.equal(client.revision, revision);
  });
}
