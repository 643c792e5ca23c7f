import { desc, eq, inArray } from 'drizzle-orm';
import {
  blockOf,
  blockSize,
  type EvaluationBlocks,
  type Facet,
} from '../../../evaluate/sqlite/evaluation-blocks.ts';
import type { EvaluationRow } from '../../../evaluate/sqlite/evaluation-chain.ts';
import { namesIn } from '../../../sql/wide-texts.ts';
import type { EvaluationFilter, EvaluationStore, StoredEvaluation } from '../../evaluations.ts';
import { offsetOf } from '../../pages.ts';
import type { Client } from '../client.ts';
import type { Sqlite } from '../database.ts';
import { hideValues } from '../hot-statement.ts';
import { evaluationSessions, evaluations, integrations } from '../tables.ts';
import { createEvaluationTimes, withSlack } from './evaluation-times.ts';
import { listedEvaluation } from './listed-columns.ts';

/** The rows of an entity's evaluations up to `high`, newest first, whatever their sessions and integrations. */
type EntityEvaluations = (
  entityId: string,
  high: number,
  limits: { rows: { left: number }; reached: number | null },
) => Generator<number>;

/** Follows the evaluations of all sessions of the entity backwards at once, always from the newest one. */
function createEntityEvaluations({ client }: { client: Client }): EntityEvaluations {
  const ends = client
    .prepare<[string], number>(
      hideValues(`SELECT states.last_evaluation_id FROM integrations
        CROSS JOIN evaluation_sessions AS sessions ON sessions.integration_id = integrations.row AND sessions.entity_id = ?
        JOIN session_states AS states ON states.session_id = sessions.id
        WHERE states.last_evaluation_id IS NOT NULL`),
    )
    .pluck();
  const previousOf = client
    .prepare<[number], number | null>(hideValues('SELECT previous_id FROM evaluations WHERE id = ?'))
    .pluck();

  return function* (entityId, high, limits) {
    // A heap would be faster for thousands of sessions that are interleaved; most entities have a few at a time.
    const open = ends.all(entityId).sort((a, b) => a - b);
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      limits.rows.left -= 1;
      if (limits.rows.left < 0) {
        limits.reached = id + 1;
        return;
      }
      if (id <= high) yield id;
      const previous = previousOf.get(id) ?? null;
      if (previous === null || previous === 0) continue;
      open.splice(place(open, previous), 0, previous);
    }
  };
}

