import pg from 'pg';
import t, { type Test } from 'tap';
import { openPostgresStore } from '../../../src/store/postgres/store.ts';
import type { AuditedCall, Store } from '../../../src/store/store.ts';
import { until } from '../../helpers/until.ts';
import { operator, operatorKey } from '../contract/operators.ts';
import * as make from '../samples.ts';
import { createDatabase, direct, migrations } from './open.ts';

const { start } = make;
const page = { page: 1, size: 100 };

/** Two processes' stores on one database. */
async function openTwo(t: Test, given?: string): Promise<[Store, Store]> {
  const address = given ?? (await createDatabase(t));
  const open = async (): Promise<Store> => {
    const store = await openPostgresStore({ address: direct(address), migrations });
    t.teardown(() => store.close());
    return store as Store;
  };
  return [await open(), await open()];
}

t.test('of first operators that two replicas create at once, one is kept', async (t) => {
  const stores = await openTwo(t);
  const made = await Promise.all(
    Array.from({ length: 10 }, (_, place) => {
      const first = operator();
      return stores[place % 2]?.operators.createFirst(first, operatorKey(first.id));
    }),
  );
  t.equal(made.filter(Boolean).length, 1);
  t.equal((await stores[0].operators.list(page, {})).total, 1);
});

t.test('replicas that disable and revoke owners at once leave one who can let others in', async (t) => {
  const stores = await openTwo(t);
  const [store] = stores;
  for (let round = 0; round < 5; round++) {
    const owners = Array.from({ length: 4 }, () => operator());
    const keys = owners.map(({ id }) => operatorKey(id));
    for (const [place, owner] of owners.entries()) {
      const key = keys[place] ?? operatorKey(owner.id);
      if (await store.operators.createFirst(owner, key)) continue;
      await store.operators.create(owner);
      await store.operatorKeys.create(key, 9);
    }
    await Promise.all(
      owners.map(({ id }, place) => {
        const { operators, operatorKeys } = stores[place % 2] ?? store;
        return place < 2
          ? operators.change(id, { status: 'DISABLED' }, start)
          : operatorKeys.revoke(keys[place]?.id ?? '', start);
      }),
    );
    const left = await Promise.all(keys.map(({ keyHash }) => store.operatorKeys.find(keyHash, start)));
    t.ok(left.some(Boolean) || (await store.operators.findFirstOwner()), 'somebody can let others in');
    const living = await Promise.all(owners.map(({ id }) => store.operatorKeys.listLiving(id)));
    t.ok(living.flat().length > 0);
  }
});

t.test('replicas that give one list or e-mail address twice at once keep it once', async (t) => {
  const stores = await openTwo(t);
  const by = { at: start, author: null, note: null };
  const lists = await Promise.all(
    stores.map(({ lists }) =>
      lists.create(
        {
          id: make.newId(),
          name: 'partners',
          kind: 'DOMAINS',
          description: null,
          entries: [],
          createdAt: start,
        },
        by,
      ),
    ),
  );
  t.equal(lists.filter((list) => list === 'name_taken').length, 1);
  const people = await Promise.all(
    stores.map(({ operators }) => operators.create(operator({ email: 'Ada@example.com' }))),
  );
  t.equal(people.filter((person) => person === 'email_taken').length, 1);
});

t.test('a version that two replicas expect to follow is followed once', async (t) => {
  const stores = await openTwo(t);
  const id = make.newId();
  await stores[0].policies.create({ id, status: 'DRAFT', createdAt: start }, make.document('1'));
  const expected = new Set([1]);
  const changed = await Promise.all(
    stores.map(({ policies }) => policies.addVersion(id, make.document('2'), start, { expected })),
  );
  t.equal(changed.filter((policy) => policy === 'outdated').length, 1);
  t.equal((await stores[0].policies.find(id))?.latestVersion, 2);
});

t.test('what is due is made current by one replica, and raises the revision once', async (t) => {
  const stores = await openTwo(t);
  const { policies } = stores[0];
  const integration = await make.createIntegration(stores[0]);
  const id = make.newId();
  await policies.create({ id, status: 'ACTIVE', createdAt: start }, make.document('1'));
  await policies.bind(integration.id, id, null, start);
  await policies.addVersion(id, make.document('2'), start, { activates: false });
  await policies.schedule(id, 2, start + 10, start);
  const before = await make.revisionOf(stores[0], integration.id);
  const activated = await Promise.all(stores.map((store) => store.policies.activateDue(start + 10)));
  t.strictSame(activated.map(({ length }) => length).sort(), [0, 1]);
  t.match(await policies.find(id), { version: 2, previousVersion: 1 });
  t.equal(await make.revisionOf(stores[1], integration.id), before + 1);
});

t.test('an action decided by a policy that another replica deletes meanwhile is decided again', async (t) => {
  const address = await createDatabase(t);
  const [store, other] = await openTwo(t, address);
  const client = new pg.Client(address);
  await client.connect();
  async function countWaiting(): Promise<number | null> {
    // A transaction sees the same activity as long as it lasts.
    await client.query('SELECT pg_stat_clear_snapshot()');
    const { rowCount } = await client.query(
      "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    return rowCount;
  }
  // Twice: the second time, too, it is tried again.
  for (let time = 0; time < 2; time++) {
    const { id } = await make.createIntegration(store);
    const policyId = make.newId();
    await store.policies.create({ id: policyId, status: 'ACTIVE', createdAt: start }, make.document('1'));
    await store.policies.bind(id, policyId, null, start);
    const revision = await make.revisionOf(store, id);
    // The deletion waits here, and the evaluation for the deletion.
    await client.query('BEGIN');
    await client.query('SELECT 1 FROM integrations WHERE id = $1 FOR UPDATE', [id]);
    const deleting = other.policies.delete(policyId);
    await until(countWaiting, (count) => count === 1);
    const policySet = { key: `${policyId}:1`, members: [{ policyId, version: 1 }], terms: [] };
    const evaluation = make.evaluation(id, { policySet, revision });
    const recording = store.evaluations.record(evaluation, () => make.verdict());
    await until(countWaiting, (count) => count === 2);
    await client.query('COMMIT');
    t.match(await deleting, { id: policyId });
    t.match(await recording, { kind: 'stale' });
  }
  await client.end();
});

t.test('the chain of management has one entry for each change of any replica', async (t) => {
  const stores = await openTwo(t);
  const call: AuditedCall = {
    at: start,
    actorKind: 'operator',
    actorId: 'o1',
    actorName: 'Ada',
    keyId: null,
    action: 'createOperator',
    resource: 'operators',
    resourceId: null,
    method: 'POST',
    path: '/v1/operators',
    address: null,
    requestId: 'r1',
  };
  const by = { newId: make.newId, statusCode: 201, recorded: () => undefined, event: () => null };
  await Promise.all(
    Array.from({ length: 30 }, (_, place) => {
      const store = stores[place % 2] ?? stores[0];
      return store.audit.during(call, by, () => store.operators.create(operator({ name: `n${place}` })));
    }),
  );
  const { items, total } = await stores[0].audit.list({}, page, 10_000);
  t.equal(total, 30);
  t.equal(new Set(items.map(({ resourceId }) => resourceId)).size, 30);
  t.strictSame(
    (await stores[1].audit.listAfter({}, null, 100)).map(({ id }) => id),
    items.map(({ id }) => id).reverse(),
  );
});
