// also on PostgreSQL

import { randomUUID } from 'node:crypto';
import Database from 'better-sqlite3';
import t from 'tap';
import { changedOrRefused } from '../../../src/features/audit/words.ts';
import { adminKey, sqliteOnly, startApp, type TestApp } from '../../helpers/app.ts';
import { breakTable, openBeside } from '../../helpers/database-beside.ts';
import { rule } from '../../helpers/policies.ts';
import { heldIntegration } from '../../helpers/reviews.ts';
import { until } from '../../helpers/until.ts';

const url = '/v1/audit';
const yaml = { 'content-type': 'application/yaml' };

/** What was recorded before this is asked, newest first. */
async function entries(app: TestApp, query = '') {
  // Reads are recorded after they were answered, and before whatever is written later.
  await app.store.ping();
  return (await app.call(adminKey, 'GET', `${url}?${query}`)).body.data;
}

t.test('a change says who did what to which resource, when and from where, before and after', async (t) => {
  const app = await startApp(t, { ASSIZE_TRUST_PROXY: 'true' });
  const { body } = await app.call(adminKey, 'POST', '/v1/policies', rule('true', 'WARN'), yaml);
  const { id } = body.data;
  app.clock.advance(1_000);
  const headers = { 'x-forwarded-for': '203.0.113.7', 'x-request-id': 'mine' };
  await app.call(adminKey, 'POST', `/v1/policies/${id.toUpperCase()}/activate?`, undefined, headers);
  const me = (await app.call(adminKey, 'GET', '/v1/operators/me')).body.data;
  const [activated, created] = await entries(app, 'resource=policies');
  t.match(created, {
    action: 'createPolicy',
    resourceId: id,
    statusCode: 201,
    before: null,
    after: { status: 'DRAFT' },
  });
  const { id: entryId, ...entry } = activated;
  t.strictSame(entry, {
    at: '2030-01-01T00:00:01.000Z',
    actor: { kind: 'operator', id: me.id, name: 'owner', keyId: me.keyId },
    action: 'activatePolicy',
    resource: 'policies',
    resourceId: id,
    outcome: 'SUCCEEDED',
    statusCode: 200,
    message: null,
    method: 'POST',
    path: `/v1/policies/${id.toUpperCase()}/activate`,
    address: '203.0.113.7',
    requestId: 'mine',
    before: created.after,
    after: { ...created.after, status: 'ACTIVE', updatedAt: '2030-01-01T00:00:01.000Z' },
  });
  t.strictSame((await app.call(adminKey, 'GET', `${url}/${entryId}`)).body.data, activated);
});

t.test('without reads, changes and refused calls are left', async (t) => {
  const app = await startApp(t);
  await app.call(adminKey, 'POST', '/v1/policies/check', rule('true', 'WARN'), yaml);
  await app.call(adminKey, 'POST', '/v1/policies', rule('true', 'WARN'), yaml);
  await app.call(adminKey, 'GET', '/v1/policies');
  await app.call(adminKey, 'GET', `/v1/policies/${randomUUID()}`);
  const actionsOf = async (query: string) =>
    (await entries(app, query)).map(({ action, outcome }: Record<string, string>) => `${action} ${outcome}`);
  t.strictSame(await actionsOf('reads=false'), ['readPolicy REFUSED', 'createPolicy SUCCEEDED']);
  t.ok((await actionsOf('reads=true')).includes('checkPolicy SUCCEEDED'));
});

t.test('a decision on a review is recorded once, with whoever decided', async (t) => {
  const app = await startApp(t);
  const held = await heldIntegration(app);
  const review = await held.review({ callbackUrl: 'https://example.com/x' });
  await held.decide(review, 'approve', { comment: 'fine' });
  await held.decide(review, 'reject');
  const recorded = await entries(app, `resource=reviews&resourceId=${review}`);
  t.match(recorded, [
    {
      action: 'rejectReview',
      outcome: 'REFUSED',
      statusCode: 409,
      message: /^the review is APPROVED: owner decided at 2030/,
      after: null,
    },
    {
      action: 'approveReview',
      outcome: 'SUCCEEDED',
      before: { status: 'PENDING' },
      after: { comment: 'fine' },
    },
  ]);
  t.equal(recorded.length, 2);
});