/** Where a number belongs in a list in ascending order. */
function place(list: readonly number[], wanted: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle] as number) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

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
    db.select({ id: integrations.row }).from(integrations).where(eq(integrations.id, id.toLowerCase())).get()
      ?.id ?? -1;

  const rowsOf = ({ from, to }: EvaluationFilter, newest: number): [number, number] =>
    withSlack(from === undefined ? 1 : times.before(from) + 1, to === undefined ? newest : times.before(to));

  /** Ids that match, newest first, from `high` down to `low`. */
  function* matching(filter: EvaluationFilter, low: number, high: number, limits: Limits): Generator<number> {
    const { integrationId, entityId, correlationId, traceId } = filter;
    const owner = integrationId === undefined ? null : integrationRow(integrationId);
    const conditions = conditionsOf(filter, owner);
    const { facets, where, values } = conditions;
    if (entityId !== undefined) {
      yield* matchingOfEntity(entityId, [low, high], conditions, limits);
      return;
    }
    const between = client
      .prepare<unknown[], number>(
        `SELECT id FROM evaluations WHERE id BETWEEN ? AND ?${where} ORDER BY id DESC`,
      )
      .pluck();
    const idsIn = (from: number, to: number) =>
      between.iterate(from, to, ...values) as IterableIterator<number>;
    // Their own indexes find few; and without a value every row matches.
    const isFew = correlationId !== undefined || traceId !== undefined;
    if (isFew || facets.length === 0) yield* idsIn(low, high);
    else yield* matchingInBlocks(facets, [low, high], limits, (from, to) => [...idsIn(from, to)]);
  }

  function* matchingOfEntity(
    entityId: string,
    [low, high]: [number, number],
    { where, values }: Conditions,
    limits: Limits,
  ): Generator<number> {
    const one = client.prepare<unknown[], number>(`SELECT id FROM evaluations WHERE id = ?${where}`).pluck();
    for (const id of ofEntity(entityId.toLowerCase(), high, limits)) {
      if (id < low) return;
      if (one.get(id, ...values) !== undefined) yield id;
    }
  }

  function* within(filter: EvaluationFilter, low: number, high: number, limits: Limits): Generator<number> {
    for (const id of matching(filter, low, high, limits))
      if (times.isWithin(id, filter.from, filter.to)) yield id;
  }

  /** Reads a block at a time: the caller may stop in the middle of one. */
  function* matchingInBlocks(
    facets: [Facet, string][],
    [low, high]: [number, number],
    limits: Limits,
    idsIn: (from: number, to: number) => readonly number[],
  ): Generator<number> {
    for (let block = blocks.last(facets, blockOf(high), limits.steps); block !== null; ) {
      const first: number = block * blockSize;
      if (first + blockSize <= low) return;
      limits.rows.left -= blockSize;
      if (limits.rows.left < 0) {
        limits.reached = first + blockSize;
        return;
      }
      yield* idsIn(Math.max(low, first), Math.min(high, first + blockSize - 1));
      block = first <= low ? null : blocks.last(facets, block - 1, limits.steps);
    }
    limits.reached = limits.steps.left >= 0 ? null : (limits.steps.block + 1) * blockSize;
  }

  function load(ids: readonly number[], mostBytes: number) {
    if (ids.length === 0) return [];
    return db
      .select({
        row: listedEvaluation(mostBytes),
        sessionId: evaluationSessions.uid,
        integrationId: integrations.id,
      })
      .from(evaluations)
      .innerJoin(integrations, eq(integrations.row, evaluations.integrationId))
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

  /** Where a search that was cut short goes on; null when it was not. */
  const goOnAt = ({ reached }: Limits): string | null =>
    reached === null ? null : (uidFrom.get(reached) ?? null);

  return {
    search: (filter, page, mostBytes) =>
      read(() => {
        const { before } = filter;
        const place = before === undefined ? undefined : rowOf(before);
        if (before !== undefined && place === undefined) return null;
        const newest = times.last();
        const [low, high] = rowsOf(filter, newest);
        const limits: Limits = {
          steps: { left: mostSteps, block: 0 },
          rows: { left: mostRows },
          reached: null,
        };
        const matches = within(filter, low, Math.min(high, (place ?? newest + 1) - 1), limits);
        const { ids, found } = pageOf(matches, offsetOf(page), page.size);
        const more = ids.length > page.size;
        const items = load(ids.slice(0, page.size), mostBytes);
        const next = more ? (items.at(-1)?.id ?? null) : goOnAt(limits);
        const isAll = Object.values(filter).every((value) => value === undefined);
        return {
          items,
          total: isAll ? newest : found,
          isWhole: isAll || (next === null && !more),
          next,
        };
      }),
  };
}

/** The ids of a page, and one more where there is more; `found`: how many were passed. */
function pageOf(matches: Iterable<number>, offset: number, size: number): { ids: number[]; found: number } {
  const ids: number[] = [];
  let found = 0;
  for (const id of matches) {
    found += 1;
    if (found > offset) ids.push(id);
    if (ids.length > size) break;
  }
  return { ids, found };
}

interface Limits {
  steps: { left: number; block: number };
  rows: { left: number };
  /** Down to which evaluation a search that was cut short came; null when it was not. */
  reached: number | null;
}

interface Conditions {
  /** For the index of blocks. */
  facets: [Facet, string][];
  /** The rest of a WHERE clause, and its values. */
  where: string;
  values: (string | number)[];
}

/** `owner`: the row of the integration; null for all. */
function conditionsOf(filter: EvaluationFilter, owner: number | null): Conditions {
  const { tool, enforcementAction, dataTag, ruleId, correlationId, traceId } = filter;
  const conditions: Conditions = { facets: [], where: '', values: [] };
  const add = (facet: Facet | null, condition: string, value: string | number | null | undefined): void => {
    if (value === null || value === undefined) return;
    if (facet) conditions.facets.push([facet, String(value)]);
    conditions.where += ` AND ${condition}`;
    conditions.values.push(value);
  };
  add('integration', 'integration_id = ?', owner);
  add('tool', 'tool = ?', tool);
  add('action', 'enforcement_action = ?', enforcementAction);
  add('tag', 'EXISTS (SELECT 1 FROM json_each(data_tags) WHERE value = ?)', dataTag);
  add('rule', "EXISTS (SELECT 1 FROM json_each(violations) WHERE value ->> 'ruleId' = ?)", ruleId);
  add(null, 'correlation_id = ?', correlationId);
  add(null, 'trace_id = ?', traceId);
  return conditions;
}
