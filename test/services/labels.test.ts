import t, { type Test } from 'tap';
import { adminKey, startApp } from '../helpers/app.ts';

const document = `
schemaVersion: 1
name: flows
rules:
  - id: web-is-untrusted
    on: [RESULT]
    when: tool == "web.fetch"
    label: [UNTRUSTED]
  - id: customer-data
    tool: crm.lookup
    when: "true"
    label: [PRIVATE]
    effect: WARN
  - id: rule-of-two
    when: session.labels.containsAll(["UNTRUSTED", "PRIVATE"]) && tool == "email.send"
    effect: BLOCK
`;

async function start(t: Test, ...documents: string[]) {
  const app = await startApp(t);
  const { id, key } = await app.integration();
  const policies: string[] = [];
  for (const one of documents) policies.push(await app.policy(id, one));
  const send = async (input: object, more: object = {}) => {
    const { body } = await app.call(key, 'POST', '/v1/evaluate', { input, externalSessionId: 's', ...more });
    if (!body.success) throw new Error(JSON.stringify(body));
    return body.data;
  };
  const result = (of: { evaluationRunId: string }, input: object = {}) =>
    send(input, { phase: 'RESULT', resultOf: of.evaluationRunId, status: 'OK' });
  const labels = async (sessionId: string): Promise<string[]> =>
    (await app.call(key, 'GET', `/v1/evaluation-sessions/${sessionId}`)).body.data.labels;
  return { app, id, key, policies, send, result, labels };
}

t.test(
  'a session carries the labels of what was let through, and rules see them on later actions',
  async (t) => {
    const { send, result, labels, app, key } = await start(t, document);
    const fetched = await send({ tool: 'web.fetch' });
    t.notOk('labels' in fetched, 'the action itself is not untrusted');
    t.strictSame(await labels(fetched.sessionId), []);
    t.strictSame((await result(fetched)).labels, ['UNTRUSTED']);
    t.equal((await send({ tool: 'email.send' })).enforcementAction, 'ALLOW');
    const looked = await send({ tool: 'crm.lookup' });
    t.strictSame([looked.enforcementAction, looked.labels], ['WARN', ['PRIVATE']]);
    t.equal((await send({ tool: 'email.send' })).enforcementAction, 'BLOCK');
    t.strictSame(await labels(fetched.sessionId), ['UNTRUSTED', 'PRIVATE']);
    const listed = await app.call(key, 'GET', '/v1/evaluation-sessions');
    t.strictSame(listed.body.data[0].labels, ['UNTRUSTED', 'PRIVATE']);
    const evaluations = await app.call(
      key,
      'GET',
      `/v1/evaluation-sessions/${fetched.sessionId}/evaluations`,
    );
    t.strictSame(
      evaluations.body.data.map(({ labels }: { labels: string[] }) => labels),
      [[], ['PRIVATE'], [], ['UNTRUSTED'], []],
    );
    const other = await send({ tool: 'email.send' }, { externalSessionId: 'other' });
    t.equal(other.enforcementAction, 'ALLOW', 'another session');
  },
);

t.test('what is stopped labels nothing until it is let through', async (t) => {
  const { app, send, labels } = await start(
    t,
    `
schemaVersion: 1
name: held
rules:
  - { id: mark, when: tool == "hold" || tool == "block", label: [MARKED] }
  - { id: hold, tool: hold, when: "true", effect: APPROVAL_REQUIRED }
  - { id: block, tool: block, when: "true", effect: BLOCK }
`,
  );
  const { sessionId } = await send({ tool: 'block' });
  const held = await send({ tool: 'hold' });
  t.strictSame(await labels(sessionId), []);
  await app.call(adminKey, 'POST', `/v1/reviews/${held.reviewRequestId}/approve`, {});
  const resumed = await send({ tool: 'hold' }, { reviewRequestId: held.reviewRequestId });
  t.strictSame(resumed.labels, ['MARKED']);
  t.strictSame(await labels(sessionId), ['MARKED']);
});

t.test('a label whose condition fails is given, whatever onError says', async (t) => {
  const { send, labels } = await start(
    t,
    `
schemaVersion: 1
name: failing
onError: WARN
rules:
  - { id: big, when: input.size > 10, label: [BIG] }
`,
  );
  const { sessionId, enforcementAction } = await send({ tool: 'x', size: 'a text' });
  t.equal(enforcementAction, 'WARN');
  t.strictSame(await labels(sessionId), ['BIG']);
});

