import { and, count, desc, eq, gt, gte, inArray, lt, lte, max, type SQL, sql } from 'drizzle-orm';
import type { EvaluationFilter, EvaluationSearch, EvaluationStore } from '../../evaluations.ts';
import { mostCounted, offsetOf } from '../../pages.ts';
import type { Db, Postgres } from '../database.ts';
import { evaluationSessions, evaluations, statsProgress } from '../tables.ts';
import { selectEvaluations, toListed } from './evaluation-reads.ts';

/**
 * The first position made at that time or later, found by halves: positions are drawn in the order of time, nearly. In one
 * statement, since each of some twenty would take longer than its step.
 */
export async function positionAt(db: Db, time: number, last: number): Promise<number> {
  const { rows } = await db.execute<{ low: number }>(sql`
    WITH RECURSIVE halves (low, high) AS (
      SELECT 0::bigint, ${last}::bigint
      UNION ALL
      SELECT CASE WHEN next.created_at < ${time}::float8 THEN next.position + 1 ELSE low END,
        CASE WHEN next.created_at < ${time}::float8 THEN high ELSE (low + high) / 2 END
      FROM halves LEFT JOIN LATERAL (
        SELECT position, created_at FROM evaluations WHERE position >= (low + high) / 2 ORDER BY position LIMIT 1
      ) AS next ON true
      WHERE low < high
    )
    SELECT low FROM halves WHERE low >= high`);
  return Number(rows[0]?.low ?? 0);
}

/** How far from the order of time a position may be: a change may wait for its locks. */
export const slackMs = 10_000;

/** Positions that the first step looks at without an index; each further one looks at four times as many. */
const firstStep = 50_000;
/** Blocks that a step reads, and steps: a search for values that rarely come together is cut short, as on SQLite. */
const blocksInStep = 32;
const mostSteps = 2;
/** When no further step is begun: the search says where to go on. */
const longestMs = 250;

export function createEvaluationSearch({ read }: Pick<Postgres, 'read'>): Pick<EvaluationStore, 'search'> {
  const { position } = evaluations;

  async function bounds(
    db: Db,
    { before, from, to }: EvaluationFilter,
  ): Promise<{ low: number; high: number } | null> {
    const [newest] = await db.select({ position }).from(evaluations).orderBy(desc(position)).limit(1);
    const last = newest?.position ?? 0;
    const low = from === undefined ? 0 : await positionAt(db, from - slackMs, last);
    const high = to === undefined ? last : await positionAt(db, to + slackMs, last);
    if (before === undefined) return { low, high };
    const [place] = await db.select({ position }).from(evaluations).where(eq(evaluations.id, before));
    return place ? { low, high: Math.min(high, place.position - 1) } : null;
  }

  return {
    search: (filter, page, mostBytes) =>
      read(async (db): Promise<EvaluationSearch | null> => {
        const within = await bounds(db, filter);
        if (!within) return null;
        const offset = offsetOf(page);
        const most = offset + page.size + 1;
        const { positions, reached } = await findPositions(db, filter, within, most);
        const shown = positions.slice(offset, offset + page.size);
        const hasMore = positions.length === most;
        const items =
          shown.length === 0
            ? []
            : (await selectEvaluations(db, inArray(position, shown), mostBytes).orderBy(desc(position))).map(
                toListed,
              );
        const next = hasMore ? (items.at(-1)?.id ?? null) : reached;
        const isAll = Object.values(filter).every((value) => value === undefined);
        const all = isAll ? await countAll(db) : null;
        if (all !== null) return { items, total: all, isWhole: true, next };
        return { items, total: positions.length, isWhole: next === null, next };
      }),
  };
}

interface Found {
  positions: number[];
  /** The evaluation to go on from when the search was cut short. */
  reached: string | null;
}

