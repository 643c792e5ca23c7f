import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { parse } from 'yaml';
import { adminKey, startApp, type TestApp, temporaryFolder } from '../../helpers/app.ts';
import { run } from '../../helpers/command.ts';

const policy = `# kept as it is
schemaVersion: 1
name: payments
params: { most: 100 }
counters:
  paid: { over: session, where: 'tool == "pay"', add: input.amount, within: 2h }
rules:
  - id: much
    tool: pay
    when: counters.paid + input.amount > params.most
    effect: APPROVAL_REQUIRED
    severity: HIGH
  - id: personal
    when: session.dataTags.exists(tag, tag == "EMAIL_ADDRESS") && tool == "post"
    effect: BLOCK
  - id: invented
    tool: mail
    when: size(seen(input.to)) == 0
    effect: WARN
  - id: partner
    tool: share
    when: '!(input.to in lists.partners)'
    effect: BLOCK
  - id: tree
    when: tree.actionCount >= 9 && session.depth > 0
    effect: BLOCK
  - id: card
    on: [RESULT]
    when: '"CREDIT_CARD" in dataTags'
    effect: WARN
    label: [HAS_CARD]
`;
const secrets = [
  'ada.lovelace@example.org',
  'bob@corp.example.net',
  'DE89370400440532013000',
  '4556737586899855',
];

async function history(t: Parameters<typeof startApp>[0], contentRetention: 'full' | 'redacted' | 'none') {
  const app = await startApp(t);
  const { id, key } = await app.integration('AGENT', { contentRetention });
  await app.call(adminKey, 'POST', '/v1/lists', {
    name: 'partners',
    kind: 'OTHER',
    entries: ['acme', 'secret-partner'],
  });
  const policyId = await app.policy(id, policy);
  await app.call(adminKey, 'PUT', `/v1/integrations/${id}/policies/${policyId}`, { params: { most: 60 } });
  const send = async (body: object) => {
    app.clock.advance(61_000);
    const { status, body: response, text } = await app.call(key, 'POST', '/v1/evaluate', body);
    if (status !== 200) throw new Error(text);
    return response.data;
  };
  const { sessionId } = await send({
    entityId: '0190c0de-0000-7000-8000-000000000001',
    externalSessionId: 'conversation',
    metadata: { customer: secrets[0] },
    phase: 'PROMPT',
    input: { prompt: `refund ${secrets[1]} to ${secrets[2]}` },
  });
  const act = (input: object, more: object = {}) => send({ sessionId, input, ...more });
  await act({ tool: 'pay', amount: 40, iban: secrets[2] });
  const held = await act({ tool: 'pay', amount: 30, iban: secrets[2] });
  await app.call(adminKey, 'POST', `/v1/reviews/${held.reviewRequestId}/approve`, {});
  await act({ tool: 'pay', amount: 30, iban: secrets[2] }, { reviewRequestId: held.reviewRequestId });
  const rejected = await act({ tool: 'pay', amount: 31 });
  await app.call(adminKey, 'POST', `/v1/reviews/${rejected.reviewRequestId}/reject`, {});
  await act({ tool: 'pay', amount: 31 }, { reviewRequestId: rejected.reviewRequestId });
  const looked = await act({ tool: 'look', customer: 7 });
  await send({
    phase: 'RESULT',
    resultOf: looked.evaluationRunId,
    status: 'OK',
    input: { text: `card ${secrets[3]}, write to ${secrets[0]}` },
  });
  await act({ tool: 'mail', to: secrets[0] });
  await act({ tool: 'mail', to: 'eve@other.example.com' });
  await act({ tool: 'share', to: 'acme' });
  await act({ tool: 'post', text: 'hello' });
  const child = await send({
    externalSessionId: 'helper',
    parentSessionId: sessionId,
    input: { tool: 'search' },
  });
  return { app, sessionId: sessionId as string, childId: child.sessionId as string };
}

const at = (app: TestApp): string[] => ['--database', app.database];

t.test('a recorded session is a test that its policy passes, and says nothing of anybody', async (t) => {
  const { app, sessionId, childId } = await history(t, 'full');
  const { code, out, err } = await run(['policies', 'record', sessionId, childId, ...at(app)]);
  t.equal(code, 0, err);
  const [test] = parse(out).tests;
  t.strictSame(test.lists, { partners: ['acme'] }, 'other entries of lists say something of others');
  t.strictSame(test.params, { most: 60 });
  const steps: {
    expect: { enforcementAction: string; rules: string[] };
    approve?: true;
    reject?: true;
  }[] = test.steps;
  t.strictSame(
    steps.map(({ expect }) => `${expect.enforcementAction} ${expect.rules.join()}`.trim()),
    [
      'ALLOW',
      'ALLOW',
      'APPROVAL_REQUIRED much',
      'ALLOW much',
      'APPROVAL_REQUIRED much',
      'BLOCK much',
      'ALLOW',
      'ALLOW',
      'WARN invented',
      'ALLOW',
      'BLOCK personal',
      'BLOCK tree',
    ],
  );
  t.match(steps[3], { approve: true });
  t.match(steps[5], { reject: true });
  t.match(steps[6], {
    result: { status: 'OK', expect: { enforcementAction: 'WARN', labels: ['HAS_CARD'] } },
  });
  t.match(steps.at(-1), { session: 'session-2', parent: 'main' });
  for (const secret of [...secrets, 'secret-partner', '0190c0de']) t.notOk(out.includes(secret), secret);

  const whole = await run(['policies', 'record', sessionId, childId, '--document', ...at(app)]);
  t.match(whole.out, /^# kept as it is\n/);
  const file = join(temporaryFolder(t), 'payments.yaml');
  writeFileSync(file, whole.out);
  t.match(await run(['policies', 'test', file]), { code: 0, out: /^ok .*session of 2030-/ });
  writeFileSync(file, whole.out.replace('effect: APPROVAL_REQUIRED', 'effect: WARN'));
  t.match(await run(['policies', 'test', file]), {
    code: 1,
    out: /step 3, pay: expected enforcementAction/,
  });
});

t.test(
  'where content was kept redacted, data tags stand for what is not known, and the first step that needs more is named',
  async (t) => {
    const { app, sessionId, childId } = await history(t, 'redacted');
    const { code, out, err } = await run(['policies', 'record', sessionId, childId, ...at(app)]);
    t.equal(code, 1);
    t.match(err, /step 9, mail: expected enforcementAction WARN/, 'which address it was is not known');
    t.match(parse(out).tests[0].steps[6], {
      result: { dataTags: /CREDIT_CARD/, expect: { labels: ['HAS_CARD'] } },
    });
  },
);

t.test('what cannot be shown again is said, and no session is recorded without its parent', async (t) => {
  const { app, sessionId, childId } = await history(t, 'none');
  const without = await run(['policies', 'record', sessionId, ...at(app)]);
  t.equal(without.code, 1);
  t.match(
    without.err,
    /version 1 of payments does not decide the test as it decided the session: .*no such field "amount"/,
  );
  t.match(await run(['policies', 'record', childId, ...at(app)]), {
    code: 2,
    err: new RegExp(`name its parent too, ${sessionId}`),
  });
  t.match(await run(['policies', 'record', '01980000-0000-7000-8000-000000000000', ...at(app)]), { code: 1 });
});
