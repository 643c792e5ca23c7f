import { text } from 'node:stream/consumers';
import t, { type Test } from 'tap';
import { openEventStream } from '../../../src/features/events/routes.ts';
import { isPostgres } from '../../../src/store/address.ts';
import { adminKey, startApp, type TestApp } from '../../helpers/app.ts';
import { openBeside } from '../../helpers/database-beside.ts';
import { readStream } from '../../helpers/event-stream.ts';
import { rule } from '../../helpers/policies.ts';
import { heldIntegration } from '../../helpers/reviews.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read what was sent the way clients do
type Read = Record<string, any>;
const json = { accept: 'application/json' };

async function recorded(app: TestApp, query = '?after=0&size=200', key = adminKey) {
  const { status, body, text } = await app.call(key, 'GET', `/v1/events${query}`, undefined, json);
  if (status !== 200) throw new Error(text);
  return body.data as { events: Read[]; lastEventId: string };
}
const typesOf = (page: { events: Read[] }) => page.events.map(({ type }) => type);

async function listen(t: Test, env: Record<string, string> = {}) {
  const app = await startApp(t, env);
  const url = await app.http.listen({ port: 0, host: '127.0.0.1' });
  return { app, url: `${url}/v1/events` };
}

const keyWith = async (app: TestApp, role: string) => {
  const made = await app.call(adminKey, 'POST', '/v1/operators', { name: role, roles: [role] });
  const key = await app.call(adminKey, 'POST', '/v1/operator-keys', { operatorId: made.body.data.id });
  return { operatorId: made.body.data.id as string, ...key.body.data } as {
    key: string;
    id: string;
    operatorId: string;
  };
};

/** Writes events with this data to the log, besides the service. */
async function fillLog(t: Test, app: TestApp, count: number, data: string): Promise<void> {
  const beside = await openBeside(t, app.database);
  const [columns, values] = isPostgres(app.database)
    ? ['id, writer', 'gen_random_uuid(), gen_random_uuid()']
    : ['uid, total_bytes', 'place, 0'];
  await beside.exec(`INSERT INTO events (${columns}, type, at, subject, data)
    WITH RECURSIVE places(place) AS (SELECT 1 UNION ALL SELECT place + 1 FROM places WHERE place < ${count})
    SELECT ${values}, 'policy.created', 0, 's', '${data}' FROM places`);
}

t.test('everything that changes is told of once, in order, as CloudEvents without content', async (t) => {
  const app = await startApp(t, { ASSIZE_PUBLIC_URL: 'https://assize.example.com' });
  const held = await heldIntegration(app);
  await app.policy(held.id, rule('tool == "warn"', 'WARN').replace('one-rule', 'warn'));
  await app.policy(held.id, rule('tool == "block"', 'BLOCK').replace('one-rule', 'block'));
  const secret = 'content-that-must-not-appear';
  await held.evaluate({ input: { tool: 'fine', secret }, targetKey: secret });
  await held.evaluate({ input: { tool: 'warn', secret }, targetKey: secret });
  await held.evaluate({ input: { tool: 'block', secret }, targetKey: secret });
  const reviewId = await held.review({ input: { tool: 'pay', secret } });
  await held.decide(reviewId, 'approve', { comment: 'fine' });
  await held.evaluate({ input: { tool: 'pay', secret }, reviewRequestId: reviewId });
  await app.call(held.key, 'POST', `/v1/evaluation-sessions/${held.sessionId}/end`);

  const page = await recorded(app);
  // biome-ignore format: short texts read better in rows
  t.strictSame(typesOf(page), [
    'integration.created', 'policy.created', 'policy.bound', 'session.opened', 'policy.created',
    'policy.bound', 'policy.created', 'policy.bound', 'evaluation.warned', 'evaluation.blocked',
    'evaluation.held', 'review.opened', 'review.approved', 'review.consumed', 'session.ended',
  ]);
  t.notMatch(JSON.stringify(page), new RegExp(secret));
  t.strictSame(
    page.events.map(({ sequence }) => Number(sequence)),
    page.events.map((_, place) => place + 1),
  );
  t.equal(new Set(page.events.map(({ id }) => id)).size, page.events.length);
  const blocked = page.events.find(({ type }) => type === 'evaluation.blocked');
  t.match(blocked, {
    specversion: '1.0',
    source: 'https://assize.example.com',
    subject: /^evaluations\//,
    time: '2030-01-01T00:00:00.000Z',
    datacontenttype: 'application/json',
    data: {
      integrationId: held.id,
      integrationName: 'test AGENT',
      sessionId: held.sessionId,
      tool: 'block',
      enforcementAction: 'BLOCK',
      violationCount: 1,
    },
  });
  t.match(page.events.find(({ type }) => type === 'review.approved')?.data, {
    reviewRequestId: reviewId,
    actor: { kind: 'operator', name: 'owner' },
    tool: 'pay',
  });
  t.match(page.events[0]?.data, {
    operation: 'createIntegration',
    actor: { name: 'owner' },
    name: 'test AGENT',
  });
});

