import t from 'tap';
import { adminKey, startApp } from '../../../helpers/app.ts';

const document = `
schemaVersion: 1
name: phases
rules:
  - { id: blocked-tool, tool: rm, when: "true", effect: BLOCK }
  - { id: held-tool, tool: refund, when: "true", effect: APPROVAL_REQUIRED }
  - { id: no-ssn-back, on: [RESULT], when: '"US_SSN" in dataTags', effect: BLOCK }
  - { id: failed-read, on: [RESULT], tool: crm.read, when: 'result.status == "FAILED"', effect: WARN }
  - { id: ask-result, on: [RESULT], tool: mail.read, when: "true", effect: APPROVAL_REQUIRED }
  - { id: no-wipe, on: [PROMPT], when: 'input.text.contains("wipe")', effect: BLOCK }
  - { id: held-prompt, on: [PROMPT, ACTION], when: '"text" in input && input.text.contains("ask me")', effect: APPROVAL_REQUIRED }
`;
const ssn = { rows: ['SSN: 536-22-1847'] };
const missing = '00000000-0000-4000-8000-000000000000';

async function start(t: Parameters<typeof startApp>[0], kind: 'AGENT' | 'REST_API' = 'AGENT') {
  const app = await startApp(t);
  const { id, key } = await app.integration(kind);
  await app.policy(id, document);
  const evaluate = (body: object, as = key) => app.call(as, 'POST', '/v1/evaluate', body);
  const act = async (tool: string, more: object = {}) =>
    (await evaluate({ input: { tool }, ...more })).body.data;
  const result = (resultOf: string, more: object = {}) =>
    evaluate({ phase: 'RESULT', resultOf, status: 'OK', input: { text: 'fine' }, ...more });
  const session = async (sessionId: string) =>
    (await app.call(key, 'GET', `/v1/evaluation-sessions/${sessionId}`)).body.data;
  return { app, id, key, evaluate, act, result, session };
}

t.test('a result is scanned, adds tags to the session of its action, and counts as nothing', async (t) => {
  const { app, key, act, result, session } = await start(t);
  const { evaluationRunId, sessionId } = await act('crm.read');
  const { status, body } = await result(evaluationRunId, { input: ssn });
  t.equal(status, 200);
  t.match(body.data, { enforcementAction: 'BLOCK', outcome: 'DENY', sessionId, dataTags: ['PII', 'US_SSN'] });
  t.strictSame(
    body.data.violations.map(({ ruleId }: { ruleId: string }) => ruleId),
    ['no-ssn-back'],
  );
  const read = await session(sessionId);
  t.match(read, {
    actionCount: 1,
    blockCount: 0,
    warningCount: 0,
    reviewCount: 0,
    toolCounts: { 'crm.read': 1 },
  });
  t.strictSame(read.dataTags, ['PII', 'US_SSN']);
  t.equal(read.recentActions.length, 1, 'recent actions are actions only');

  const listed = await app.call(key, 'GET', `/v1/evaluation-sessions/${sessionId}/evaluations`);
  t.equal(listed.body.pagination.total, 2);
  t.match(listed.body.data, [
    {
      phase: 'RESULT',
      resultOf: evaluationRunId,
      status: 'OK',
      seq: null,
      tool: 'crm.read',
      outcome: 'DENY',
    },
    { phase: 'ACTION', resultOf: null, status: null, seq: 1, tool: 'crm.read' },
  ]);
});

t.test('rules of a result see its status and the tool of its action', async (t) => {
  const { act, result } = await start(t);
  const first = await act('crm.read');
  const failed = await result(first.evaluationRunId, { status: 'FAILED', input: { tool: 'other' } });
  t.match(failed.body.data, { enforcementAction: 'WARN', violations: [{ ruleId: 'failed-read' }] });
  const second = await act('crm.read', { sessionId: first.sessionId });
  const fine = await result(second.evaluationRunId);
  t.match(fine.body.data, { enforcementAction: 'ALLOW', violations: [] });
});

t.test('a result never waits for approval: it is blocked', async (t) => {
  const { act, result, session } = await start(t);
  const { evaluationRunId, sessionId } = await act('mail.read');
  const { body } = await result(evaluationRunId);
  t.match(body.data, { enforcementAction: 'BLOCK', outcome: 'DENY', reviewRequestId: null, pollUrl: null });
  t.equal(body.data.violations[0].enforcementAction, 'BLOCK');
  t.equal((await session(sessionId)).reviewCount, 0);
});

