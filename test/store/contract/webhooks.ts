import type { Test } from 'tap';
import type { DueDelivery, NewWebhook, Store } from '../../../src/store/store.ts';
import * as make from '../samples.ts';
import { missing, type Open, page } from './open.ts';

const { start } = make;
const all = () => true;
const places = (count: number) => () => count;

const webhook = (more: Partial<NewWebhook> = {}): NewWebhook => ({
  id: make.newId(),
  name: 'w',
  format: 'EVENTS',
  destination: '{"url":"https://x.example/"}',
  secret: 'sealed',
  types: ['*'],
  integrationIds: [],
  minSeverity: null,
  createdAt: start,
  ...more,
});
const create = async (store: Store, more: Partial<NewWebhook> = {}) => {
  const created = await store.webhooks.create(webhook(more), 100);
  if (!created) throw new Error('there is room for it');
  return created;
};

/** Writes so many events, by opening sessions with them; returns their ids. */
async function writeEvents(store: Store, count: number): Promise<string[]> {
  const { id } = await make.createIntegration(store);
  const events = Array.from({ length: count }, (_, place) => ({
    id: make.newId(),
    type: 'session.opened',
    at: start + place,
    integrationId: id,
    subject: `s/${place}`,
    data: '{}',
  }));
  for (const event of events) await store.sessions.create(make.session(id), '{}', null, { event });
  return events.map((event) => event.id);
}
async function fanOut(store: Store, now = start, matches: Parameters<Store['webhooks']['fanOut']>[1] = all) {
  while (await store.webhooks.fanOut(now, matches, make.newId));
}