/** The evaluations that match, newest first. */
async function findPositions(
  db: Db,
  filter: EvaluationFilter,
  { low, high }: { low: number; high: number },
  most: number,
): Promise<Found> {
  const { position } = evaluations;
  const where = matching(db, filter);
  const endAt = performance.now() + longestMs;
  const positions: number[] = [];
  const isEnough = (): boolean => positions.length >= most;
  const within = (from: number, upTo: number): SQL | undefined =>
    and(gte(position, from), lte(position, upTo), where);
  const add = (rows: readonly { position: number }[]): unknown =>
    positions.push(...rows.slice(0, most - positions.length).map((row) => row.position));

  const values = filter.entityId || filter.correlationId || filter.traceId ? [] : indexedValues(filter);
  const indexed = values.length === 0 ? 0 : Math.min(high, await indexedUpTo(db));
  const lowest = Math.max(low, indexed + 1);
  let top = high;
  for (let step = firstStep; top >= lowest && !isEnough(); step *= 4) {
    if (performance.now() > endAt) return { positions, reached: await nextAfter(db, top) };
    const bottom = Math.max(lowest, top - step + 1);
    const rows = await db
      .select({ position })
      .from(evaluations)
      .where(within(bottom, top))
      .orderBy(desc(position))
      .limit(most - positions.length);
    add(rows);
    top = bottom - 1;
  }
  for (let step = 0; values.length > 0 && top >= low && !isEnough(); step++) {
    if (step === mostSteps) return { positions, reached: await nextAfter(db, top) };
    const blocks = await lastBlocks(db, values, Math.floor(top / blockSize), blocksInStep);
    // Sorted here: the database would rather read all evaluations in their order than those of some blocks.
    const rows = await db
      .select({ position })
      .from(evaluations)
      .where(and(inBlocks(blocks), within(low, top)));
    add(rows.sort((one, other) => other.position - one.position));
    if (blocks.length < blocksInStep) break;
    top = (blocks.at(-1) as number) * blockSize - 1;
  }
  return { positions, reached: null };
}

async function nextAfter(db: Db, place: number): Promise<string | null> {
  const { id, position } = evaluations;
  const [next] = await db
    .select({ id })
    .from(evaluations)
    .where(gt(position, place))
    .orderBy(position)
    .limit(1);
  return next?.id ?? null;
}

/** Null when there are too many to count. */
async function countAll(db: Db): Promise<number | null> {
  const some = db
    .select({ id: evaluations.id })
    .from(evaluations)
    .limit(mostCounted + 1)
    .as('some');
  const [counted] = await db.select({ total: count() }).from(some);
  const total = counted?.total ?? 0;
  return total > mostCounted ? null : total;
}

function matching(db: Db, filter: EvaluationFilter): SQL | undefined {
  const {
    from,
    to,
    integrationId,
    tool,
    enforcementAction,
    ruleId,
    dataTag,
    entityId,
    correlationId,
    traceId,
  } = filter;
  const ofEntity = (entity: string) =>
    db
      .select({ id: evaluationSessions.id })
      .from(evaluationSessions)
      .where(eq(evaluationSessions.entityId, entity));
  return and(
    from === undefined ? undefined : gte(evaluations.createdAt, from),
    to === undefined ? undefined : lt(evaluations.createdAt, to),
    integrationId === undefined ? undefined : eq(evaluations.integrationId, integrationId),
    tool === undefined ? undefined : eq(evaluations.tool, tool),
    enforcementAction === undefined ? undefined : eq(evaluations.enforcementAction, enforcementAction),
    ruleId === undefined
      ? undefined
      : sql`${mentions(evaluations.violations, ruleId)} AND EXISTS (SELECT 1 FROM json_array_elements(${evaluations.violations}::json) AS v WHERE v ->> 'ruleId' = ${ruleId})`,
    dataTag === undefined
      ? undefined
      : sql`${mentions(evaluations.dataTags, dataTag)} AND EXISTS (SELECT 1 FROM json_array_elements_text(${evaluations.dataTags}::json) AS tag WHERE tag = ${dataTag})`,
    entityId === undefined ? undefined : inArray(evaluations.sessionId, ofEntity(entityId.toLowerCase())),
    correlationId === undefined ? undefined : eq(evaluations.correlationId, correlationId),
    traceId === undefined ? undefined : eq(evaluations.traceId, traceId),
  );
}

/** Whether a JSON text has this string anywhere: most rows have not, and reading their JSON would take three times as long. */
const mentions = (column: typeof evaluations.violations | typeof evaluations.dataTags, text: string): SQL =>
  sql`strpos(${column}, ${JSON.stringify(text)}) > 0`;

