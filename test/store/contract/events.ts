import type { Test } from 'tap';
import type { NewEvent, Store } from '../../../src/store/store.ts';
import * as make from '../samples.ts';
import type { Open } from './open.ts';

const { start } = make;

const event = (more: Partial<NewEvent> = {}): NewEvent => ({
  id: make.newId(),
  type: 'session.opened',
  at: start,
  integrationId: null,
  subject: 'evaluation-sessions/x',
  data: '{"text":"\\u0000ü😀"}',
  ...more,
});

/** Writes events by opening sessions with them, one after the other: parallel ones have no order. */
async function write(store: Store, events: readonly NewEvent[]): Promise<void> {
  const integration = await make.createIntegration(store);
  for (const one of events) {
    await store.sessions.create(make.session(integration.id, { startedAt: one.at }), '{}', null, {
      event: one,
    });
  }
}

export function events(t: Test, open: Open): void {
  t.test('events: are kept in order, as they were given, and told of once they are durable', async (t) => {
    const store = await open(t);
    const told: string[] = [];
    store.events.onAppended((appended) => told.push(...appended.map(({ id }) => id)));
    t.strictSame(await store.events.bounds(), { oldest: 1, latest: 0 });
    const given = Array.from({ length: 25 }, (_, place) =>
      event({ at: start + place, subject: `s/${place}` }),
    );
    await write(store, given);
    const all = given.map((one, place) => ({ ...one, sequence: place + 1 }));
    t.strictSame(await store.events.listAfter(0, 100), all);
    t.strictSame(await store.events.listAfter(20, 2), all.slice(20, 22));
    t.strictSame(await store.events.listBefore(null, 2), all.slice(-2).reverse());
    t.strictSame(await store.events.listBefore(3, 9), all.slice(0, 2).reverse());
    t.strictSame(await store.events.bounds(), { oldest: 1, latest: 25 });
    t.strictSame(
      told,
      given.map(({ id }) => id),
    );
  });

  t.test('events: the oldest go by age, then by size, and no place is given twice', async (t) => {
    const store = await open(t);
    const given = Array.from({ length: 10 }, (_, place) =>
      event({ at: start + place, data: JSON.stringify({ filler: 'x'.repeat(10_000) }) }),
    );
    await write(store, given);
    t.equal(await store.events.prune(start, 1e9), false);
    await store.events.prune(start + 4, 1e9);
    t.strictSame(await store.events.bounds(), { oldest: 5, latest: 10 });
    await store.events.prune(0, 35_000);
    t.strictSame(await store.events.bounds(), { oldest: 8, latest: 10 }, 'three of 10 KB fit');
    await store.events.prune(start + 1e9, 1e9);
    t.strictSame(await store.events.bounds(), { oldest: 11, latest: 10 });
    t.strictSame(await store.events.listAfter(0, 9), []);
    await write(store, [event()]);
    t.strictSame(await store.events.bounds(), { oldest: 11, latest: 11 });
  });

  t.test('events: a change that is refused writes none', async (t) => {
    const store = await open(t);
    const integration = await make.createIntegration(store);
    const end = () =>
      store.sessions.end(integration.id, make.newId(), {
        status: 'COMPLETED',
        now: start,
        response: () => '{}',
        event: () => event(),
      });
    t.match(await end(), { kind: 'no_session' });
    t.strictSame(await store.events.bounds(), { oldest: 1, latest: 0 });
  });
}
