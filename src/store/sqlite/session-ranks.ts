import { and, asc, count, eq, gte, type SQL, sql } from 'drizzle-orm';
import type { Sqlite } from './database.ts';
import { evaluationSessions } from './tables.ts';

/** Pages of all the sessions of an integration (null: of everyone), at the same cost however many there are and however deep the page. */
export interface SessionRanks {
  count(integrationRow: number | null): number;
  /** Rows of the sessions, newest first, leaving out the newest `offset`. */
  rowsAt(integrationRow: number | null, page: { limit: number; offset: number }): number[];
}

/** Every how many sessions one is remembered. */
const apart = 1_000;

/**
 * Sessions are never deleted and get growing row ids, whoever opens them: the nth oldest of an integration stays the nth,
 * so what was remembered of it is true for ever, and counting goes on from there. To be asked outside of changes only:
 * what a change opens may be rolled back.
 */
export function createSessionRanks({ db }: Pick<Sqlite, 'db'>): SessionRanks {
  const { id, integrationId } = evaluationSessions;
  const prepare = (from: SQL | undefined) => ({
    counted: db.select({ count: count() }).from(evaluationSessions).where(from).prepare(),
    rows: db
      .select({ id })
      .from(evaluationSessions)
      .where(from)
      .orderBy(asc(id))
      .limit(sql.placeholder('limit'))
      .offset(sql.placeholder('offset'))
      .prepare(),
  });
  const from = gte(id, sql.placeholder('from'));
  const ofOne = prepare(and(eq(integrationId, sql.placeholder('integrationRow')), from));
  const ofAll = prepare(from);
  const queries = (integrationRow: number | null) => (integrationRow === null ? ofAll : ofOne);
  /** By integration: the row ids of the oldest session, of the 1,000th after it, and so on. */
  const marks = new Map<number | null, number[]>();

  function marksOf(integrationRow: number | null): number[] {
    let known = marks.get(integrationRow);
    if (!known) {
      known = [];
      marks.set(integrationRow, known);
    }
    for (;;) {
      const last = known.at(-1);
      const step = { integrationRow, from: last ?? 0, limit: 1, offset: last === undefined ? 0 : apart };
      const next = queries(integrationRow).rows.get(step);
      if (!next) return known;
      known.push(next.id);
    }
  }

  function countFrom(integrationRow: number | null, known: readonly number[]): number {
    const last = known.at(-1);
    if (last === undefined) return 0;
    return (
      (known.length - 1) * apart +
      (queries(integrationRow).counted.get({ integrationRow, from: last })?.count ?? 0)
    );
  }

  return {
    count: (integrationRow) => countFrom(integrationRow, marksOf(integrationRow)),
    rowsAt(integrationRow, { limit, offset }) {
      const known = marksOf(integrationRow);
      const end = countFrom(integrationRow, known) - offset;
      if (end <= 0) return [];
      const start = Math.max(0, end - limit);
      const mark = Math.floor(start / apart);
      return queries(integrationRow)
        .rows.all({
          integrationRow,
          from: known[mark] ?? 0,
          limit: end - start,
          offset: start - mark * apart,
        })
        .map((row) => row.id)
        .reverse();
    },
  };
}
