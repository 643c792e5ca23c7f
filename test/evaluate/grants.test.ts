import t, { type Test } from 'tap';
import { adminKey, startApp } from '../helpers/app.ts';

const rule = (grant: string, more = '', when = 'tool == "email.send"'): string => `
  - id: mail
    when: ${when}
    effect: APPROVAL_REQUIRED
    approval: { grant: ${grant}${more} }
`;
const mailRule = rule('{ same: [tool, input.to], for: 1h, uses: 3 }');

async function start(t: Test, rules = mailRule, settings: object = {}) {
  const app = await startApp(t);
  const { id, key } = await app.integration('AGENT', settings);
  const policyId = await app.policy(id, `schemaVersion: 1\nname: mail\nrules:${rules}`);
  const send = async (input: object, more: object = {}, headers: Record<string, string> = {}) => {
    const { body } = await app.call(
      key,
      'POST',
      '/v1/evaluate',
      { input, externalSessionId: 's', ...more },
      headers,
    );
    if (!body.success) throw new Error(JSON.stringify(body));
    return body.data;
  };
  const mail = (to: string, more: object = {}) => send({ tool: 'email.send', to, body: 'x' }, more);
  const decide = async (review: string, verb = 'approve', body: object = {}) =>
    (await app.call(adminKey, 'POST', `/v1/reviews/${review}/${verb}`, body)).body.data;
  /** Holds the action and approves it. */
  const approve = async (input: object, more: object = {}) => {
    const { reviewRequestId } = await send(input, more);
    await decide(reviewRequestId);
    return reviewRequestId as string;
  };
  const action = async (input: object, more: object = {}): Promise<string> =>
    (await send(input, more)).enforcementAction;
  const read = async (path: string) => (await app.call(adminKey, 'GET', path)).body.data;
  return { app, id, key, policyId, send, mail, decide, approve, action, read };
}
const bob = { tool: 'email.send', to: 'bob@example.com', body: 'x' };

t.test('one approval covers the next uses of the same, and each says which grant it used', async (t) => {
  const { send, decide, read, policyId } = await start(t);
  const held = await send(bob);
  const review = await read(`/v1/reviews/${held.reviewRequestId}`);
  t.match(review.grants, [
    {
      ruleId: 'mail',
      policyId,
      same: ['tool', 'input.to'],
      seconds: 3_600,
      uses: 3,
      usedCount: 0,
      expiresAt: null,
    },
  ]);
  t.strictSame((await read(`/v1/evaluation-sessions/${held.sessionId}`)).grants, []);
  const approved = await decide(held.reviewRequestId);
  const [{ id }] = approved.grants;
  t.match(approved.grants, [{ id, usedCount: 0, expiresAt: '2030-01-01T01:00:00.000Z' }]);
  for (const body of ['one', 'two', 'three']) {
    const passed = await send({ ...bob, body });
    t.match(passed, {
      enforcementAction: 'ALLOW',
      outcome: 'FLAG',
      reviewRequestId: null,
      grants: [{ id, reviewRequestId: review.id, policyId, ruleId: 'mail' }],
      violations: [{ ruleId: 'mail' }],
    });
    const recorded = await read(`/v1/evaluations/${passed.evaluationRunId}`);
    t.match(recorded, { reviewRequestId: review.id, grants: [{ id, ruleId: 'mail' }] });
  }
  t.equal((await send(bob)).enforcementAction, 'APPROVAL_REQUIRED', 'used up');
  t.match((await read(`/v1/reviews/${review.id}`)).grants, [{ usedCount: 3 }]);
  t.strictSame((await read(`/v1/evaluation-sessions/${held.sessionId}`)).grants, []);
  t.match(await send(bob, { reviewRequestId: review.id }), {
    enforcementAction: 'ALLOW',
    approval: { applied: true },
  });
});

t.test('of parallel actions exactly as many pass as the grant has uses', async (t) => {
  for (const uses of [1, 2, 7, 31]) {
    const { approve, send, read } = await start(t, rule(`{ same: [tool], uses: ${uses} }`));
    const review = await approve(bob);
    const all = await Promise.all(Array.from({ length: 40 }, (_, n) => send({ ...bob, body: `${n}` })));
    t.equal(all.filter(({ enforcementAction }) => enforcementAction === 'ALLOW').length, uses);
    t.match((await read(`/v1/reviews/${review}`)).grants, [{ usedCount: uses }]);
  }
});

