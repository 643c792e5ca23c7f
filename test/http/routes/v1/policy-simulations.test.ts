import t from 'tap';
import type {
  SimulationDifference,
  SimulationLine,
  SimulationResult,
} from '../../../../src/schemas/replays.ts';
import { adminKey, startApp, type TestApp } from '../../../helpers/app.ts';

// takes long: begins first

const limit = (most: number): string => `
schemaVersion: 1
name: limits
counters:
  paid: { over: session, where: 'tool == "pay"', add: input.amount }
rules:
  - id: too-much
    tool: pay
    when: counters.paid + input.amount > ${most}
    effect: BLOCK
    severity: HIGH
`;

async function simulate(app: TestApp, body: object, key = adminKey) {
  const { status, text, body: refused } = await app.call(key, 'POST', '/v1/policies/simulate', body);
  if (status !== 200) return { status, refused, lines: [], differences: [], result: null };
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as SimulationLine);
  const last = lines.at(-1);
  return {
    status,
    refused,
    lines,
    differences: lines.filter((line): line is SimulationDifference => line.type === 'difference'),
    result: last?.type === 'result' ? (last as SimulationResult) : null,
  };
}

async function withPayments(t: Parameters<typeof startApp>[0], contentRetention: 'full' | 'none' = 'full') {
  const app = await startApp(t);
  const { id, key } = await app.integration('REST_API', { contentRetention });
  const policyId = await app.policy(id, limit(100));
  const session = (await app.call(key, 'POST', '/v1/evaluation-sessions', {})).body.data.id;
  const runs: { evaluationRunId: string; enforcementAction: string; violations: { id: string }[] }[] = [];
  for (const amount of [40, 40, 40, 20, 5]) {
    const { body } = await app.call(key, 'POST', '/v1/evaluate', {
      sessionId: session,
      input: { tool: 'pay', amount },
    });
    runs.push(body.data);
  }
  return { app, id, key, policyId, session, runs };
}

t.test('a candidate is replayed with the state as it would have been', async (t) => {
  const { app, id, policyId, session, runs } = await withPayments(t);
  t.strictSame(
    runs.map(({ enforcementAction }) => enforcementAction),
    ['ALLOW', 'ALLOW', 'BLOCK', 'ALLOW', 'BLOCK'],
  );
  const before = (await app.call(adminKey, 'GET', `/v1/evaluation-sessions/${session}`)).text;
  // With 60, the second is blocked, so that the fourth is the second that counts.
  const { result, differences } = await simulate(app, { document: limit(60) });
  t.match(result, {
    evaluations: 5,
    changed: 1,
    stricter: 1,
    looser: 0,
    notEvaluated: 0,
    sessionsChanged: 1,
    changes: [{ from: 'ALLOW', to: 'BLOCK', evaluations: 1 }],
    integrations: [{ integrationId: id, evaluations: 5, decisionsChanged: 1 }],
    rules: [{ policyId, policyName: 'limits', ruleId: 'too-much', before: 2, after: 3, notEvaluated: 0 }],
    violations: { kept: { NEW: 2 }, gone: { NEW: 0 }, new: 1 },
  });
  t.match(differences, [
    {
      evaluationRunId: runs[1]?.evaluationRunId,
      integrationId: id,
      sessionId: session,
      tool: 'pay',
      from: { outcome: 'ALLOW', enforcementAction: 'ALLOW', severity: null },
      to: { outcome: 'DENY', enforcementAction: 'BLOCK', severity: 'HIGH' },
      because: [{ policyId, ruleId: 'too-much', change: 'ADDED' }],
    },
  ]);
  t.equal(
    (await app.call(adminKey, 'GET', `/v1/evaluation-sessions/${session}`)).text,
    before,
    'nothing is recorded',
  );
  t.match(
    (await simulate(app, {})).result,
    { evaluations: 5, changed: 0 },
    'without a change nothing differs',
  );
});

t.test('the integrations that it concerns are told, and decisions apart from findings', async (t) => {
  const { app, id } = await withPayments(t);
  const other = await app.integration('AGENT');
  await app.call(other.key, 'POST', '/v1/evaluate', { input: { tool: 'pay', amount: 1_000 } });
  const milder = limit(100).replace('severity: HIGH', 'severity: LOW');
  const { result } = await simulate(app, { document: milder });
  t.match(result, { evaluations: 6, changed: 2 });
  t.strictSame(result?.integrations, [{ integrationId: id, evaluations: 5, decisionsChanged: 0 }]);
  const everywhere = await simulate(app, { document: limit(100).replace('name: limits', 'name: unbound') });
  t.same(
    new Set(everywhere.result?.integrations),
    new Set([
      { integrationId: id, evaluations: 5, decisionsChanged: 0 },
      { integrationId: other.id, evaluations: 1, decisionsChanged: 1 },
    ]),
    'a policy that decides nowhere is tried everywhere',
  );
});

t.test('what operators made of violations is told of those that are gone', async (t) => {
  const { app, runs } = await withPayments(t);
  const [violation] = runs[2]?.violations ?? [];
  const dismissed = await app.call(adminKey, 'POST', `/v1/violations/${violation?.id}/dismiss`, {
    reason: 'FALSE_POSITIVE',
  });
  t.equal(dismissed.status, 200, dismissed.text);
  const { result, differences } = await simulate(app, { document: limit(1_000), differences: 1 });
  t.match(result, {
    changed: 2,
    looser: 2,
    violations: { kept: { NEW: 0, DISMISSED: 0 }, gone: { NEW: 1, DISMISSED: 1 }, new: 0 },
    differencesShown: 1,
  });
  t.match(differences, [{ because: [{ change: 'REMOVED' }] }]);
});

