import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { Sighting } from '../../../src/schemas/session-context.ts';
import { moveToPostgres, openStore } from '../../../src/store/open.ts';
import { openPostgresStore } from '../../../src/store/postgres/store.ts';
import type { SightingWrites, Store } from '../../../src/store/store.ts';
import { allMigrations, startApp, temporaryFolder } from '../../helpers/app.ts';
import { missing, page, wide } from '../contract/open.ts';
import * as make from '../samples.ts';
import { createDatabase, direct, migrations } from './open.ts';

// takes long: begins first

const { start } = make;
const how = { migrations: allMigrations, at: start, progress: { tell: () => undefined } };

/** Each of these contents has 20 identifiers of its own, and one that all have: more than one block of a session. */
const seenAt = (n: number): SightingWrites => {
  const sightings: Sighting[] = [
    { seq: n, tool: `tool ${n}`, phase: 'ACTION', labels: [], whole: true, field: '', origin: '' },
  ];
  const digests = ['shared', ...Array.from({ length: 20 }, (_, place) => `digest ${n} ${place}`)];
  return { writes: digests.map((digest) => ({ digest, sightings })), isFull: false };
};

/** A SQLite database with something of nearly everything. */
async function fill(t: Test) {
  const file = join(temporaryFolder(t), 'assize.db');
  const store = await openStore(file, { migrations: allMigrations });
  const { id } = await make.createIntegration(store);
  const policy = { id: make.newId(), status: 'ACTIVE' as const, createdAt: start };
  await store.policies.create(policy, make.document('one'));
  await store.policies.bind(id, policy.id, null, start);
  const revision = await make.revisionOf(store, id);
  const policySet = {
    key: `${policy.id}:1`,
    members: [{ policyId: policy.id, version: 1 }],
    terms: [],
  };
  const session = make.session(id, { metadata: '{ "a": [1.0] }', expiresAt: start + 9_000_000 });
  await store.sessions.create(session, '{}', null);
  const record = (more = {}, verdict = {}) =>
    store.evaluations.record(
      make.evaluation(id, { session: { id: session.id }, revision, policySet, ...more }),
      () => make.verdict(verdict),
    );
  for (let n = 0; n < 10; n++)
    await record({ tool: `tool ${n}`, input: `{"n":${n}}`, dataTags: ['PII'] }, { sightings: seenAt(n) });
  await record({ session: null, idempotency: make.once() });
  const decided = await make.openReview(
    store,
    id,
    { callbackUrl: 'https://x.example/' },
    { session: { id: session.id }, revision, policySet },
  );
  await store.reviews.decide(
    decided,
    { status: 'APPROVED', decidedBy: missing, comment: 'c', now: start + 1 },
    () => ({ id: make.newId(), body: '{}' }),
  );
  const pending = await make.openReview(store, id, {}, { session: { id: session.id }, revision, policySet });
  await store.events.bounds();
  return { file, store, id, session, decided, pending, revision, policySet };
}
type Filled = Awaited<ReturnType<typeof fill>>;

/** What a store shows of it. */
async function show(store: Store, { id, session, decided, pending }: Filled) {
  const cut = { evaluation: Number.MAX_SAFE_INTEGER, entry: Number.MAX_SAFE_INTEGER, call: 0 };
  const from = { evaluation: 0, entry: 0, call: 0 };
  return {
    integrations: await store.integrations.list(page),
    inForce: (await store.policies.findInForce(id))?.policies,
    session: await store.sessions.findWithActions(id, session.id, start),
    evaluations: await store.evaluations.listInSession(id, session.id, page, wide),
    recorded: await store.evaluations.listRecorded(null, 100, wide),
    reviews: [await store.reviews.find(id, decided, start), await store.reviews.find(id, pending, start)],
    entries: (await store.record.listEntries(from, cut, 1_000)).entries,
    uncovered: (await store.record.findUncovered(from))?.heads.sort((one, other) =>
      one.chain < other.chain ? -1 : 1,
    ),
    due: await store.callbacks.findNextAttemptAt(),
    events: await store.events.bounds(),
  };
}

const openMoved = async (t: Test, address: string): Promise<Store> => {
  const moved = await openPostgresStore({ address: direct(address), migrations });
  t.teardown(() => moved.close());
  return moved as Store;
};