t.test('a grant ends with its time, with its session, and when an operator takes it back', async (t) => {
  const { app, approve, action, read, send } = await start(t, rule('{ same: [tool], for: 1h }'));
  await approve(bob);
  app.clock.advance(3_599_999);
  t.equal(await action(bob), 'ALLOW');
  app.clock.advance(1);
  t.equal(await action(bob), 'APPROVAL_REQUIRED');
  app.clock.advance(-3_000_000);
  t.equal(await action(bob), 'APPROVAL_REQUIRED', 'a clock set back does not bring it back');
  app.clock.advance(3_000_000);
  await approve({ ...bob, body: 'again' });
  const { sessionId } = await send(bob);
  const url = `/v1/evaluation-sessions/${sessionId}`;
  const [{ id, usesLeft, tool }] = (await read(url)).grants;
  t.strictSame([usesLeft, tool], [null, 'email.send']);
  const removed = await app.call(adminKey, 'POST', `${url}/remove-grant`, { grantId: id });
  t.strictSame([removed.status, removed.body.data.grants], [200, []]);
  t.equal(await action(bob), 'APPROVAL_REQUIRED');
  const again = await app.call(adminKey, 'POST', `${url}/remove-grant`, { grantId: id });
  t.match([again.status, again.body.errors[0]], [404, { path: '/grantId', message: /has this grant/ }]);
});

t.test('a grant is for its session and its integration alone', async (t) => {
  const { app, key, approve, action, send, policyId } = await start(t, rule('{ same: [tool], for: 1h }'));
  await approve(bob);
  t.equal(await action(bob, { externalSessionId: 'other' }), 'APPROVAL_REQUIRED');
  const { sessionId } = await send(bob);
  t.equal(
    await action(bob, { externalSessionId: 'child', parentSessionId: sessionId }),
    'APPROVAL_REQUIRED',
    'nor for its children',
  );
  const other = await app.integration();
  await app.call(adminKey, 'PUT', `/v1/integrations/${other.id}/policies/${policyId}`);
  const theirs = await app.call(other.key, 'POST', '/v1/evaluate', { input: bob, externalSessionId: 's' });
  t.equal(theirs.body.data.enforcementAction, 'APPROVAL_REQUIRED');
  await app.call(key, 'POST', `/v1/evaluation-sessions/${sessionId}/end`);
  t.equal(await action(bob), 'APPROVAL_REQUIRED', 'a new session of the same name');
});

t.test('an agent cannot stretch a grant', async (t) => {
  const approved = {
    tool: 'email.send',
    to: 'bob@example.com',
    body: 'x',
    arguments: { to: 'bob@example.com' },
  };
  const { approve, action } = await start(
    t,
    rule('{ same: [tool, input.to], for: 1h }', '', 'size(tool) >= 0\n    on: [ACTION, PROMPT]'),
  );
  await approve(approved, { targetKey: 'outbox', targetMetadata: { via: 'smtp' } });
  const more = { targetKey: 'outbox', targetMetadata: { via: 'smtp' } };
  t.equal(await action({ ...approved, body: 'y' }, more), 'ALLOW');
  const tries: [what: string, input: object, more?: object][] = [
    ['another recipient', { ...approved, to: 'eve@example.com' }],
    ['in a list', { ...approved, to: ['bob@example.com'] }],
    ['with another one', { ...approved, to: ['bob@example.com', 'eve@example.com'] }],
    ['in capitals', { ...approved, to: 'Bob@example.com' }],
    ['with a space', { ...approved, to: 'bob@example.com ' }],
    ['with a letter that looks the same', { ...approved, to: 'b\u043eb@example.com' }],
    ['in a further field', { ...approved, bcc: 'eve@example.com' }],
    ['in a nested field', { ...approved, body: { bcc: 'eve@example.com' } }],
    ['with a field less', { tool: 'email.send', to: 'bob@example.com', body: 'x' }],
    ['another tool', { ...approved, tool: 'email.send2' }],
    ['no tool', { to: 'bob@example.com', body: 'x', arguments: approved.arguments }],
    ['another target', approved, { targetKey: 'inbox' }],
    ['no target', approved, { targetKey: undefined }],
    ['other metadata of the target', approved, { targetMetadata: { via: 'http' } }],
    ['other kinds of data', { ...approved, body: 'card 4111 1111 1111 1111' }],
    ['as a prompt', approved, { phase: 'PROMPT', targetKey: 'outbox' }],
  ];
  for (const [what, input, change] of tries) {
    const decided = await action(input, { ...more, ...change }).catch((error: Error) => error.message);
    t.not(decided, 'ALLOW', `${what}: phase ${JSON.stringify(change)}`);
    t.match(decided, /^(APPROVAL_REQUIRED|BLOCK|.*other arguments than in another place.*)$/, what);
  }
  for (const elsewhere of [{ to: 'eve@example.com' }, '{"to":"eve@example.com"}'])
    await t.rejects(
      action({ ...approved, arguments: elsewhere }, more),
      /other arguments than in another place/,
    );
  t.equal(await action({ ...approved, tool: ' email.send ' }, more), 'ALLOW', 'the name as it counts');
});

