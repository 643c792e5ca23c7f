import t from 'tap';
import { eventTypes } from '../../../src/features/events/event-types.ts';
import { managementEvent } from '../../../src/features/events/management-events.ts';
import { adminKey, startApp } from '../../helpers/app.ts';
import { describedRoutes } from '../../helpers/described-routes.ts';
import { rule } from '../../helpers/policies.ts';

/** Operations that change nothing which operators manage, or have no event type of their own. */
const general = [
  'checkPolicy',
  'provePolicy',
  'simulatePolicies',
  'testWebhook',
  'tryPolicy',
  'redeliverDead',
  'redeliverWebhookDelivery',
];

t.test('every management change has an event type of its own, or is one of a few', async (t) => {
  const app = await startApp(t);
  const typeOf = (action: string) => {
    const call = { at: 0, actorKind: 'operator', actorId: '', actorName: '', keyId: null, action } as const;
    const of = { resource: 'x', resourceId: null, method: '', path: '', address: null, requestId: '' };
    const change = { call: { ...call, ...of }, auditId: '', resourceId: null, before: null, after: null };
    return managementEvent(change, () => 'id')?.type ?? null;
  };
  const writes = (await describedRoutes(app)).filter(
    ({ callers, method }) => callers === 'operator' && method !== 'GET',
  );
  const types = writes.map(({ operationId }) => [operationId, typeOf(operationId)] as const);
  t.strictSame(
    types.flatMap(([operation, type]) => (type === 'management.changed' ? [operation] : [])).sort(),
    general.toSorted(),
  );
  for (const [operation, type] of types) if (type) t.ok(eventTypes.includes(type as never), operation);
});

t.test('lists, house policies, entities and triage are told of by type, with what changed', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration('AGENT');
  const policyId = await app.policy(id, rule('true', 'BLOCK', 'params: { most: 1 }'));
  const send = async (method: 'PUT' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) => {
    const response = await app.call(adminKey, method, path, body);
    t.ok(response.status < 300, `${method} ${path} ${response.text}`);
    return response.body.data;
  };
  const list = await send('POST', '/v1/lists', { name: 'internal', kind: 'DOMAINS', entries: ['a.example'] });
  await send('PATCH', `/v1/lists/${list.id}`, { add: ['b.example'] });
  await send('DELETE', `/v1/lists/${list.id}`);
  await send('PUT', `/v1/house-policies/${policyId}`, { params: { most: 2 } });
  await send('DELETE', `/v1/house-policies/${policyId}`);
  const entity = await send('POST', '/v1/entities', { name: 'Ada', kind: 'PERSON' });
  await send('PATCH', `/v1/entities/${entity.id}`, { owner: 'Grace' });
  await send('DELETE', `/v1/entities/${entity.id}`);
  await app.call(key, 'POST', '/v1/evaluate', { input: { tool: 'x' } });
  const [violation] = (await app.call(adminKey, 'GET', '/v1/violations')).body.data;
  await send('POST', `/v1/violations/${violation.id}/acknowledge`);
  await send('POST', `/v1/violations/${violation.id}/resolve`, { type: 'INCIDENT', note: 'done' });

  const types = 'list.*,house-policy.*,entity.*,violation.*';
  const { body } = await app.call(adminKey, 'GET', `/v1/events?after=0&type=${types}`, undefined, {
    accept: 'application/json',
  });
  const events: { type: string; subject: string; data: Record<string, unknown> }[] = body.data.events;
  t.strictSame(
    events.map(({ type }) => type),
    [
      'list.created',
      'list.updated',
      'list.deleted',
      'house-policy.bound',
      'house-policy.unbound',
      'entity.created',
      'entity.updated',
      'entity.deleted',
      'violation.acknowledged',
      'violation.resolved',
    ],
  );
  t.match(events[0], { subject: `lists/${list.id}`, data: { name: 'internal', operation: 'createList' } });
  t.match(events[3], { subject: `house-policies/${policyId}` });
  t.match(events.at(-1), {
    subject: `violations/${violation.id}`,
    data: { integrationId: id, status: 'RESOLVED', changed: ['status', 'outcome', 'note'] },
  });
  t.notMatch(JSON.stringify(events), /b\.example|done|Grace/, 'values are in the audit entries');
});