t.test('an action has one result, of all that are sent at once', async (t) => {
  const { act, result } = await start(t);
  const { evaluationRunId } = await act('crm.read');
  const responses = await Promise.all(Array.from({ length: 8 }, () => result(evaluationRunId)));
  const statuses = responses.map(({ status }) => status).sort();
  t.strictSame(statuses, [200, 409, 409, 409, 409, 409, 409, 409]);
  const late = await result(evaluationRunId);
  t.match(late.body.errors[0], { code: 'conflict', path: '/resultOf', message: /already has a result/ });
});

t.test('a repeated result with its idempotency key counts once', async (t) => {
  const { app, key, act } = await start(t);
  const { evaluationRunId, sessionId } = await act('crm.read');
  const body = { phase: 'RESULT', resultOf: evaluationRunId, status: 'OK', input: {} };
  const send = () => app.call(key, 'POST', '/v1/evaluate', body, { 'idempotency-key': 'once' });
  const [first, again] = [await send(), await send()];
  t.equal(again.status, 200);
  t.equal(again.body.data.evaluationRunId, first.body.data.evaluationRunId);
  const listed = await app.call(key, 'GET', `/v1/evaluation-sessions/${sessionId}/evaluations`);
  t.equal(listed.body.pagination.total, 2);
});

t.test('a result of what was not let through is refused', async (t) => {
  const { app, evaluate, act, result } = await start(t);
  const { app: _, ...other } = await start(t);
  const blocked = await act('rm');
  const { sessionId } = blocked;
  t.match((await result(blocked.evaluationRunId)).body.errors[0], {
    code: 'conflict',
    message: /was blocked/,
  });

  const held = await act('refund', { sessionId });
  t.match((await result(held.evaluationRunId)).body.errors[0], { code: 'conflict', message: /was held/ });
  await app.call(adminKey, 'POST', `/v1/reviews/${held.reviewRequestId}/approve`, {});
  t.equal((await result(held.evaluationRunId)).status, 409, 'approved, but not used yet');
  const resumed = await act('refund', { sessionId, reviewRequestId: held.reviewRequestId });
  t.equal(resumed.enforcementAction, 'ALLOW');
  t.equal(
    (await result(resumed.evaluationRunId)).status,
    200,
    'the evaluation that used the approval has it',
  );

  const prompt = await evaluate({ phase: 'PROMPT', input: { text: 'hello' }, sessionId });
  t.match((await result(prompt.body.data.evaluationRunId)).body.errors[0], { message: /is a PROMPT/ });

  const unknown = await result(missing);
  t.equal(unknown.status, 404);
  const theirs = await other.act('crm.read');
  const stranger = await result(theirs.evaluationRunId);
  t.equal(stranger.status, 404);
});

t.test('an evaluation of another integration and a missing one are answered alike', async (t) => {
  const { app, result } = await start(t);
  const stranger = await app.integration('AGENT');
  const { body } = await app.call(stranger.key, 'POST', '/v1/evaluate', { input: { tool: 'x' } });
  const [theirs, none] = [await result(body.data.evaluationRunId), await result(missing)];
  t.equal(theirs.status, 404);
  t.equal(theirs.text, none.text);
});

t.test('fields that a phase does not have are refused by name', async (t) => {
  const { evaluate, act } = await start(t);
  const { evaluationRunId: resultOf, sessionId } = await act('crm.read');
  const input = { text: 'x' };
  const base = { phase: 'RESULT', resultOf, status: 'OK', input };
  const refused: [object, string][] = [
    [{ ...base, resultOf: undefined }, '/resultOf'],
    [{ ...base, status: undefined }, '/status'],
    [{ ...base, status: 'MAYBE' }, '/status'],
    [{ ...base, callbackUrl: 'https://example.com' }, '/callbackUrl'],
    [{ ...base, reviewRequestId: missing }, '/reviewRequestId'],
    [{ ...base, sessionId: missing }, '/sessionId'],
    [{ resultOf, input }, '/resultOf'],
    [{ status: 'OK', input }, '/status'],
    [{ phase: 'PROMPT', resultOf, input }, '/resultOf'],
    [{ phase: 'PROMPT', status: 'OK', input }, '/status'],
    [{ phase: 'PROMPT', reviewRequestId: missing, input }, '/reviewRequestId'],
    [{ phase: 'OTHER', input }, '/phase'],
  ];
  for (const [body, path] of refused) {
    const { status, body: response } = await evaluate(body);
    t.equal(status, 400, path);
    t.equal(response.errors[0].path, path);
  }
  const same = await evaluate({ ...base, sessionId: sessionId.toUpperCase() });
  t.equal(same.status, 200, 'the session of the action may be named');
});