t.test(
  'an allowed action writes no event, and neither does what is refused or changes nothing',
  async (t) => {
    const app = await startApp(t);
    const held = await heldIntegration(app);
    const before = (await recorded(app)).lastEventId;
    await held.evaluate({ input: { tool: 'fine' } });
    await app.call(held.key, 'POST', '/v1/policies', {});
    await app.call(adminKey, 'POST', '/v1/operators', { name: '' });
    await app.call(adminKey, 'GET', '/v1/operators');
    t.equal((await recorded(app)).lastEventId, before);
  },
);

t.test('pages: the last ones, or those after a place; by type and by integration', async (t) => {
  const app = await startApp(t);
  const [one, other] = [await heldIntegration(app), await heldIntegration(app)];
  for (let count = 0; count < 5; count++) await one.evaluate({ input: { tool: 'pay', count } });
  await other.review();
  const all = await recorded(app);
  t.strictSame((await recorded(app, '?size=3')).events, all.events.slice(-3));
  const held = await recorded(app, `?after=0&type=evaluation.*&integrationId=${one.id}&size=2`);
  t.strictSame(typesOf(held), ['evaluation.held', 'evaluation.held']);
  const next = await recorded(app, `?after=${held.lastEventId}&type=evaluation.*&integrationId=${one.id}`);
  t.equal(next.events.length, 3);
  t.equal(next.lastEventId, all.lastEventId, 'reading on begins after what the filter passed over');
  t.strictSame((await recorded(app, '?type=evaluation.warned')).events, []);
  t.strictSame(
    typesOf(await recorded(app, `?type=review.opened,%20session.*&integrationId=${other.id.toUpperCase()}`)),
    ['session.opened', 'review.opened'],
  );
  for (const [query, path, message] of [
    ['?type=evaluation', '/type', /^must be types separated by commas: evaluation.warned, /],
    ['?type=nothing.*', '/type', /^must be types/],
    ['?after=999', '/after', /^there is no such event: the latest is 0000/],
  ] as const) {
    const { status, body } = await app.call(adminKey, 'GET', `/v1/events${query}`, undefined, json);
    t.equal(status, 400, query);
    t.match(body.errors, [{ code: 'invalid', path, message }]);
  }
});

