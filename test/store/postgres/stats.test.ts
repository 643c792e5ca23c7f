import { sql } from 'drizzle-orm';
import t, { type Test } from 'tap';
import { createStatsStore } from '../../../src/features/stats/store.ts';
import { createPostgresSql } from '../../../src/sql/postgres/sql.ts';
import { openPostgres, type Postgres } from '../../../src/store/postgres/database.ts';
import { createStats } from '../../../src/store/postgres/evaluations/stats.ts';
import { createFinalPosition } from '../../../src/store/postgres/final-position.ts';
import { createRevisions } from '../../../src/store/postgres/revisions.ts';
import { evaluations, integrations } from '../../../src/store/postgres/tables.ts';
import type { StatsStore } from '../../../src/store/store.ts';
import * as make from '../samples.ts';
import { createDatabase, direct } from './open.ts';

const hour = 3_600_000;
const { start } = make;
const slot = Math.floor(start / hour);
const ofHour = { dimension: 'tool', unit: 'hour', from: slot, to: slot + 1, integrationId: null } as const;

async function openReplicas(t: Test) {
  const address = await createDatabase(t);
  const open = () => {
    const postgres = { ...openPostgres(direct(address)), salt: '' };
    t.teardown(() => postgres.close());
    const sql = createPostgresSql(postgres, createRevisions(postgres));
    const stats = createStatsStore(sql, createStats(postgres, createFinalPosition(postgres)));
    return { postgres, stats };
  };
  const [one, other] = [open(), open()];
  const integrationId = make.newId();
  await one.postgres.change((tx) =>
    tx.insert(integrations).values({
      id: integrationId,
      name: 'n',
      kind: 'AGENT',
      settings: '{}',
      webhookSecret: 's',
      createdAt: start,
      updatedAt: start,
    }),
  );
  return { one, other, integrationId };
}

const row = (integrationId: string, tool: string) => ({
  id: make.newId(),
  integrationId,
  transport: 'REST' as const,
  phase: 'ACTION' as const,
  tool,
  outcome: 'ALLOW' as const,
  enforcementAction: 'ALLOW' as const,
  policySetId: '',
  chainSeq: 1,
  entryHash: '',
  createdAt: start,
});
const record = ({ change }: Postgres, rows: ReturnType<typeof row>[]) =>
  change((tx) => tx.insert(evaluations).values(rows));

async function countAll(stats: StatsStore): Promise<void> {
  while (await stats.count());
}
const allowed = async (stats: StatsStore): Promise<Record<string, number>> => {
  const points = await stats.read(ofHour, 100);
  return Object.fromEntries(points.map((point) => [point.name, point.allowed]));
};

t.test('each evaluation is counted once, however many replicas count', async (t) => {
  const { one, other, integrationId } = await openReplicas(t);
  for (let n = 0; n < 5; n++) {
    await Promise.all(
      [one, other].map(({ postgres }) =>
        record(
          postgres,
          Array.from({ length: 300 }, (_, tookUs) => ({ ...row(integrationId, 'mail'), tookUs })),
        ),
      ),
    );
    await Promise.all([one, other, one, other].map(({ stats }) => countAll(stats)));
  }
  await countAll(one.stats);
  t.strictSame(await allowed(other.stats), { mail: 3_000 });
  const [point] = await one.stats.read(ofHour, 100);
  t.match(point, { timed: 3_000, tookUs: 10 * 44_850, slowestUs: 299 }, 'and so is the time it took');
});

t.test('an evaluation that commits late is counted, and a long name fits', async (t) => {
  const { one, other, integrationId } = await openReplicas(t);
  const written = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const late = one.postgres.change(async (tx) => {
    await tx.execute(sql`SELECT pg_current_xact_id()`);
    await tx.insert(evaluations).values(row(integrationId, 'late'));
    written.resolve();
    await end.promise;
  });
  await written.promise;
  const long = '工'.repeat(1_000);
  await record(other.postgres, [row(integrationId, 'early'), row(integrationId, long)]);
  await countAll(other.stats);
  t.notOk('late' in (await allowed(other.stats)));
  end.resolve();
  await late;
  await countAll(other.stats);
  t.strictSame(await allowed(one.stats), { early: 1, late: 1, [long]: 1 });
});
