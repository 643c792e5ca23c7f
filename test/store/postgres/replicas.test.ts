import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import t, { type Test } from 'tap';
import { openStore } from '../../../src/store/open.ts';
import { lockByNumber, lockNames, sortedNumbers } from '../../../src/store/postgres/locks.ts';
import { allMigrations, startApp, type TestApp } from '../../helpers/app.ts';
import * as make from '../samples.ts';
import { createDatabase, untilAwaited } from './open.ts';

const limit = (most: number) => `schemaVersion: 1
name: most
rules:
  - id: most
    when: tool == "x" && session.toolCounts[?"x"].orValue(0) >= ${most}
    effect: BLOCK
    severity: HIGH
`;

/** Two replicas: each the whole service, on one database. */
async function startReplicas(t: Test): Promise<[TestApp, TestApp]> {
  const database = await createDatabase(t);
  return [await startApp(t, {}, { database }), await startApp(t, {}, { database })];
}

t.test('a limit holds exactly, whichever replica gets a request', async (t) => {
  const replicas = await startReplicas(t);
  for (const most of [1, 7, 31]) {
    const { id, key } = await replicas[0].integration();
    await replicas[0].policy(id, limit(most));
    const opened = await replicas[1].call(key, 'POST', '/v1/evaluation-sessions', {});
    const sessionId = opened.body.data.id;
    const responses = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        replicas[n % 2 === 0 ? 0 : 1].call(key, 'POST', '/v1/evaluate', { sessionId, input: { tool: 'x' } }),
      ),
    );
    t.equal(responses.filter(({ status }) => status !== 200).length, 0);
    const allowed = responses.filter(({ body }) => body.data.enforcementAction !== 'BLOCK');
    t.equal(allowed.length, most, `${most} of 40`);
  }
});

t.test('an evaluation that uses no quota does not wait for those that do', async (t) => {
  const database = await createDatabase(t);
  const app = await startApp(t, {}, { database });
  const integrations = [
    await app.integration('AGENT'),
    await app.integration('AGENT', { maxPendingReviews: 5, maxOpenSessions: 5 }),
  ];
  const sessionOf = async (key: string) =>
    (await app.call(key, 'POST', '/v1/evaluation-sessions', {})).body.data.id;
  const sessionIds = await Promise.all(integrations.map(({ key }) => sessionOf(key)));
  const counting = new pg.Client(database);
  await counting.connect();
  t.teardown(() => counting.end());
  await counting.query('BEGIN');
  await counting.query(lockByNumber, [sortedNumbers(integrations.map(({ id }) => lockNames.quota(id)))]);
  for (const [place, { key }] of integrations.entries()) {
    const evaluation = { sessionId: sessionIds[place], input: { tool: 'x' } };
    t.match(await app.call(key, 'POST', '/v1/evaluate', evaluation), { status: 200 });
  }
  await counting.query('COMMIT');
});

t.test('a session that another process holds up holds up no other one', async (t) => {
  const database = await createDatabase(t);
  const app = await startApp(t, {}, { database });
  const { key } = await app.integration();
  const open = async () => (await app.call(key, 'POST', '/v1/evaluation-sessions', {})).body.data.id;
  const [held, other] = [await open(), await open()];
  const holding = new pg.Client(database);
  await holding.connect();
  t.teardown(() => holding.end());
  await holding.query('BEGIN');
  await holding.query('SELECT 1 FROM session_states WHERE session_id = $1 FOR UPDATE', [held]);
  const evaluate = (sessionId: string) =>
    app.call(key, 'POST', '/v1/evaluate', { sessionId, input: { tool: 'x' } });
  let hasWaited = false;
  const waiting = evaluate(held).finally(() => {
    hasWaited = true;
  });
  await untilAwaited(holding);
  t.match(await evaluate(other), { status: 200 });
  t.notOk(hasWaited);
  await holding.query('COMMIT');
  t.match(await waiting, { status: 200 });
});

t.test('content that is old enough is deleted once, though every replica sweeps', async (t) => {
  const address = await createDatabase(t);
  const stores = [
    await openStore(address, { migrations: allMigrations }),
    await openStore(address, { migrations: allMigrations }),
  ] as const;
  t.teardown(() => Promise.all(stores.map((store) => store.close())));
  const { id } = await make.createIntegration(stores[0]);
  const evaluations = Array.from({ length: 20 }, () => make.evaluation(id, { input: '{"a":1}' }));
  for (const evaluation of evaluations) await stores[0].evaluations.record(evaluation, () => make.verdict());
  const swept = await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      stores[n % 2 === 0 ? 0 : 1].evaluations.forgetContent(make.start + 1_000),
    ),
  );
  t.equal(swept.filter((deletedAny) => deletedAny).length, 1);
  const found = await stores[1].evaluations.find(id, evaluations[0]?.id ?? '');
  t.match(found, { input: null });
});

t.test('what was answered is recorded once, though connections are cut', async (t) => {
  const address = await createDatabase(t);
  const stores = [
    await openStore(address, { migrations: allMigrations }),
    await openStore(address, { migrations: allMigrations }),
  ] as const;
  t.teardown(() => Promise.all(stores.map((store) => store.close())));
  const [first] = stores;
  const { id } = await make.createIntegration(first);
  const sessions = Array.from({ length: 8 }, () => make.session(id));
  for (const session of sessions) await first.sessions.create(session, '{}', null);
  const cutter = new pg.Client(address);
  await cutter.connect();
  const sent = 800;
  let recorded = 0;
  let isDone = false;
  let cutCount = 0;
  async function cutAll(): Promise<void> {
    while (!isDone) {
      const { rowCount } = await cutter.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      );
      cutCount += rowCount ?? 0;
      // A batch is given up after ten seconds of cuts: on a slow machine none would come through these.
      const before = recorded;
      while (recorded === before && !isDone) await setTimeout(1);
      await setTimeout(Math.random() * 50);
    }
  }
  const cutting = cutAll();
  const needs = {
    recentActions: false,
    pendingReview: false,
    counters: null,
    repeats: false,
    sightings: false,
  };
  async function send(worker: number): Promise<void> {
    for (let n = 0; n < sent / 16; n++) {
      const session = { id: sessions[(worker + n) % sessions.length]?.id ?? '' };
      const store = stores[worker % 2 === 0 ? 0 : 1];
      const result = await store.evaluations.record(make.evaluation(id, { session, needs }), () =>
        make.verdict(),
      );
      if (result.kind === 'recorded') recorded++;
    }
  }
  try {
    await Promise.all(Array.from({ length: 16 }, (_, worker) => send(worker)));
  } finally {
    isDone = true;
    await cutting;
  }
  const { rows } = await cutter.query(
    'SELECT count(*)::int AS rows, count(DISTINCT (session_id, chain_seq))::int AS places FROM evaluations',
  );
  await cutter.end();
  t.ok(cutCount > 10, `${cutCount} connections were cut`);
  t.equal(recorded, sent);
  t.strictSame(rows, [{ rows: sent, places: sent }]);
});