t.test('a stream tells at once what happens, and goes on after the last id that was read', async (t) => {
  const { app, url } = await listen(t);
  const held = await heldIntegration(app);
  const stream = await readStream(t, `${url}?type=evaluation.*`, adminKey);
  t.match(stream.response.headers, { 'content-type': /^text\/event-stream/, 'cache-control': 'no-store' });
  await held.review();
  const [first] = await stream.take(1);
  t.match(first?.data, { type: 'evaluation.held', data: { integrationId: held.id } });
  t.equal(first?.id, first?.data.sequence);
  stream.close();
  for (let count = 0; count < 300; count++) await held.evaluate({ input: { tool: 'pay', count } });
  const resumed = await readStream(t, `${url}?type=evaluation.*&after=0`, adminKey, {
    'last-event-id': String(first?.id),
  });
  const missed = await resumed.take(300);
  const expected = (await recorded(app, `?after=${first?.id}&type=evaluation.*&size=200`)).events;
  t.strictSame(
    missed.slice(0, 200).map(({ data }) => data),
    expected,
  );
  t.equal(new Set(missed.map(({ data }) => data.id)).size, 300, 'each once');
  for (const id of ['x', '-1', '1.5', '12345678901234567']) {
    const { status, body } = await app.call(adminKey, 'GET', '/v1/events', undefined, {
      'last-event-id': id,
    });
    t.equal(status, 400, id);
    t.match(body.errors, [{ path: '/Last-Event-ID' }]);
  }
});

t.test('another process on the same database is heard within two seconds', async (t) => {
  const { app, url } = await listen(t);
  const held = await heldIntegration(app);
  const other = await startApp(t, {}, { database: app.database, clock: app.clock });
  const stream = await readStream(t, `${url}?type=evaluation.held`, adminKey);
  await other.call(held.key, 'POST', '/v1/evaluate', { sessionId: held.sessionId, input: { tool: 'pay' } });
  t.match((await stream.take(1))[0]?.data, { type: 'evaluation.held' });
});

t.test('a role sees the events that it may read otherwise, and no other', async (t) => {
  const app = await startApp(t);
  const held = await heldIntegration(app);
  await held.review();
  const { key } = await keyWith(app, 'READ_ONLY');
  const seen = typesOf(await recorded(app, '?after=0', key));
  t.ok(seen.includes('review.opened') && seen.includes('policy.created'));
  t.notOk(
    seen.some((type) => /^(?:operator|key|management)/.test(type)),
    'nothing of operators and keys',
  );
  const auditor = await keyWith(app, 'AUDITOR');
  t.ok(typesOf(await recorded(app, '?after=0', auditor.key)).includes('operator.created'));
  t.equal((await app.call(held.key, 'GET', '/v1/events')).status, 403, 'an integration has no events');
  t.equal((await app.call(null, 'GET', '/v1/events')).status, 401);
});

t.test('a stream ends, and says why, when its key is revoked or its roles change', async (t) => {
  const { app, url } = await listen(t);
  const revoked = await keyWith(app, 'AUDITOR');
  const changed = await keyWith(app, 'REVIEWER');
  const streams = [await readStream(t, url, revoked.key), await readStream(t, url, changed.key)];
  await app.call(adminKey, 'POST', `/v1/operator-keys/${revoked.id}/revoke`);
  await app.call(adminKey, 'PATCH', `/v1/operators/${changed.operatorId}`, { roles: ['READ_ONLY'] });
  for (const stream of streams) {
    await stream.ended();
    t.match(stream.messages.at(-1), { event: 'end', data: { reason: /^what the key may read has changed/ } });
  }
});

t.test('a reader that takes nothing holds up nobody', async (t) => {
  const { app, url } = await listen(t);
  await fillLog(t, app, 400, JSON.stringify({ filler: 'x'.repeat(100_000) }));
  const slow = await readStream(t, `${url}?after=0`, adminKey);
  slow.response.pause();
  const quick = await readStream(t, `${url}?after=0`, adminKey);
  t.equal((await quick.take(400)).length, 400, 'who reads gets everything meanwhile');
  t.ok(slow.messages.length < 400);
});

