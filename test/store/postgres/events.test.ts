import { sql } from 'drizzle-orm';
import t, { type Test } from 'tap';
import { createEventStore } from '../../../src/features/events/store.ts';
import { createPostgresSql } from '../../../src/sql/postgres/sql.ts';
import { openPostgres } from '../../../src/store/postgres/database.ts';
import { createEventLog } from '../../../src/store/postgres/events.ts';
import { createRevisions } from '../../../src/store/postgres/revisions.ts';
import { createWebhooks } from '../../../src/store/postgres/webhooks.ts';
import type { NewEvent, NewWebhook, StoredEvent } from '../../../src/store/store.ts';
import * as make from '../samples.ts';
import { createDatabase, direct } from './open.ts';

const { start } = make;

const event = (): NewEvent => ({
  id: make.newId(),
  type: 'session.opened',
  at: start,
  integrationId: null,
  subject: 's/x',
  data: '{"text":"ü"}',
});
const webhook = (): NewWebhook => ({
  id: make.newId(),
  name: 'w',
  format: 'EVENTS',
  destination: '{}',
  secret: null,
  types: [],
  integrationIds: [],
  minSeverity: null,
  createdAt: start,
});

/** What a process has of the log. */
async function openReplicas(t: Test, count = 2) {
  const address = await createDatabase(t);
  return Array.from({ length: count }, () => {
    const postgres = { ...openPostgres(direct(address)), salt: '' };
    t.teardown(() => postgres.close());
    const log = createEventLog(postgres);
    const sql = createPostgresSql(postgres, createRevisions(postgres));
    return {
      postgres,
      log,
      store: createEventStore(sql, log.database),
      webhooks: createWebhooks(sql, sql, postgres),
    };
  });
}
type Replica = Awaited<ReturnType<typeof openReplicas>>[number];

const append = ({ postgres, log }: Replica, ...events: NewEvent[]): Promise<void> =>
  postgres.change((tx) => log.append(tx, events));

/** Holds a transaction open that has written an event, until it is told to end. */
async function hold({ postgres, log }: Replica, late: NewEvent) {
  const written = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const ended = postgres.change(async (tx) => {
    await log.append(tx, [late]);
    written.resolve();
    await end.promise;
  });
  await written.promise;
  return async (): Promise<void> => {
    end.resolve();
    await ended;
  };
}

t.test('a reader that goes by numbers misses no event that commits late', async (t) => {
  const [one, other] = (await openReplicas(t)) as [Replica, Replica];
  const [late, early] = [event(), event()];
  const commit = await hold(one, late);
  await append(other, early);
  const first = await other.store.listAfter(0, 10);
  t.match(first, [{ id: early.id, sequence: 1 }], 'what is committed has a number, what is not has none');
  await commit();
  t.match(await other.store.listAfter(1, 10), [{ id: late.id, sequence: 2 }]);
  t.strictSame(await other.store.bounds(), { oldest: 1, latest: 2 });
});

t.test('by the order of writing alone, a reader would miss it', async (t) => {
  const [one, other] = (await openReplicas(t)) as [Replica, Replica];
  const places = (after: number) =>
    other.postgres.read(async (db) => {
      const { rows } = await db.execute<{ place: string }>(
        sql`SELECT place FROM events WHERE place > ${after} ORDER BY place`,
      );
      return rows.map(({ place }) => Number(place));
    });
  const commit = await hold(one, event());
  await append(other, event());
  const seen = await places(0);
  await commit();
  t.strictSame([seen, await places(seen.at(-1) ?? 0)], [[2], []]);
});

t.test('numbers have no gaps, and each process tells of what it wrote', async (t) => {
  const replicas = await openReplicas(t, 3);
  const told = replicas.map(() => [] as StoredEvent[]);
  for (const [place, { log }] of replicas.entries()) {
    log.onAppended((events) => told[place]?.push(...events));
  }
  const written = replicas.map(() => Array.from({ length: 40 }, event));
  await Promise.all(
    replicas.flatMap((replica, place) => (written[place] ?? []).map((one) => append(replica, one))),
  );
  const all = await Promise.all(replicas.map(({ store }) => store.listAfter(0, 1_000)));
  t.strictSame(
    all[0]?.map(({ sequence }) => sequence),
    Array.from({ length: 120 }, (_, place) => place + 1),
  );
  t.strictSame(all[1], all[0]);
  for (const [place, events] of told.entries()) {
    const sequences = events.map(({ sequence }) => sequence);
    t.strictSame(new Set(events.map(({ id }) => id)), new Set(written[place]?.map(({ id }) => id)));
    t.strictSame(
      sequences,
      [...sequences].sort((a, b) => a - b),
      'in order',
    );
  }
});

t.test('an event becomes one delivery, which one replica claims', async (t) => {
  const replicas = await openReplicas(t);
  const [{ webhooks }] = replicas as [Replica];
  await webhooks.create(webhook(), 10);
  await webhooks.create(webhook(), 10);
  const written = Array.from({ length: 25 }, event);
  await Promise.all(written.map((one, place) => append(replicas[place % 2] as Replica, one)));
  const fanOut = async (replica: Replica) => {
    while (await replica.webhooks.fanOut(start, () => true, make.newId));
  };
  await Promise.all([...replicas, ...replicas].map(fanOut));
  await Promise.all(replicas.map(fanOut));
  t.equal((await webhooks.listDeliveries({}, { page: 1, size: 1 })).total, 50);
  const claims = await Promise.all(
    [...replicas, ...replicas].map((replica) => replica.webhooks.claimDue(start, start + 1_000, () => 5)),
  );
  const ids = claims.flat().map(({ id }) => id);
  t.ok(ids.length >= 10);
  t.equal(new Set(ids).size, ids.length, 'none is claimed twice');
  t.match(await webhooks.findNextAttemptAt(), start);
});

t.test('an event that is not committed yet is delivered once it is', async (t) => {
  const [one, other] = (await openReplicas(t)) as [Replica, Replica];
  await one.webhooks.create(webhook(), 10);
  const commit = await hold(one, event());
  await append(other, event());
  const count = async () => {
    while (await other.webhooks.fanOut(start, () => true, make.newId));
    return (await other.webhooks.listDeliveries({}, { page: 1, size: 1 })).total;
  };
  t.equal(await count(), 1);
  await commit();
  t.equal(await count(), 2);
});