t.test('a value that is missing makes no two actions the same', async (t) => {
  const { send, decide, action, read } = await start(t, rule('{ same: [tool, input.to.address], uses: 9 }'));
  for (const input of [
    { tool: 'email.send', body: 'x' },
    { tool: 'email.send', to: [] },
    { tool: 'email.send', to: [{ address: 'a' }, {}] },
    { tool: 'email.send', to: 'bob' },
  ]) {
    const { reviewRequestId } = await send(input);
    t.strictSame((await read(`/v1/reviews/${reviewRequestId}`)).grants, [], JSON.stringify(input));
    await decide(reviewRequestId);
    t.equal(await action(input), 'APPROVAL_REQUIRED');
  }
  const several = { tool: 'email.send', to: [{ address: 'a' }, { address: 'b' }] };
  await decide((await send(several)).reviewRequestId);
  t.equal(await action(several), 'ALLOW');
  t.equal(
    await action({ tool: 'email.send', to: [{ address: 'a' }, { address: 'c' }] }),
    'APPROVAL_REQUIRED',
  );
  t.equal(await action({ tool: 'email.send', to: [{ address: 'a' }] }), 'APPROVAL_REQUIRED');
});

t.test('numbers that differ in their last digit are not the same', async (t) => {
  const { app, key, decide } = await start(t, rule('{ same: [input.account], uses: 9 }'));
  const json = { 'content-type': 'application/json' };
  const send = async (account: string) => {
    const text = `{"externalSessionId":"s","input":{"tool":"email.send","account":${account}}}`;
    return (await app.call(key, 'POST', '/v1/evaluate', text, json)).body.data;
  };
  await decide((await send('9007199254740993')).reviewRequestId);
  t.equal((await send('9007199254740993')).enforcementAction, 'ALLOW');
  for (const other of ['9007199254740992', '9007199254740994', '"9007199254740993"', '9007199254740993.5'])
    t.equal((await send(other)).enforcementAction, 'APPROVAL_REQUIRED', other);
});

t.test('without same, the very same action passes again', async (t) => {
  const { approve, action } = await start(t, rule('{ uses: 2 }'));
  await approve(bob);
  t.equal(await action({ ...bob, body: 'y' }), 'APPROVAL_REQUIRED');
  t.strictSame(
    [await action(bob), await action(bob), await action(bob)],
    ['ALLOW', 'ALLOW', 'APPROVAL_REQUIRED'],
  );
});