export function webhooks(t: Test, open: Open): void {
  t.test('webhooks: figures count the deliveries that wait', async (t) => {
    const store = await open(t);
    await create(store);
    await writeEvents(store, 3);
    t.match(await store.figures(start), { deliveriesWaiting: 0 });
    await fanOut(store);
    const [due] = await store.webhooks.claimDue(start, start + 1, places(1));
    await store.webhooks.recordDelivered(due?.id ?? '', start, 200);
    t.match(await store.figures(start), { deliveriesWaiting: 2 });
  });

  t.test(
    'webhooks: are kept as they were given, changed in part, and no more than there may be',
    async (t) => {
      const store = await open(t);
      const given = webhook({ types: ['review.*'], integrationIds: [missing], minSeverity: 'HIGH' });
      const stored = {
        ...given,
        status: 'ACTIVE' as const,
        previousSecret: null,
        previousSecretUntil: null,
        updatedAt: start,
      };
      t.strictSame(await store.webhooks.create(given, 2), stored);
      t.strictSame(await store.webhooks.find(given.id.toUpperCase()), stored);
      const other = await create(store, { secret: null, format: 'EMAIL' });
      t.equal(await store.webhooks.create(webhook(), 2), null);
      t.strictSame((await store.webhooks.list(page)).items, [other, stored], 'newest first');

      const changed = { ...stored, name: 'n', status: 'DISABLED' as const, updatedAt: start + 1 };
      t.strictSame(
        await store.webhooks.change(given.id, { name: 'n', status: 'DISABLED' }, start + 1),
        changed,
      );
      t.strictSame(await store.webhooks.rotateSecret(given.id, 'new', start + 9, start + 2), {
        ...changed,
        secret: 'new',
        previousSecret: 'sealed',
        previousSecretUntil: start + 9,
        updatedAt: start + 2,
      });
      t.equal(await store.webhooks.rotateSecret(other.id, 'new', start, start), null, 'it is not signed');
      await store.webhooks.reseal(({ id }) =>
        id === other.id ? { destination: 'again', secret: null, previousSecret: null } : null,
      );
      t.match(await store.webhooks.find(other.id), { destination: 'again' });
      t.match(await store.webhooks.find(given.id), { destination: stored.destination, secret: 'new' });
      t.match(await store.webhooks.delete(given.id), { id: given.id });
      for (const gone of [
        store.webhooks.find(given.id),
        store.webhooks.delete(given.id),
        store.webhooks.change(given.id, {}, start),
        store.webhooks.rotateSecret(given.id, 'x', start, start),
        store.webhooks.redeliverDead(given.id, start),
        store.webhooks.redeliver(given.id, start),
      ])
        t.equal(await gone, null);
    },
  );

  t.test(
    'outbox: each event becomes one delivery of each webhook that wants it, from its creation on',
    async (t) => {
      const store = await open(t);
      const before = await writeEvents(store, 2);
      const [first, second] = [await create(store), await create(store, { types: ['review.*'] })];
      const events = await writeEvents(store, 3);
      await Promise.all([fanOut(store), fanOut(store), fanOut(store)]);
      const late = await create(store);
      const deliveries = (await store.webhooks.listDeliveries({}, page)).items;
      const of = (id: string) =>
        deliveries.flatMap((one) => (one.webhookId === id ? [one.event.id] : [])).reverse();
      t.strictSame(of(first.id), events, 'not those before it');
      t.notOk(before.some((id) => of(first.id).includes(id)));
      t.strictSame(of(second.id), events, 'the function decides what matches');
      t.strictSame(of(late.id), []);
      const [more] = await writeEvents(store, 1);
      await fanOut(store, start, ({ types }, { type }) => types.includes(type) || types[0] === '*');
      t.strictSame(
        (await store.webhooks.listDeliveries({ webhookId: second.id }, page)).total,
        3,
        'what it does not want is no delivery',
      );
      t.match((await store.webhooks.listDeliveries({ webhookId: late.id }, page)).items, [
        { event: { id: more }, status: 'PENDING', attemptCount: 0, nextAttemptAt: start },
      ]);
    },
  );

  t.test(
    'deliveries: are claimed once, by places of each webhook, and come back when nothing is heard',
    async (t) => {
      const store = await open(t);
      const [one, other] = [await create(store), await create(store)];
      const events = await writeEvents(store, 3);
      await fanOut(store);
      t.equal(await store.webhooks.findNextAttemptAt(), start);
      t.strictSame(await store.webhooks.claimDue(start - 1, start, places(9)), [], 'not due');
      const claims = await Promise.all(
        [1, 2, 3].map(() => store.webhooks.claimDue(start, start + 60, places(1))),
      );
      const ids = new Set(claims.flat().map(({ id }) => id));
      t.equal(ids.size, 6, 'nobody has what another one claimed');
      t.strictSame(await store.webhooks.claimDue(start + 59, start + 120, places(9)), []);
      const claimed: DueDelivery[] = [];
      for (const _ of events) {
        claimed.push(...(await store.webhooks.claimDue(start + 60, start + 120, places(1))));
      }
      t.equal(claimed.length, 6, 'nothing was heard');
      t.strictSame(
        claimed.flatMap(({ webhook, event }) => (webhook.id === one.id ? [event.id] : [])),
        events,
        'the longest waiting first',
      );
      const [delivery] = claimed;
      if (!delivery) throw new Error('there is one');
      await store.webhooks.release(delivery.id, start + 61);
      t.match(await store.webhooks.claimDue(start + 61, start + 120, places(9)), [
        { id: delivery.id, attemptCount: 0, event: delivery.event },
      ]);
      await store.webhooks.change(other.id, { status: 'DISABLED' }, start);
      const due = await store.webhooks.claimDue(start + 500, start + 600, places(9));
      t.ok(due.length === 3 && due.every(({ webhook }) => webhook.id === one.id), 'a disabled one waits');
    },
  );

  t.test('deliveries: end delivered or dead, and dead ones start anew with the same event', async (t) => {
    const store = await open(t);
    const { id: webhookId } = await create(store);
    const [event] = await writeEvents(store, 2);
    await fanOut(store);
    const [first, second] = await store.webhooks.claimDue(start, start + 60, places(9));
    if (!first || !second) throw new Error('there are two');
    const failed = { at: start + 1, statusCode: 500, error: 'HTTP 500', nextAttemptAt: start + 5 };
    await store.webhooks.recordFailed(first.id, failed);
    t.match((await store.webhooks.listDeliveries({ status: 'PENDING' }, page)).items, [
      { id: second.id },
      { id: first.id, attemptCount: 1, nextAttemptAt: start + 5, lastStatusCode: 500, lastError: 'HTTP 500' },
    ]);
    t.equal(await store.webhooks.redeliver(first.id, start), 'pending');
    await store.webhooks.recordFailed(first.id, { ...failed, statusCode: null, nextAttemptAt: null });
    await store.webhooks.recordDelivered(second.id, start + 3, 204);
    t.equal(await store.webhooks.findNextAttemptAt(), null, 'none waits');
    t.match((await store.webhooks.listDeliveries({ webhookId, status: 'DEAD' }, page)).items, [
      { id: first.id, attemptCount: 2, nextAttemptAt: null, lastStatusCode: null },
    ]);
    t.match((await store.webhooks.listDeliveries({ status: 'DELIVERED' }, page)).items, [
      { id: second.id, deliveredAt: start + 3, lastStatusCode: 204, lastError: null },
    ]);
    t.equal(await store.webhooks.redeliverDead(webhookId, start + 9), 1);
    t.match(await store.webhooks.claimDue(start + 9, start + 60, places(9)), [
      { id: first.id, attemptCount: 0, event: { id: event } },
    ]);
    t.match(await store.webhooks.redeliver(second.id, start + 9), { status: 'PENDING', deliveredAt: null });
    await store.webhooks.delete(webhookId);
    t.equal((await store.webhooks.listDeliveries({}, page)).total, 0, 'they go with their webhook');
  });

  t.test('outbox: an event that waits for a delivery is not deleted, however old', async (t) => {
    const store = await open(t);
    await create(store);
    await writeEvents(store, 4);
    await fanOut(store);
    const claimed = await store.webhooks.claimDue(start, start + 60, places(2));
    for (const { id } of claimed) await store.webhooks.recordDelivered(id, start, 200);
    while (await store.events.prune(start + 1_000_000, 0));
    t.strictSame(await store.events.bounds(), { oldest: 3, latest: 4 });
    t.equal(
      (await store.webhooks.listDeliveries({ status: 'DELIVERED' }, page)).total,
      0,
      'gone with theirs',
    );
    t.equal((await store.webhooks.claimDue(start, start + 60, places(9))).length, 2);
  });
}
