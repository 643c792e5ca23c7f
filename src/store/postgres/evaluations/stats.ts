import { hash } from 'node:crypto';
import { and, asc, eq, gt, lte } from 'drizzle-orm';
import { inserting, WrittenRows } from '../../../evaluate/postgres/rows.ts';
import { countEvaluations, type StatsRow, type StatsStore } from '../../../features/stats/store.ts';
import type { Violation } from '../../../schemas/decisions.ts';
import { parseList } from '../../rows.ts';
import { clientOf, type Db, type Postgres } from '../database.ts';
import type { FinalPosition } from '../final-position.ts';
import { evaluationSessions, evaluations, statsProgress } from '../tables.ts';
import { indexEvaluations } from './evaluation-search.ts';

const rowsInStep = 1_000;

/**
 * Statistics follow the evaluations: which are counted is written in the transaction that counts them, under a row lock, so
 * each counts once whichever process counts.
 */
export function createStats(
  { read, change }: Postgres,
  finalPosition: FinalPosition,
): Pick<StatsStore, 'count'> {
  return {
    async count() {
      const last = await finalPosition.find();
      await indexEvaluations({ change }, last);
      const progress = await read((db) => db.select().from(statsProgress));
      if ((progress[0]?.position ?? 0) >= last) return false;
      return change(async (tx) => {
        const [counted] = await tx.select().from(statsProgress).for('update', { skipLocked: true });
        // Another process is at it, and goes on until nothing is left.
        if (!counted) return false;
        const rows = await uncounted(tx, counted.position, last);
        await add(tx, countEvaluations(rows));
        const isMore = rows.length === rowsInStep;
        const position = isMore ? (rows.at(-1)?.position ?? last) : Math.max(last, counted.position);
        await tx.update(statsProgress).set({ position });
        return isMore;
      });
    },
  };
}

async function uncounted(tx: Db, after: number, last: number) {
  const rows = await tx
    .select({
      position: evaluations.position,
      integrationId: evaluations.integrationId,
      entityId: evaluationSessions.entityId,
      tool: evaluations.tool,
      enforcementAction: evaluations.enforcementAction,
      violations: evaluations.violations,
      dataTags: evaluations.dataTags,
      createdAt: evaluations.createdAt,
      tookUs: evaluations.tookUs,
    })
    .from(evaluations)
    .leftJoin(evaluationSessions, eq(evaluationSessions.id, evaluations.sessionId))
    .where(and(gt(evaluations.position, after), lte(evaluations.position, last)))
    .orderBy(asc(evaluations.position))
    .limit(rowsInStep);
  return rows.map(({ violations, dataTags, ...row }) => ({
    ...row,
    violations: parseList<Violation>(violations),
    dataTags: parseList<string>(dataTags),
  }));
}

const sums = {
  allowed: 'bigint',
  warned: 'bigint',
  held: 'bigint',
  blocked: 'bigint',
  timed: 'bigint',
  took_us: 'bigint',
};
const columns = {
  dimension: 'text',
  unit: 'text',
  slot: 'int',
  integration_id: 'uuid',
  name_hash: 'text',
  name: 'text',
  ...sums,
  slowest_us: 'bigint',
};
const adding = inserting(
  'stats',
  `ON CONFLICT (dimension, unit, slot, integration_id, name_hash) DO UPDATE SET
    ${Object.keys(sums).map((sum) => `${sum} = stats.${sum} + excluded.${sum}`)},
    slowest_us = greatest(stats.slowest_us, excluded.slowest_us)`,
);

async function add(tx: Db, rows: readonly StatsRow[]): Promise<void> {
  const written = new WrittenRows('add to statistics', columns, adding);
  for (const { integrationId, tookUs, slowestUs, ...row } of rows)
    written.add({
      ...row,
      integration_id: integrationId,
      name_hash: hash('sha256', row.name),
      took_us: tookUs,
      slowest_us: slowestUs,
    });
  const { statement } = written;
  if (statement) await clientOf(tx).query(statement);
}