t.test('what the reviewer did not see is not covered', async (t) => {
  const other = `
  - { id: large, when: "input.?size.orValue(0) > 10", effect: APPROVAL_REQUIRED }
  - { id: secret, when: 'input.?secret.orValue(false)', effect: BLOCK }
  - { id: loud, when: "input.?loud.orValue(false)", escalate: 1 }
  - { id: odd, when: 'input.odd == true && tool == "odd"', effect: WARN }
`;
  const { app, policyId, approve, action, send } = await start(
    t,
    `${rule('{ same: [tool, input.to], for: 1h }')}${other}`,
  );
  const full = { ...bob, size: 1, secret: false, loud: false, odd: false };
  await approve(full);
  t.equal(await action(full), 'ALLOW');
  t.equal(await action({ ...full, size: 11 }), 'APPROVAL_REQUIRED', 'another rule holds it, too');
  t.equal(await action({ ...full, secret: true }), 'BLOCK');
  t.equal(await action({ ...full, loud: true }), 'APPROVAL_REQUIRED', 'a higher severity');
  await approve({ ...full, size: 11 });
  t.equal(
    await action({ ...full, size: 12 }),
    'APPROVAL_REQUIRED',
    'a rule without a grant is approved once',
  );
  const before = await send(full);
  t.equal(before.enforcementAction, 'ALLOW');
  const text = `schemaVersion: 1\nname: mail\nrules:${rule('{ same: [tool, input.to], for: 1h }')}`;
  await app.call(adminKey, 'PUT', `/v1/policies/${policyId}`, text, { 'content-type': 'application/yaml' });
  await app.call(adminKey, 'POST', `/v1/policies/${policyId}/activate`);
  t.equal(await action(full), 'APPROVAL_REQUIRED', 'a new version of the rule');
});

t.test('a rule that failed grants nothing', async (t) => {
  const failing = `
  - id: amount
    when: input.amount > 5
    effect: APPROVAL_REQUIRED
    approval: { grant: { same: [tool], uses: 9 } }
`;
  const app = await start(t, `${failing}onError: APPROVAL_REQUIRED\n`);
  const { reviewRequestId } = await app.send({ tool: 'pay' });
  t.strictSame((await app.read(`/v1/reviews/${reviewRequestId}`)).grants, []);
  await app.approve({ tool: 'pay', amount: 6 });
  t.equal(await app.action({ tool: 'pay', amount: 7 }), 'ALLOW');
  t.equal(await app.action({ tool: 'pay', amount: 'seven' }), 'APPROVAL_REQUIRED');
});

t.test('a severity floor that is reached later holds beside a grant', async (t) => {
  const grows = `
  - { id: grows, when: session.actionCount >= 3, effect: WARN, severity: CRITICAL }
  - { id: leaves, when: tool == "email.send" && input.body == "secret", effect: WARN, severity: HIGH }
severityFloors: { HIGH: APPROVAL_REQUIRED, CRITICAL: BLOCK }
`;
  const app = await start(t, `${rule('{ same: [tool], uses: 9 }')}${grows}`);
  await app.approve(bob);
  t.equal(await app.action(bob), 'ALLOW');
  t.equal(
    await app.action({ ...bob, body: 'secret' }),
    'APPROVAL_REQUIRED',
    'the reviewer did not see this rule',
  );
  t.equal(await app.action(bob), 'BLOCK', 'and nobody may approve this');
});

t.test('what a person has rejected passes by no grant, and takes back the grants for the same', async (t) => {
  const { send, decide, approve, action } = await start(t, rule('{ same: [tool, input.to], for: 1h }'));
  const large = { ...bob, body: 'all of it' };
  const rejected = (await send(large)).reviewRequestId;
  const small = (await send(bob)).reviewRequestId;
  const [second, third] = [
    (await send({ ...bob, body: 'a part of it' })).reviewRequestId,
    (await send({ ...bob, body: 'another part' })).reviewRequestId,
  ];
  await decide(rejected, 'reject', { comment: 'no' });
  await decide(small);
  t.equal(await action({ ...bob, body: 'fine' }), 'ALLOW', 'granted after the rejection');
  t.equal(await action(large), 'BLOCK', 'this was rejected');
  t.equal(await action(large, { reviewRequestId: rejected }), 'BLOCK');
  await decide(second, 'reject');
  t.equal(await action({ ...bob, body: 'fine' }), 'APPROVAL_REQUIRED', 'a person has said no since');
  await approve({ ...bob, to: 'ann@example.com' });
  await decide(third, 'reject');
  t.equal(await action({ ...bob, to: 'ann@example.com' }), 'ALLOW', 'that was for another one');
});

