import t from 'tap';
import { adminKey, startApp, type TestApp } from '../helpers/app.ts';
import { rule } from '../helpers/policies.ts';
import { heldIntegration, hold, pay } from '../helpers/reviews.ts';

const put = (app: TestApp, policyId: string, document: string) =>
  app.call(adminKey, 'PUT', `/v1/policies/${policyId}`, document, { 'content-type': 'application/yaml' });

t.test('an approval covers the findings that its reviewer saw, and no other', async (t) => {
  const app = await startApp(t);
  const a = await heldIntegration(app);
  const tokens = rule('session.dataTags.size() > 0', 'APPROVAL_REQUIRED').replace('one-rule', 'tokens');
  await app.policy(a.id, tokens);
  const id = await a.review();
  await a.decide(id, 'approve');
  await a.evaluate({ input: { tool: 'read', text: 'AKIAIOSFODNN7EXAMPLE' } });
  const held = await a.resume(id);
  t.match(held, {
    enforcementAction: 'APPROVAL_REQUIRED',
    approval: { applied: false, reason: 'new_finding', message: /did not see: the-rule \(tokens\)$/ },
  });
  t.not(held.reviewRequestId, id);
  t.equal((await a.read(id)).status, 'APPROVED', 'the older review is left as it is');
  t.equal((await a.read(held.reviewRequestId)).violations.length, 2, 'the new one shows all findings');
  await a.decide(held.reviewRequestId, 'approve');
  t.match(await a.resume(held.reviewRequestId), { enforcementAction: 'ALLOW', approval: { applied: true } });
});

t.test('a finding at a higher severity than the reviewer saw needs approval again', async (t) => {
  const app = await startApp(t);
  const { id: integrationId, key } = await app.integration();
  await app.policy(
    integrationId,
    `
schemaVersion: 1
name: pay
rules:
  - { id: pay, when: tool == "pay", effect: APPROVAL_REQUIRED, severity: LOW }
  - { id: raise, when: session.actionCount >= 2, escalate: 3 }
`,
  );
  const send = async (more: object = {}) =>
    (await app.call(key, 'POST', '/v1/evaluate', { ...pay, ...more })).body.data;
  const { sessionId, reviewRequestId, severity } = await send();
  t.equal(severity, 'LOW');
  await app.call(adminKey, 'POST', `/v1/reviews/${reviewRequestId}/approve`);
  await send({ sessionId, input: { tool: 'read' } });
  t.match(await send({ sessionId, reviewRequestId }), {
    enforcementAction: 'APPROVAL_REQUIRED',
    severity: 'CRITICAL',
    approval: { applied: false, reason: 'higher_severity' },
  });
});

t.test('a rule that fails is another finding than the same rule that matched', async (t) => {
  const app = await startApp(t);
  const a = await heldIntegration(app);
  await app.policy(
    a.id,
    rule('session.actionCount == 0 || input.missing == 1', 'APPROVAL_REQUIRED', 'onError: APPROVAL_REQUIRED'),
  );
  const id = await a.review();
  await a.decide(id, 'approve');
  t.match(await a.resume(id), { approval: { applied: false, reason: 'new_finding' } });
});

t.test('binding or changing an unrelated policy does not affect an approval', async (t) => {
  const app = await startApp(t);
  const { id: integrationId, review, decide, resume } = await heldIntegration(app);
  const other = await app.policy(integrationId, rule('tool == "other"', 'APPROVAL_REQUIRED'));
  const id = await review();
  await decide(id, 'approve');
  await app.policy(integrationId, rule('tool == "third"', 'BLOCK').replace('one-rule', 'third'));
  await put(app, other, rule('tool == "another"', 'BLOCK'));
  t.equal((await resume(id)).enforcementAction, 'ALLOW');
});

t.test('when only a warning is left the approval stays unused', async (t) => {
  const app = await startApp(t);
  const { policyId, review, decide, resume, read } = await heldIntegration(app);
  const id = await review();
  await decide(id, 'approve');
  await put(app, policyId, hold().replace('APPROVAL_REQUIRED', 'WARN'));
  t.match(await resume(id), {
    outcome: 'FLAG',
    enforcementAction: 'WARN',
    approval: { applied: false, reason: 'not_needed' },
  });
  t.equal((await read(id)).status, 'APPROVED');
});