/** Positions of a block: a search reads the evaluations of all blocks in which what it looks for occurs. */
const blockSize = 128;
/** Positions that are indexed in one change, and the time after which no further change is begun. */
const indexedAtOnce = 10_000;
const longestIndexingMs = 1_000;

type Facet = 'integration' | 'tool' | 'action' | 'tag' | 'rule';

/** Strings of JSON keep their quotes and escapes: `\u0000` would be an error as text. */
const jsonString = '"(?:[^"\\\\]|\\\\.)*"';
const stringsIn = sql.raw(`'(${jsonString})'`);
const ruleIdsIn = sql.raw(`'"ruleId":(${jsonString})'`);

/**
 * Adds the evaluations up to `last` to the index, for a second at most. They are indexed after they were recorded, so that
 * recording costs nothing more; a search reads what is not indexed yet.
 */
export async function indexEvaluations({ change }: Pick<Postgres, 'change'>, last: number): Promise<void> {
  const endAt = performance.now() + longestIndexingMs;
  const step = () =>
    change(async (tx) => {
      const [progress] = await tx.select().from(statsProgress).for('update', { skipLocked: true });
      if (!progress || progress.indexedPosition >= last) return false;
      const upTo = Math.min(last, progress.indexedPosition + indexedAtOnce);
      await tx.execute(indexing(progress.indexedPosition, upTo));
      await tx.update(statsProgress).set({ indexedPosition: upTo });
      return upTo < last;
    });
  while ((await step()) && performance.now() < endAt);
}

const indexing = (after: number, upTo: number): SQL => sql`
  INSERT INTO evaluation_blocks (block, value)
  SELECT block, md5(facet || ' ' || text)::uuid FROM (
    SELECT DISTINCT position / ${blockSize}::bigint AS block, facet, text FROM evaluations, LATERAL (
      VALUES ('integration', integration_id::text), ('tool', tool), ('action', enforcement_action)
      UNION ALL SELECT 'tag', found[1] FROM regexp_matches(data_tags, ${stringsIn}, 'g') AS found
      UNION ALL SELECT 'rule', found[1] FROM regexp_matches(violations, ${ruleIdsIn}, 'g') AS found
    ) AS searched (facet, text)
    WHERE position > ${after} AND position <= ${upTo}
  ) AS found
  ON CONFLICT DO NOTHING`;

/** Evaluations up to this position are indexed. */
async function indexedUpTo(db: Db): Promise<number> {
  const [progress] = await db.select({ position: max(statsProgress.indexedPosition) }).from(statsProgress);
  return progress?.position ?? 0;
}

/** The indexed part of a filter, as `value` has it. */
function indexedValues({ integrationId, tool, enforcementAction, dataTag, ruleId }: EvaluationFilter): SQL[] {
  const values: [Facet, string | undefined][] = [
    ['integration', integrationId?.toLowerCase()],
    ['tool', tool],
    ['action', enforcementAction],
    ['tag', dataTag && JSON.stringify(dataTag)],
    ['rule', ruleId && JSON.stringify(ruleId)],
  ];
  return values.flatMap(([facet, text]) =>
    text === undefined ? [] : [sql`md5(${`${facet} ${text}`})::uuid`],
  );
}

/** The last blocks up to `block` in which all of the values occur, the last one first. */
async function lastBlocks(
  db: Db,
  [first, ...others]: readonly SQL[],
  block: number,
  most: number,
): Promise<number[]> {
  const alsoHas = (value: SQL): SQL =>
    sql` AND EXISTS (SELECT 1 FROM evaluation_blocks AS other WHERE other.block = one.block AND other.value = ${value})`;
  const { rows } = await db.execute<{ block: number }>(sql`
    SELECT block FROM evaluation_blocks AS one WHERE value = ${first} AND block <= ${block}${sql.join(others.map(alsoHas))}
    ORDER BY block DESC LIMIT ${most}`);
  return rows.map((row) => Number(row.block));
}

/** The positions one by one: of ranges the database would not see how few they are. */
const inBlocks = (blocks: readonly number[]): SQL => sql`${evaluations.position} = ANY (ARRAY(
  SELECT block * ${blockSize}::bigint + place
  FROM unnest(${`{${blocks.join()}}`}::bigint[]) AS block, generate_series(0, ${blockSize - 1}::bigint) AS place))`;