t.test('a reader that is too slow is told why, and what is held for it is bounded', async (t) => {
  const stream = openEventStream({ bufferBytes: 1_000, stallMs: 20, heartbeatMs: 15_000 });
  let sent = 0;
  while (!stream.signal.aborted) {
    await stream.send({ id: `${sent}`, data: { filler: 'x'.repeat(400) } });
    sent += 1;
  }
  t.ok(stream.body.writableLength + stream.body.readableLength < 4_000, `${sent} messages were held`);
  t.match(
    await text(stream.body),
    /event: end\ndata: \{"reason":"too slow: resume with Last-Event-ID"\}\n\n$/,
  );
});

t.test('what was deleted before it was read is told of as a gap', async (t) => {
  const { app, url } = await listen(t, { ASSIZE_EVENTS_DAYS: '1' });
  const held = await heldIntegration(app);
  app.clock.advance(12 * 3_600_000);
  await held.review();
  app.clock.advance(12 * 3_600_000 + 1);
  await app.services.eventRetention.sweep();
  const stream = await readStream(t, `${url}?after=1`, adminKey);
  const [gap, first] = await stream.take(2);
  t.match(gap, { event: 'gap', data: { after: '0000000000000001' } });
  t.match(first?.data, { type: 'evaluation.held', sequence: gap?.data.oldest });
});

t.test('the log keeps within its size', async (t) => {
  const app = await startApp(t, { ASSIZE_EVENTS_MB: '1' });
  const held = await heldIntegration(app);
  for (let batch = 0; batch < 50; batch++) {
    const counts = Array.from({ length: 50 }, (_, count) => batch * 50 + count);
    await Promise.all(counts.map((count) => held.evaluate({ input: { tool: 'pay', count } })));
  }
  await app.services.eventRetention.sweep();
  const { oldest, latest } = await app.store.events.bounds();
  t.ok(latest > 5_000, `${latest} events`);
  const beside = await openBeside(t, app.database);
  const [sum] = await beside.rows('SELECT sum(length(data)) AS bytes FROM events');
  const bytes = Number(sum?.bytes);
  t.ok(bytes > 500_000 && bytes < 1_048_576, `${bytes} bytes in ${latest - oldest + 1} events`);
});

t.test('a stop ends the streams', async (t) => {
  const { app, url } = await listen(t);
  const stream = await readStream(t, url, adminKey);
  await app.http.close();
  await stream.ended();
  t.match(stream.messages.at(-1), { event: 'end', data: { reason: /stopping/ } });
});

t.test(
  'a stream tells that evaluations were recorded, allowed ones included, when it is asked to',
  async (t) => {
    const { app, url } = await listen(t);
    const held = await heldIntegration(app);
    const first = await held.evaluate({ input: { tool: 'fine' } });
    const asking = await readStream(t, `${url}?recorded=true`, adminKey);
    const silent = await readStream(t, url, adminKey);
    const [now] = await asking.take(1);
    t.match(now, {
      event: 'recorded',
      id: undefined,
      data: { evaluationRunId: first.evaluationRunId },
    });
    const next = await held.evaluate({ input: { tool: 'fine' } });
    const [, told] = await asking.take(2);
    t.match(told, { event: 'recorded', data: { evaluationRunId: next.evaluationRunId } });
    t.notOk(silent.messages.some(({ event }) => event === 'recorded'));
  },
);

t.test('#36: one operator cannot hold all places for streams', async (t) => {
  const { app, url } = await listen(t, { ASSIZE_MAX_WAITING: '8' });
  const { key: reader } = await keyWith(app, 'READ_ONLY');
  const open = (key: string) => readStream(t, url, key);
  const held = [await open(reader), await open(reader)];
  const refused = await open(reader);
  t.equal(refused.response.statusCode, 429);
  t.equal(refused.response.headers['retry-after'], '5');
  t.equal((await open(adminKey)).response.statusCode, 200, 'another operator has its own share');
  held[0]?.close();
  for (;;) {
    const again = await open(reader);
    if (again.response.statusCode === 200) break;
    again.close();
  }
});