t.test('all is there after a move, and goes on', async (t) => {
  const filled = await fill(t);
  const { store, file, id, session, revision, policySet } = filled;
  const before = await show(store, filled);
  const address = await createDatabase(t);
  t.match(await moveToPostgres(file, address, how), { evaluations: 13 });
  const asked = () => make.evaluation(id, { session: { id: session.id }, revision, policySet });
  await t.rejects(
    store.evaluations.record(asked(), () => make.verdict()),
    { code: 'unavailable' },
  );
  await store.close();
  await t.rejects(openStore(file, { migrations: allMigrations }), { message: /was moved to postgres:/ });
  const moved = await openMoved(t, address);
  t.equal(moved.salt, store.salt, 'hashes that were stored are found');
  t.strictSame(await show(moved, filled), before);
  const allSeen = Array.from({ length: 10 }, (_, n) => seenAt(n).writes).flat();
  let seen: unknown[] = [];
  t.match(
    // Decided again once what it looks for is read.
    await moved.evaluations.record(asked(), ({ actionCount }, _, __, rows) => {
      seen = [rows?.count, ...allSeen.map(({ digest }) => rows?.find(digest))];
      return make.verdict({ response: `${actionCount}` });
    }),
    {
      kind: 'recorded',
      response: '12',
    },
  );
  const shared = seenAt(9).writes[0]?.sightings;
  t.strictSame(seen, [
    201,
    ...allSeen.map(({ digest, sightings }) => (digest === 'shared' ? shared : sightings)),
  ]);
  const last = await moved.evaluations.listRecorded(null, 1, wide);
  t.equal(last?.[0]?.seq, 13);
  const other = await createDatabase(t);
  await t.rejects(moveToPostgres(file, other, how), { code: 'conflict', message: /was moved to/ });
});

t.test('a long session goes on counting after a move', async (t) => {
  const file = join(temporaryFolder(t), 'assize.db');
  const app = await startApp(t, {}, { database: file });
  const { id, key } = await app.integration();
  await app.policy(
    id,
    `
schemaVersion: 1
name: once
counters:
  tries: { over: session, per: input.n }
rules:
  - { id: again, when: 'counters.tries[input.n] > 0', effect: BLOCK }
`,
  );
  const opened = await app.call(key, 'POST', '/v1/evaluation-sessions', {});
  const act = async (at: typeof app, n: number): Promise<string> => {
    const body = { input: { tool: 'x', n }, sessionId: opened.body.data.id };
    return (await at.call(key, 'POST', '/v1/evaluate', body)).body.data.enforcementAction;
  };
  for (let n = 0; n < 60; n++) await act(app, n);
  const address = await createDatabase(t);
  await moveToPostgres(file, address, how);
  const moved = await startApp(t, {}, { database: address, clock: app.clock });
  t.equal(await act(moved, 3), 'BLOCK', 'kept in the state of the session');
  t.equal(await act(moved, 59), 'BLOCK', 'kept in a row of its own');
  t.equal(await act(moved, 60), 'ALLOW');
});

t.test('what is recorded while it is copied is moved, too; what has data is refused', async (t) => {
  const filled = await fill(t);
  const { store, file, id, session, revision, policySet } = filled;
  const address = await createDatabase(t);
  const late: Promise<unknown>[] = [];
  const tell = () => {
    const asked = make.evaluation(id, { session: { id: session.id }, revision, policySet, tool: 'late' });
    const recorded = store.evaluations.record(asked, () => make.verdict());
    // Those that come while nothing can be written are refused.
    for (const change of [recorded, store.evaluations.forgetContent(start + 1)])
      late.push(change.catch((error) => t.match(error, { code: 'unavailable' })));
  };
  const { evaluations } = await moveToPostgres(file, address, { ...how, progress: { tell } });
  await Promise.all(late);
  t.ok(evaluations >= 13);
  const before = await show(store, filled);
  await store.close();
  const moved = await openMoved(t, address);
  t.strictSame(await show(moved, filled), before);
  const second = await fill(t);
  await second.store.close();
  await t.rejects(moveToPostgres(second.file, address, how), {
    code: 'conflict',
    message: /data of its own/,
  });
});

t.test('a move that was killed is finished by the next one; until then the file goes on', async (t) => {
  for (const step of ['addEvaluations', 'replaceTables', 'markMoved', 'finish']) {
    const filled = await fill(t);
    const before = await show(filled.store, filled);
    await filled.store.close();
    const address = await createDatabase(t);
    const killed = spawnSync(process.execPath, [
      join(import.meta.dirname, 'killed-move.ts'),
      filled.file,
      address,
      step,
    ]);
    t.equal(killed.signal, 'SIGKILL', step);
    await t.rejects(
      openPostgresStore({ address: direct(address), migrations }),
      { message: /not finished/ },
      step,
    );
    if (step !== 'finish') {
      const store = await openStore(filled.file, { migrations: allMigrations });
      t.strictSame(await show(store, filled), before, `nothing has changed: ${step}`);
      await store.close();
    }
    await moveToPostgres(filled.file, address, how);
    t.strictSame(await show(await openMoved(t, address), filled), before, step);
  }
});
