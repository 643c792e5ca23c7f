import t from 'tap';
import { adminKey, startApp } from '../../helpers/app.ts';
import { rule } from '../../helpers/policies.ts';

t.test('entities are registered, and show their sessions and violations', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration();
  await app.policy(id, rule('tool == "x"', 'WARN'));
  const entityId = 'aaaaaaaa-0000-4000-8000-000000000000';
  const session = await app.call(key, 'POST', '/v1/evaluation-sessions', { entityId });
  for (let n = 0; n < 2; n++)
    await app.call(key, 'POST', '/v1/evaluate', { sessionId: session.body.data.id, input: { tool: 'x' } });
  const made = await app.call(adminKey, 'POST', '/v1/entities', {
    id: entityId.toUpperCase(),
    name: 'Bot',
    kind: 'AGENT',
    owner: 'ops',
    metadata: { b: 1, a: 'x' },
  });
  t.equal(made.status, 201);
  const at = '2030-01-01T00:00:00.000Z';
  t.match(made.body.data, {
    id: entityId,
    name: 'Bot',
    kind: 'AGENT',
    owner: 'ops',
    createdAt: at,
    sessionCount: 1,
    violationCounts: { NEW: 2, ACKNOWLEDGED: 0, RESOLVED: 0, DISMISSED: 0 },
  });
  const again = await app.call(adminKey, 'POST', '/v1/entities', { id: entityId, name: 'x', kind: 'OTHER' });
  t.match(again, { status: 409, body: { errors: [{ path: '/id' }] } });
  const changed = await app.call(adminKey, 'PATCH', `/v1/entities/${entityId}`, {
    owner: null,
    metadata: {},
  });
  t.match(changed.body.data, { owner: null, metadata: {}, name: 'Bot' });
  t.match((await app.call(adminKey, 'GET', '/v1/entities?kind=AGENT')).body, {
    data: [{ id: entityId, name: 'Bot' }],
    pagination: { total: 1 },
  });
  t.equal((await app.call(adminKey, 'DELETE', `/v1/entities/${entityId}`)).status, 200);
  t.equal((await app.call(adminKey, 'GET', `/v1/entities/${entityId}`)).status, 404);
  const sessions = await app.call(adminKey, 'GET', `/v1/evaluation-sessions?entityId=${entityId}`);
  t.equal(sessions.body.data.length, 1, 'what it did stays');
});