t.test('a rejection reaches the agent with the comment, whatever the policies say by then', async (t) => {
  const app = await startApp(t);
  const { policyId, review, decide, resume } = await heldIntegration(app);
  const id = await review();
  const { body } = await decide(id, 'reject', { comment: 'ask Bob first' });
  t.match(body.data, {
    comment: 'ask Bob first',
    decidedBy: { id: /^[0-9a-f-]{36}$/, name: 'owner' },
  });
  const rejected = {
    outcome: 'DENY',
    enforcementAction: 'BLOCK',
    approval: { applied: false, reason: 'rejected', comment: 'ask Bob first', message: /ask Bob first/ },
  };
  t.match(await resume(id), rejected);
  await app.call(adminKey, 'POST', `/v1/policies/${policyId}/deprecate`);
  t.match(await resume(id), { ...rejected, violations: [] });
  t.equal((await resume(id, { input: { tool: 'read' } })).enforcementAction, 'ALLOW', 'another action');
});

t.test('an identical action that is held again joins its PENDING review', async (t) => {
  const here = await startApp(t);
  const there = await startApp(t, {}, { database: here.database, clock: here.clock });
  const a = await heldIntegration(here);
  const responses = await Promise.all(
    Array.from({ length: 60 }, async (_, place) => {
      const request = { ...pay, sessionId: a.sessionId, callbackUrl: `https://hooks.example/${place}` };
      return (await (place % 2 ? here : there).call(a.key, 'POST', '/v1/evaluate', request)).body.data;
    }),
  );
  t.equal(new Set(responses.map(({ reviewRequestId }) => reviewRequestId)).size, 1);
  t.equal((await here.call(adminKey, 'GET', '/v1/reviews')).body.pagination.total, 1);
  const { reviewRequestId: id } = responses[0];
  t.equal(await a.review({ input: { amount: 7, tool: 'pay' } }), id, 'in any order');
  for (const request of [{ targetMetadata: { to: 'eve' } }, { targetKey: 'b' }, { input: { tool: 'pay' } }]) {
    t.not(await a.review(request), id, JSON.stringify(request));
  }
  await a.decide(id, 'approve');
  const next = await a.review();
  t.not(next, id, 'a decided review holds nothing');
  here.clock.advance(900_000);
  t.not(await a.review(), next, 'nor does an expired one');
});

t.test('a review shows and covers its last attempt, and calls back where that one says', async (t) => {
  const app = await startApp(t);
  const a = await heldIntegration(app);
  await app.policy(a.id, rule('session.actionCount >= 1', 'APPROVAL_REQUIRED').replace('one-rule', 'later'));
  const id = await a.review({ callbackUrl: 'https://hooks.example/a', correlationId: 'a' });
  t.equal((await a.read(id)).violations.length, 1);
  const again = await a.evaluate({ callbackUrl: 'https://hooks.example/b', correlationId: 'b' });
  t.match(await a.read(id), {
    evaluationRunId: again.evaluationRunId,
    violations: again.violations,
    correlationId: 'b',
    callback: { url: 'https://hooks.example/b' },
  });
  t.equal(again.violations.length, 2);
  const named = await a.resume(id);
  t.match(named, { reviewRequestId: id, approval: { reason: 'pending' } });
  t.match(await a.read(id), {
    evaluationRunId: named.evaluationRunId,
    callback: { url: 'https://hooks.example/b' },
  });
  await a.decide(id, 'approve');
  t.equal((await a.resume(id)).enforcementAction, 'ALLOW');
});

t.test('trying again never gives a review more time', async (t) => {
  const app = await startApp(t);
  const a = await heldIntegration(app, 'reviewExpirySeconds: 60');
  const id = await a.review();
  app.clock.advance(59_000);
  t.equal(await a.review(), id);
  t.equal((await a.read(id)).expiresAt, '2030-01-01T00:01:00.000Z');
});