t.test('refused calls are recorded, of every kind', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration();
  const made = await app.call(adminKey, 'POST', '/v1/operators', { name: 'Ada', roles: ['READ_ONLY'] });
  const reader = await app.call(adminKey, 'POST', '/v1/operator-keys', { operatorId: made.body.data.id });
  const missing = '/v1/policies/00000000-0000-4000-8000-000000000000';
  for (const [by, method, path, status, message] of [
    [reader.body.data.key, 'POST', '/v1/policies', 403, /needs the permission policies:write/],
    [reader.body.data.key, 'GET', url, 403, /needs the permission audit:read/],
    [adminKey, 'POST', '/v1/evaluate', 403, /needs the key of an integration/],
    [adminKey, 'GET', missing, 404, /there is no policy/],
    [adminKey, 'POST', '/v1/operators', 400, /must be object/],
    [key, 'DELETE', `/v1/integrations/${id}`, 403, /needs an operator key/],
  ] as const) {
    t.equal((await app.call(by, method, path)).status, status, path);
    const [entry] = (await app.call(adminKey, 'GET', `${url}?outcome=REFUSED&size=1`)).body.data;
    t.match(entry, { method, path, statusCode: status, message, before: null, after: null }, path);
  }
  const [latest] = await entries(app, 'outcome=REFUSED');
  t.match(latest.actor, { kind: 'integration', id, name: 'test AGENT', keyId: null });
  const count = (await entries(app)).length;
  await app.call(key, 'POST', '/v1/evaluate', { input: {} });
  await app.call(key, 'GET', '/v1/reviews');
  await app.call(null, 'GET', '/v1/policies');
  t.equal(
    (await entries(app)).length,
    count,
    "an integration's own calls, and nobody's, are none of management",
  );
});

t.test(
  'lists without reads are read from indexes that have none',
  sqliteOnly('plans of PostgreSQL follow the number of rows'),
  async (t) => {
    const { database } = await startApp(t);
    const client = new Database(database, { readonly: true });
    t.teardown(() => client.close());
    for (const column of ['at', 'actor_id', 'action', 'resource', 'outcome']) {
      const plan = client
        .prepare(
          `EXPLAIN QUERY PLAN SELECT id FROM audit_entries WHERE ${column} = ? AND ${changedOrRefused} ORDER BY at DESC, id DESC`,
        )
        .all('x') as { detail: string }[];
      t.match(plan, [{ detail: /INDEX audit_changes_by_/ }], column);
    }
  },
);

t.test('reads are recorded for each key, but not each look of one that looks again and again', async (t) => {
  const app = await startApp(t);
  const reads = async () => (await entries(app, 'action=listPolicies')).length;
  await app.call(adminKey, 'GET', '/v1/policies?page=1');
  app.clock.advance(59_999);
  await app.call(adminKey, 'GET', '/v1/policies?page=2');
  await until(reads, (count) => count === 1);
  app.clock.advance(1);
  await app.call(adminKey, 'GET', '/v1/policies');
  await until(reads, (count) => count === 2);
  const other = await app.call(adminKey, 'POST', '/v1/operator-keys');
  await app.call(other.body.data.key, 'GET', '/v1/policies');
  await until(reads, (count) => count === 3);
});

t.test('a caller that is refused again and again cannot fill the disk', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration();
  const refusals = async () =>
    (await app.call(adminKey, 'GET', `${url}?outcome=REFUSED`)).body.pagination.total;
  for (let count = 0; count < 15; count++) await app.call(key, 'GET', '/v1/policies');
  t.equal(await refusals(), 10);
  app.clock.advance(60_000);
  await app.call(key, 'GET', '/v1/policies');
  t.equal(await refusals(), 11);
  for (let count = 0; count < 605; count++) await app.call(adminKey, 'GET', '/v1/policies/x');
  t.equal(await refusals(), 611);
});