t.test('who approves once, or many at once, grants nothing', async (t) => {
  const { app, send, decide, action } = await start(t, rule('{ same: [tool], for: 1h }', ', quorum: 2'));
  const operator = async (name: string): Promise<string> => {
    const made = await app.call(adminKey, 'POST', '/v1/operators', { name, roles: ['REVIEWER'] });
    const operatorId = made.body.data.id;
    return (await app.call(adminKey, 'POST', '/v1/operator-keys', { operatorId })).body.data.key;
  };
  const other = await operator('ann');
  const first = (await send(bob)).reviewRequestId;
  await decide(first, 'approve', { once: true });
  const approved = await app.call(other, 'POST', `/v1/reviews/${first}/approve`);
  t.match(approved.body.data, { status: 'APPROVED', grants: [] });
  t.equal(await action(bob), 'APPROVAL_REQUIRED', 'one of two wanted it once');
  const second = (await send({ ...bob, body: 'y' })).reviewRequestId;
  await decide(second);
  await app.call(other, 'POST', '/v1/reviews/decide', { ids: [second], decision: 'APPROVE' });
  t.equal(await action(bob), 'APPROVAL_REQUIRED');
  const third = (await send({ ...bob, body: 'z' })).reviewRequestId;
  await decide(third);
  await app.call(other, 'POST', `/v1/reviews/${third}/approve`);
  t.equal(await action(bob), 'ALLOW');
  const wrong = await app.call(adminKey, 'POST', `/v1/reviews/${third}/reject`, { once: true });
  t.match([wrong.status, wrong.body.errors[0].path], [400, '/once']);
});

t.test('one use of each grant that is needed, and a repeated request uses none', async (t) => {
  const two = `${rule('{ same: [tool], uses: 2 }')}
  - id: night
    when: input.?night.orValue(false)
    effect: APPROVAL_REQUIRED
    approval: { grant: { same: [tool], uses: 1 } }
`;
  const { approve, send, read } = await start(t, two);
  const input = { ...bob, night: true };
  await approve(input);
  const headers = { 'idempotency-key': 'once' };
  const passed = await send(input, {}, headers);
  t.strictSame(
    passed.grants.map(({ ruleId }: { ruleId: string }) => ruleId),
    ['mail', 'night'],
  );
  t.equal((await send(input, {}, headers)).replayed, true);
  const { grants } = await read(`/v1/evaluation-sessions/${passed.sessionId}`);
  t.match(grants, [{ ruleId: 'mail', usesLeft: 1 }]);
  t.equal(grants.length, 1);
  t.equal(
    (await send(input)).enforcementAction,
    'APPROVAL_REQUIRED',
    'one is used up, so the other is not used',
  );
  t.match((await read(`/v1/evaluation-sessions/${passed.sessionId}`)).grants, [{ usesLeft: 1 }]);
});

t.test(
  'counters and labels take what a grant lets through for let through, and rules see open grants',
  async (t) => {
    const { approve, send, read } = await start(
      t,
      `${rule('{ same: [tool], uses: 5 }')}    label: [MAILED]
  - { id: three, when: counters.mails >= 3, effect: BLOCK }
  - { id: open, when: 'tool == "look" && session.grants.exists(g, g.ruleId == "mail" && g.usesLeft < 5)', effect: WARN }
counters:
  mails: { over: session, where: tool == "email.send" }
`,
    );
    await approve(bob);
    t.equal((await send({ tool: 'look' })).enforcementAction, 'ALLOW');
    t.strictSame((await send(bob)).labels, ['MAILED']);
    t.equal((await send({ tool: 'look' })).enforcementAction, 'WARN');
    await send(bob);
    const { sessionId } = await send(bob);
    t.equal((await send(bob)).enforcementAction, 'BLOCK');
    t.match(await read(`/v1/evaluation-sessions/${sessionId}`), { toolCounts: { 'email.send': 3 } });
  },
);