t.test(
  'a MONITOR policy labels for itself: it sees what it would do, and changes no other decision',
  async (t) => {
    const monitored = document.replace('name: flows', 'name: trial\nmode: MONITOR');
    const { send, result, labels } = await start(
      t,
      monitored,
      `
schemaVersion: 1
name: enforced
rules:
  - { id: sees, when: size(session.labels) > 0, effect: BLOCK }
`,
    );
    await result(await send({ tool: 'web.fetch' }));
    await send({ tool: 'crm.lookup' });
    const mail = await send({ tool: 'email.send' });
    t.equal(mail.enforcementAction, 'ALLOW');
    t.strictSame(
      mail.violations.map(({ ruleId }: { ruleId: string }) => ruleId),
      ['rule-of-two'],
    );
    t.strictSame(await labels(mail.sessionId), [], 'it gave the session none');
  },
);

t.test('of parallel actions, none is decided without the label of the one before it', async (t) => {
  const { send } = await start(
    t,
    `
schemaVersion: 1
name: once
rules:
  - { id: first, when: 'true', label: [USED] }
  - { id: second, when: '"USED" in session.labels', effect: BLOCK }
`,
  );
  const { sessionId } = await send({ tool: 'x' }, { externalSessionId: undefined, metadata: {} });
  t.ok(sessionId);
  const all = await Promise.all(
    Array.from({ length: 64 }, () => send({ tool: 'x' }, { externalSessionId: 'p' })),
  );
  t.equal(all.filter(({ enforcementAction }) => enforcementAction === 'ALLOW').length, 1);
});

t.test('an operator takes a label from a session, and that is recorded', async (t) => {
  const { app, key, send, labels } = await start(t, document);
  const { sessionId } = await send({ tool: 'crm.lookup' });
  const url = `/v1/evaluation-sessions/${sessionId}/remove-label`;
  const label = { label: 'PRIVATE' };
  t.equal((await app.call(key, 'POST', url, label)).status, 403, 'an integration cannot');
  const { status, body } = await app.call(adminKey, 'POST', url, label);
  t.strictSame([status, body.data.labels], [200, []]);
  t.equal((await app.call(adminKey, 'POST', url, label)).status, 404);
  t.equal((await app.call(adminKey, 'POST', url, { label: 'private' })).status, 400);
  t.strictSame(await labels(sessionId), []);
  const { data } = (await app.call(adminKey, 'GET', '/v1/audit?action=removeLabel&outcome=SUCCEEDED')).body;
  t.match(data, [{ resourceId: sessionId, before: { labels: ['PRIVATE'] }, after: { labels: [] } }]);
  t.strictSame((await send({ tool: 'crm.lookup' })).labels, ['PRIVATE'], 'the next one labels again');
});

t.test('labels are on disk, and seen by another process', async (t) => {
  const { app, send } = await start(t, document);
  const { sessionId } = await send({ tool: 'crm.lookup' });
  const second = await startApp(t, {}, { database: app.database, clock: app.clock });
  const read = await second.call(adminKey, 'GET', `/v1/evaluation-sessions/${sessionId}`);
  t.strictSame(read.body.data.labels, ['PRIVATE']);
});

t.test('an earlier action tells what was found, its labels and its repetitions', async (t) => {
  const { app, key, send } = await start(
    t,
    `
schemaVersion: 1
name: looks-back
rules:
  - { id: mark, tool: a, when: "true", effect: WARN, reason: marked, label: [M] }
  - id: after-repeats
    tool: b
    when: session.recentActions.exists(a, a.repeats >= 1 && "mark" in a.rules && "marked" in a.reasons && "M" in a.labels)
    effect: BLOCK
`,
  );
  await send({ tool: 'a' });
  t.equal((await send({ tool: 'b' })).enforcementAction, 'ALLOW');
  const { sessionId } = await send({ tool: 'a' });
  t.equal((await send({ tool: 'b' })).enforcementAction, 'BLOCK');
  const second = await startApp(t, {}, { database: app.database, clock: app.clock });
  const fromDisk = await second.call(key, 'POST', '/v1/evaluate', { sessionId, input: { tool: 'b', n: 1 } });
  t.equal(fromDisk.body.data.enforcementAction, 'BLOCK');
  const { recentActions } = (await app.call(key, 'GET', `/v1/evaluation-sessions/${sessionId}`)).body.data;
  t.match(recentActions[2], { tool: 'a', rules: ['mark'], reasons: ['marked'], labels: ['M'], repeats: 1 });
});

t.test('a repetition that nobody looked up is an error of the rule, and no 0', async (t) => {
  const { app, id, send } = await start(t);
  await send({ tool: 'a' });
  await app.policy(
    id,
    `
schemaVersion: 1
name: later
rules:
  - { id: late, when: "session.recentActions.exists(a, a.repeats > 5)", effect: WARN }
`,
  );
  const { enforcementAction, violations } = await send({ tool: 'b' });
  t.strictSame([enforcementAction, violations[0].reason], ['BLOCK', 'rule_error']);
});
