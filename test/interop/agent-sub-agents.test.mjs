import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { hooked, runs } from './hooked.mjs';
import { agents, openClawGateway } from './hooked-agents.mjs';

const policy = `
schemaVersion: 1
name: delegation
detectors:
  - { tag: SECRET, category: MARKS, pattern: 'plugh\\d{3}' }
rules:
  - { id: leak, when: '"SECRET" in session.dataTags && ${runs('send')}', effect: BLOCK, severity: LOW }
`;

// Claude Code: claude-code-hook.test.mjs.
for (const [name, { delegate, stopsRuns }] of Object.entries(agents)) {
  if (!delegate || stopsRuns) continue;
  test(`${name}: a sub-agent has a session under that of its conversation, which ends when it stops`, async (t) => {
    const agent = await hooked(t, name, policy);
    await agent.run(
      'Go on.',
      'touch send-before',
      delegate,
      'printf "plugh%d" 123',
      undefined,
      'touch send-after',
      delegate,
      'touch send-in-another',
    );
    assert.ok(agent.made('send-before'));
    assert.ok(!agent.made('send-after'), 'what a sub-agent has seen counts in its conversation');
    assert.ok(!agent.made('send-in-another'), 'and what the conversation knows in its sub-agents');
    const sessions = await agent.sessions();
    const [parent, ...others] = sessions.filter(({ parentSessionId }) => parentSessionId === null);
    assert.equal(others.length, 0, 'no session without a parent but that of the conversation');
    const children = sessions.filter(({ parentSessionId }) => parentSessionId === parent.id);
    assert.equal(children.length, 2);
    assert.deepEqual(children.map(({ status, blockCount }) => `${status} ${blockCount}`).sort(), [
      'COMPLETED 0',
      'COMPLETED 1',
    ]);
    assert.equal(parent.blockCount, 1);
  });
}

test('openclaw: a sub-agent, which runs beside its conversation, has a session under that', async (t) => {
  const agent = await hooked(t, 'openclaw', policy, { agent: openClawGateway });
  const ended = async () => (await agent.sessions()).some(({ status }) => status === 'COMPLETED');
  let isSpawned = false;
  // A sub-agent has seen nothing yet, and does not know its conversation.
  const turn = async ({ results }) => {
    if (!isSpawned) {
      isSpawned = true;
      return { tool: 'tool_call', input: { id: 'sessions_spawn', args: { task: 'Go on.' } } };
    }
    if (results.length === 0) return 'printf "plugh%d" 123';
    if (!results[0].includes('childSessionKey') || results.length > 1) return undefined;
    for (let waited = 0; waited < 30_000 && !(await ended()); waited += 200) await setTimeout(200);
    return 'touch send-after';
  };
  const { said, seen } = await agent.run('Go on.', ...Array.from({ length: 12 }, () => turn));
  const sessions = await agent.sessions();
  const [parent, ...others] = sessions.filter(({ parentSessionId }) => parentSessionId === null);
  assert.equal(others.length, 0, `no session without a parent but that of the conversation: ${said}`);
  const [child] = sessions.filter(({ parentSessionId }) => parentSessionId === parent.id);
  assert.equal(child?.status, 'COMPLETED', `${JSON.stringify(sessions)} ${said} ${seen.slice(-2_000)}`);
  assert.ok(!agent.made('send-after'), 'what a sub-agent has seen counts in its conversation');
  assert.equal(parent.blockCount, 1);
});