t.test('content that was not kept is reported, never guessed', async (t) => {
  const { app, policyId } = await withPayments(t, 'none');
  const { result, differences } = await simulate(app, { document: limit(60) });
  t.strictSame(differences, []);
  t.match(result, {
    evaluations: 5,
    changed: 0,
    notEvaluated: 5,
    rules: [{ policyId, ruleId: 'too-much', notEvaluated: 5 }, {}],
  });
});

t.test('bindings, lists and filters', async (t) => {
  const { app, id, key, policyId, session } = await withPayments(t);
  t.match(
    (await simulate(app, { bindings: [{ policyId, integrationId: id, bound: false }] })).result,
    { changed: 2, looser: 2 },
    'without the policy',
  );
  t.match((await simulate(app, { bindings: [{ policyId, mode: 'MONITOR' }] })).result, {
    // The third counts then, and so the fourth is found as well.
    changed: 3,
    looser: 2,
  });
  const other = await app.integration('REST_API');
  await app.call(other.key, 'POST', '/v1/evaluate', { input: { tool: 'x' } });
  t.match((await simulate(app, { filter: { integrationId: other.id } })).result, { evaluations: 1 });
  t.match((await simulate(app, { filter: { sessionId: session } })).result, { evaluations: 5 });
  t.match((await simulate(app, { filter: { tool: 'x' } })).result, { evaluations: 1 });
  t.match((await simulate(app, { filter: { to: '2029-01-01T00:00:00Z' } })).result, { evaluations: 0 });
  const list = await app.call(adminKey, 'POST', '/v1/lists', {
    name: 'banned',
    kind: 'TOOLS',
    entries: ['a'],
  });
  t.equal(list.status, 201);
  await app.policy(
    other.id,
    `
schemaVersion: 1
name: banned
rules: [{ id: banned, when: tool in lists.banned, effect: BLOCK }]
`,
  );
  await app.call(other.key, 'POST', '/v1/evaluate', { input: { tool: 'x' } });
  t.match((await simulate(app, { lists: { banned: ['x'] } })).result, { changed: 1, stricter: 1 });
  // A new policy, bound nowhere, decides everywhere.
  const fresh = `
schemaVersion: 1
name: fresh
rules: [{ id: no-x, when: tool == "x", effect: WARN }]
`;
  t.match((await simulate(app, { document: fresh })).result, { changed: 2, stricter: 2 });
  t.ok(key);
});

t.test('requests that cannot be tried are refused', async (t) => {
  const { app, key } = await withPayments(t);
  const missing = '00000000-0000-7000-8000-000000000000';
  for (const [body, status, message] of [
    [{ document: 'name: [' }, 400, /does not check|line/],
    [{ params: {} }, 400, /belongs to a document/],
    [{ document: limit(1), policyId: missing }, 404, /no policy/],
    [{ bindings: [{ policyId: missing }] }, 404, /no policy/],
    [{ lists: { none: [] } }, 404, /no list none/],
    [{ filter: { sessionId: missing } }, 404, /evaluation session/],
    [{ filter: { integrationId: missing } }, 404, /no integration/],
    [{ document: limit(1), params: { most: 1 } }, 400, /params/],
    [{ unknown: 1 }, 400, /not a field/],
  ] as const) {
    const { status: found, refused } = await simulate(app, body);
    t.equal(found, status, JSON.stringify(refused));
    t.match(refused.errors[0].message, message);
  }
  t.equal((await simulate(app, {}, key)).status, 403, 'an agent may not');
});

t.test('one simulation runs at a time, and another one after it', async (t) => {
  const { app } = await withPayments(t);
  const [first, second] = await Promise.all([simulate(app, {}), simulate(app, {})]);
  t.strictSame([first.status, second.status].sort(), [200, 503]);
  t.equal((await simulate(app, {})).status, 200);
});

t.test('a candidate reads how often an action was repeated while no policy asked', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration('REST_API', { contentRetention: 'full' });
  const repeated = (name: string, times: number): string => `
schemaVersion: 1
name: ${name}
rules:
  - { id: repeated, when: session.repeats == ${times}, effect: WARN }
`;
  const asks = await app.policy(id, repeated('asks', 9));
  const session = (await app.call(key, 'POST', '/v1/evaluation-sessions', {})).body.data.id;
  const act = async (input: object) =>
    (await app.call(key, 'POST', '/v1/evaluate', { sessionId: session, input })).body.data.evaluationRunId;
  await act({ tool: 'pay', amount: 1, to: 'a' });
  await act({ tool: 'pay', to: 'a', amount: 1 });
  await app.call(adminKey, 'DELETE', `/v1/integrations/${id}/policies/${asks}`);
  await act({ tool: 'pay', amount: 2, to: 'a' });
  const third = await act({ to: 'a', tool: 'pay', amount: 1 });
  const { differences } = await simulate(app, { document: repeated('candidate', 2) });
  t.strictSame(
    differences.map(({ evaluationRunId, to }) => [evaluationRunId, to?.enforcementAction]),
    [[third, 'WARN']],
  );
});
