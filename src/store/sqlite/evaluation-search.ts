import { desc, eq, inArray } from 'drizzle-orm';
import type { EvaluationFilter, StoredEvaluation } from '../evaluation-reads.ts';
import type { EvaluationStore } from '../evaluations.ts';
import { namesIn } from '../listed-columns.ts';
import { offsetOf } from '../pages.ts';
import type { Sqlite } from './database.ts';
import { createEntityEvaluations } from './entity-evaluations.ts';
import { blockOf, blockSize, type EvaluationBlocks, type Facet } from './evaluation-blocks.ts';
import type { EvaluationRow } from './evaluation-chain.ts';
import { createEvaluationTimes, withSlack } from './evaluation-times.ts';
import { listedEvaluation } from './listed-columns.ts';
import { evaluationSessions, evaluations, integrations } from './tables.ts';

/**
 * Looks into the index of blocks, and evaluations that are read and do not match: some 10 ms, during which nothing else is
 * decided. A search that needs more is cut short, and says where to go on.
 */
const mostSteps = 2_500;
const mostRows = 8_000;

export function createEvaluationSearch(
  { client, db, read }: Pick<Sqlite, 'client' | 'db' | 'read'>,
  blocks: EvaluationBlocks,
  toStored: (row: EvaluationRow, sessionId: string | null) => StoredEvaluation,
): Pick<EvaluationStore, 'search'> {
  const times = createEvaluationTimes({ client });
  const ofEntity = createEntityEvaluations({ client });
  const rowOf = (id: string): number | undefined =>
    db.select({ id: evaluations.id }).from(evaluations).where(eq(evaluations.uid, id.toLowerCase())).get()
      ?.id;
  const integrationRow = (id: string): number =>
    db.select({ id: integrations.id }).from(integrations).where(eq(integrations.uid, id.toLowerCase())).get()
      ?.id ?? -1;

  /** Ids that match, newest first, from `high` down to `low`. */
  function* matching(filter: EvaluationFilter, low: number, high: number, limits: Limits): Generator<number> {
    const { integrationId, tool, enforcementAction, dataTag, ruleId, entityId, correlationId, traceId } =
      filter;
    const owner = integrationId === undefined ? null : String(integrationRow(integrationId));
    const values: [Facet, string][] = [];
    const conditions: string[] = [];
    const given: (string | number)[] = [];
    const where = (condition: string, value: string | number): void => {
      conditions.push(` AND ${condition}`);
      given.push(value);
    };
    if (owner !== null) {
      values.push(['integration', owner]);
      where('integration_id = ?', Number(owner));
    }
    if (tool !== undefined) {
      values.push(['tool', tool]);
      where('tool = ?', tool);
    }
    if (enforcementAction !== undefined) {
      values.push(['action', enforcementAction]);
      where('enforcement_action = ?', enforcementAction);
    }
    if (dataTag !== undefined) {
      values.push(['tag', dataTag]);
      where('EXISTS (SELECT 1 FROM json_each(data_tags) WHERE value = ?)', dataTag);
    }
    if (ruleId !== undefined) {
      values.push(['rule', ruleId]);
      where("EXISTS (SELECT 1 FROM json_each(violations) WHERE value ->> 'ruleId' = ?)", ruleId);
    }
    if (correlationId !== undefined) where('correlation_id = ?', correlationId);
    if (traceId !== undefined) where('trace_id = ?', traceId);
    const rest = conditions.join('');

    if (entityId !== undefined) {
      const one = client.prepare<unknown[], number>(`SELECT id FROM evaluations WHERE id = ?${rest}`).pluck();
      for (const id of ofEntity(entityId.toLowerCase(), high, limits)) {
        if (id < low) return;
        if (one.get(id, ...given) !== undefined) yield id;
      }
      return;
    }
    const between = client
      .prepare<unknown[], number>(
        `SELECT id FROM evaluations WHERE id BETWEEN ? AND ?${rest} ORDER BY id DESC`,
      )
      .pluck();
    // Their own indexes find few; and without a value every row matches.
    if (correlationId !== undefined || traceId !== undefined || values.length === 0) {
      yield* between.iterate(low, high, ...given) as IterableIterator<number>;
      return;
    }
    for (let block = blocks.last(values, blockOf(high), limits.steps); block !== null; ) {
      const first: number = block * blockSize;
      if (first + blockSize <= low) return;
      limits.rows.left -= blockSize;
      if (limits.rows.left < 0) {
        limits.reached = first + blockSize;
        return;
      }
      const ids = between.all(Math.max(low, first), Math.min(high, first + blockSize - 1), ...given);
      for (const id of ids as number[]) yield id;
      block = first <= low ? null : blocks.last(values, block - 1, limits.steps);
    }
    limits.reached = limits.steps.left >= 0 ? null : (limits.steps.block + 1) * blockSize;
  }

  function load(ids: readonly number[], mostBytes: number) {
    if (ids.length === 0) return [];
    return db
      .select({
        row: listedEvaluation(mostBytes),
        sessionId: evaluationSessions.uid,
        integrationId: integrations.uid,
      })
      .from(evaluations)
      .innerJoin(integrations, eq(integrations.id, evaluations.integrationId))
      .leftJoin(evaluationSessions, eq(evaluationSessions.id, evaluations.sessionId))
      .where(inArray(evaluations.id, [...ids]))
      .orderBy(desc(evaluations.id))
      .all()
      .map(({ row, sessionId, integrationId }) => ({
        ...toStored(row, sessionId),
        omitted: namesIn(row.omitted),
        integrationId,
      }));
  }

  const uidFrom = client
    .prepare<[number], string>('SELECT uid FROM evaluations WHERE id >= ? ORDER BY id LIMIT 1')
    .pluck();

  return {
    search: (filter, page, mostBytes) =>
      read(() => {
        const { before, from, to } = filter;
        const place = before === undefined ? undefined : rowOf(before);
        if (before !== undefined && place === undefined) return null;
        const newest = times.last();
        const [low, high] = withSlack(
          from === undefined ? 1 : times.before(from) + 1,
          to === undefined ? newest : times.before(to),
        );
        const limits: Limits = {
          steps: { left: mostSteps, block: 0 },
          rows: { left: mostRows },
          reached: null,
        };
        const offset = offsetOf(page);
        const ids: number[] = [];
        let found = 0;
        for (const id of matching(filter, low, Math.min(high, (place ?? newest + 1) - 1), limits)) {
          if (!times.isWithin(id, from, to)) continue;
          found += 1;
          if (found > offset) ids.push(id);
          if (ids.length > page.size) break;
        }
        const more = ids.length > page.size;
        const items = load(ids.slice(0, page.size), mostBytes);
        const next = more
          ? (items.at(-1)?.id ?? null)
          : limits.reached === null
            ? null
            : (uidFrom.get(limits.reached) ?? null);
        const isAll = Object.values(filter).every((value) => value === undefined);
        return { items, total: isAll ? newest : found, isWhole: isAll || (next === null && !more), next };
      }),
  };
}

export interface Limits {
  steps: { left: number; block: number };
  rows: { left: number };
  /** Down to which evaluation a search that was cut short came; null when it was not. */
  reached: number | null;
}
