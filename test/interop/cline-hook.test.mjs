import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hooked, runs } from './hooked.mjs';
import { agents } from './hooked-agents.mjs';

// Cline can only end the run when a hook stops something, and tells its model no reason: each outcome is a run of its own.

const policy = `
schemaVersion: 1
name: outcomes
detectors:
  - { tag: SECRET, category: MARKS, pattern: 'plugh\\d{3}' }
rules:
  - { id: warned, when: '${runs('warned')}', effect: WARN, severity: LOW }
  - { id: held, when: '${runs('held')}', effect: APPROVAL_REQUIRED, severity: LOW }
  - { id: blocked, when: '${runs('blocked')}', effect: BLOCK, severity: LOW }
  - { id: leak, when: '"SECRET" in session.dataTags && ${runs('send')}', effect: BLOCK, severity: LOW }
  - { id: address, on: [RESULT], when: '"EMAIL_ADDRESS" in dataTags', effect: BLOCK, severity: LOW }
`;

test('cline', async (t) => {
  const agent = await hooked(t, 'cline', policy);

  await t.test('allowed, or warned: it runs, and the model reads the warning', async () => {
    const { seen } = await agent.run('Go on.', 'touch allowed', 'touch warned');
    assert.ok(agent.made('allowed'));
    assert.ok(agent.made('warned'));
    assert.match(seen, /Assize warns: matched the rule \W*warned/);
  });
  await t.test('blocked: it does not run, and the run ends', async () => {
    const { results } = await agent.run('Go on.', 'touch blocked', 'touch after-it');
    assert.ok(!agent.made('blocked'));
    assert.ok(!agent.made('after-it'));
    assert.deepEqual(results, []);
  });
  await t.test('held: it does not run, the run ends, and its review stays open', async () => {
    await agent.run('Go on.', 'touch held');
    assert.ok(!agent.made('held'));
    await agent.review('approve');
  });
  await t.test('result blocked: the run ends before the model reads it', async () => {
    const { seen } = await agent.run('Go on.', 'printf "%s@%s" bob example.com', 'touch after-result');
    assert.doesNotMatch(seen, /bob@example/);
    assert.ok(!agent.made('after-result'));
  });
  await t.test('what a sub-agent has seen counts in its conversation', async () => {
    await agent.run('Go on.', agents.cline.delegate, 'printf "plugh%d" 123', undefined, 'touch send');
    assert.ok(!agent.made('send'));
    const sessions = await agent.sessions();
    const child = sessions.find(({ parentSessionId }) => parentSessionId !== null);
    assert.equal(child.status, 'COMPLETED');
    const parent = sessions.find(({ id }) => id === child.parentSessionId);
    assert.equal(parent.blockCount, 1);
  });
  await t.test('service down: nothing runs', async () => {
    agent.hook.configure({ url: 'http://127.0.0.1:9' });
    await agent.run('Go on.', 'touch undecided');
    agent.hook.configure();
    assert.ok(!agent.made('undecided'));
  });
  await t.test("the hook's program is gone: no tool runs", async () => {
    agent.hook.install('--program', '/nowhere/assize');
    await agent.run('Go on.', 'touch unhooked');
    assert.ok(!agent.made('unhooked'));
  });
});