t.test('no secret is recorded', async (t) => {
  const app = await startApp(t);
  const { id, key, webhookSecret } = await app.integration();
  const secrets = [adminKey, key, webhookSecret];
  const regenerated = await app.call(adminKey, 'POST', `/v1/integrations/${id}/regenerate-key`);
  secrets.push(regenerated.body.data.apiKey);
  const secret = await app.call(adminKey, 'POST', `/v1/integrations/${id}/regenerate-webhook-secret`);
  secrets.push(secret.body.data.webhookSecret);
  secrets.push((await app.call(adminKey, 'POST', '/v1/operator-keys')).body.data.key);
  await app.call(adminKey, 'GET', `/v1/policies?key=${key}`);
  await app.call(adminKey, 'GET', `/v1/policies/${key}`);
  const [misplaced] = await entries(app, 'action=readPolicy');
  t.match(misplaced, { statusCode: 400, path: '/v1/policies/:id', resourceId: null });
  const { text } = await app.call(adminKey, 'GET', `${url}/export`);
  t.match(text, /regenerateWebhookSecret/);
  for (const one of secrets) t.notMatch(text, one);
});

t.test('an export has every entry, one a line, oldest first', async (t) => {
  const app = await startApp(t);
  for (let count = 0; count < 450; count++) {
    await app.call(adminKey, 'POST', '/v1/operators', { name: `n${count}`, roles: ['AUDITOR'] });
  }
  const { status, headers, text } = await app.call(adminKey, 'GET', `${url}/export?action=createOperator`);
  t.equal(status, 200);
  t.equal(headers['content-type'], 'application/x-ndjson');
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  t.strictSame(
    lines.map(({ after }) => after.name),
    Array.from({ length: 450 }, (_, place) => `n${place}`),
  );
  t.strictSame(lines.at(-1), (await app.call(adminKey, 'GET', `${url}?action=createOperator`)).body.data[0]);
  const none = await app.call(adminKey, 'GET', `${url}/export?actorId=${randomUUID()}`);
  t.strictSame([none.status, none.text], [200, '']);
});

t.test('a page that names the entry before it is not moved by new entries', async (t) => {
  const app = await startApp(t);
  for (const name of ['a', 'b', 'c'])
    await app.call(adminKey, 'POST', '/v1/operators', { name, roles: ['AUDITOR'] });
  const page = async (before = '') =>
    (await app.call(adminKey, 'GET', `${url}?action=createOperator&size=1${before}`)).body.data[0];
  const newest = await page();
  await app.call(adminKey, 'POST', '/v1/operators', { name: 'd', roles: ['AUDITOR'] });
  t.equal(newest.after.name, 'c');
  t.equal((await page(`&before=${newest.id}`)).after.name, 'b');
});

t.test('a change whose entry cannot be kept is not made', async (t) => {
  const app = await startApp(t);
  await breakTable(t, app.database, 'audit_entries');
  const refused = await app.call(adminKey, 'POST', '/v1/policies', rule('true', 'WARN'), yaml);
  t.equal(refused.status, 503);
  const { body, status } = await app.call(adminKey, 'GET', '/v1/policies');
  t.strictSame([status, body.pagination.total], [200, 0], 'and reading goes on');
  await app.store.ping();
  t.match(app.log.join(''), /background work failed/);
});

t.test('entries are never changed and never deleted', async (t) => {
  const app = await startApp(t);
  await app.integration();
  const beside = await openBeside(t, app.database);
  for (const change of ["UPDATE audit_entries SET actor_name = 'x'", 'DELETE FROM audit_entries'])
    await t.rejects(beside.exec(change), /audit[ _]entries are permanent/);
});