t.test('a result without a session stays without one, also on an AGENT key', async (t) => {
  const { evaluate, act, result } = await start(t, 'REST_API');
  const { evaluationRunId } = await act('crm.read');
  t.equal((await result(evaluationRunId)).body.data.sessionId, null);
  const second = await act('crm.read');
  const { sessionId } = (await evaluate({ phase: 'PROMPT', input: { text: 'hi' } })).body.data;
  t.equal(sessionId, null);
  const named = await result(second.evaluationRunId, { sessionId: missing });
  t.match(named.body.errors[0], { path: '/sessionId', code: 'invalid' });
});

t.test('a result in a session that ended 15 minutes ago is refused', async (t) => {
  const { app, key, act, result } = await start(t);
  const { evaluationRunId, sessionId } = await act('crm.read');
  await app.call(key, 'POST', `/v1/evaluation-sessions/${sessionId}/end`);
  app.clock.advance(15 * 60_000);
  const { status, body } = await result(evaluationRunId);
  t.equal(status, 409);
  t.match(body.errors[0].message, /COMPLETED/);
});

t.test('a prompt is judged by the rules on it, adds tags, and has no tool', async (t) => {
  const { evaluate, session } = await start(t);
  const prompt = (text: string, more: object = {}) =>
    evaluate({ phase: 'PROMPT', input: { text, tool: 'rm' }, ...more });
  const first = await prompt('my SSN: 536-22-1847');
  const { sessionId } = first.body.data;
  t.match(first.body.data, { enforcementAction: 'ALLOW', dataTags: ['PII', 'US_SSN'] });
  t.match(sessionId, /^[0-9a-f-]{36}$/, 'an AGENT key opens the session with the prompt');
  const second = await prompt('wipe it', { sessionId });
  t.match(second.body.data, { enforcementAction: 'BLOCK', violations: [{ ruleId: 'no-wipe' }] });
  const read = await session(sessionId);
  t.match(read, {
    actionCount: 0,
    blockCount: 0,
    dataTags: ['PII', 'US_SSN'],
    toolsUsed: [],
    recentActions: [],
  });
});

t.test('the approval of a prompt lets no action through', async (t) => {
  const { app, evaluate, session } = await start(t);
  const input = { text: 'ask me' };
  const held = (await evaluate({ phase: 'PROMPT', input })).body.data;
  t.equal(held.enforcementAction, 'APPROVAL_REQUIRED');
  await app.call(adminKey, 'POST', `/v1/reviews/${held.reviewRequestId}/approve`, {});
  const { sessionId, reviewRequestId } = held;
  const action = await evaluate({ input, sessionId, reviewRequestId });
  t.match(action.body.data, {
    enforcementAction: 'APPROVAL_REQUIRED',
    approval: { reason: 'different_action' },
  });
  t.equal((await session(sessionId)).reviewCount, 1, 'the held prompt is not counted');
});

t.test('recent actions and pages are right however prompts and results lie between', async (t) => {
  const { app, key, evaluate, act, session } = await start(t);
  const opened = await evaluate({ phase: 'PROMPT', input: { text: 'a' } });
  const { sessionId } = opened.body.data;
  let last = '';
  for (let turn = 0; turn < 130; turn++) {
    if (turn % 3 !== 0) await evaluate({ phase: 'PROMPT', input: { text: 'b' }, sessionId });
    last = (await act(`t${turn % 7}`, { sessionId })).evaluationRunId;
  }
  t.ok(last);
  const seqs = (await session(sessionId)).recentActions.map(({ seq }: { seq: number }) => seq);
  t.strictSame(
    seqs,
    Array.from({ length: 50 }, (_, index) => 130 - index),
  );
  const all = [];
  for (let page = 1; page <= 3; page++) {
    const url = `/v1/evaluation-sessions/${sessionId}/evaluations?size=100&page=${page}`;
    all.push(...(await app.call(key, 'GET', url)).body.data);
  }
  t.equal(all.length, 1 + 86 + 130);
  t.equal(new Set(all.map(({ evaluationRunId }) => evaluationRunId)).size, all.length);
  t.equal(all.filter(({ phase }) => phase === 'ACTION').at(-1).seq, 1);
});
