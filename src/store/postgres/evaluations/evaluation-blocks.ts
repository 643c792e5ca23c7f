import { max, type SQL, sql } from 'drizzle-orm';
import type { EvaluationFilter } from '../../evaluations.ts';
import type { Db, Postgres } from '../database.ts';
import { evaluations, statsProgress } from '../tables.ts';

/** Positions of a block: a search reads the evaluations of all blocks in which what it looks for occurs. */
export const blockSize = 128;
/** Positions that are indexed in one change, and the time after which no further change is begun. */
const indexedAtOnce = 10_000;
const longestMs = 1_000;

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
  const endAt = performance.now() + longestMs;
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
export async function indexedUpTo(db: Db): Promise<number> {
  const [progress] = await db.select({ position: max(statsProgress.indexedPosition) }).from(statsProgress);
  return progress?.position ?? 0;
}

/** The indexed part of a filter, as `value` has it. */
export function indexedValues({
  integrationId,
  tool,
  enforcementAction,
  dataTag,
  ruleId,
}: EvaluationFilter): SQL[] {
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
export async function lastBlocks(
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
export const inBlocks = (blocks: readonly number[]): SQL => sql`${evaluations.position} = ANY (ARRAY(
  SELECT block * ${blockSize}::bigint + place
  FROM unnest(${`{${blocks.join()}}`}::bigint[]) AS block, generate_series(0, ${blockSize - 1}::bigint) AS place))`;
