import { and, asc, eq, gte, sql } from 'drizzle-orm';
import { recentActionColumns, toRecentAction } from '../../features/sessions/store.ts';
import { recentActionsLimit } from '../../features/sessions/words.ts';
import type { Sqlite } from '../../store/sqlite/database.ts';
import { listedEvaluation } from '../../store/sqlite/evaluations/listed-columns.ts';
import { hideValues, prepareHotRead } from '../../store/sqlite/hot-statement.ts';
import { sessionMarks } from '../../store/sqlite/tables/evaluation-sessions.ts';
import { evaluations } from '../../store/sqlite/tables/evaluations.ts';
import type { SessionAction } from '../../store/store.ts';

export type EvaluationRow = typeof evaluations.$inferSelect;
export type ListedRow = EvaluationRow & { omitted: string };

/** An evaluation by its place among all that its session has recorded, from 1. */
export interface Place {
  sessionRow: number;
  place: number;
  /** Null when the session has none. */
  evaluationId: number | null;
}

/** The evaluations of a session, followed backwards from its last one. */
export interface EvaluationChain {
  /** Actions only, newest first, at most 50. */
  readRecent(lastActionId: number | null): SessionAction[];
  /** Newest first, leaving out the newest `offset`. */
  readPage(last: Place, offset: number, size: number, mostBytes: number): ListedRow[];
  /** Remembers where every 100th evaluation of a session is. Synchronous: it runs inside a change. */
  mark(place: Place): void;
}

/** A page is reached by one look-up and at most so many links. */
const markEvery = 100;

export function createEvaluationChain({
  client,
  db,
  steady,
}: Pick<Sqlite, 'client' | 'db' | 'steady'>): EvaluationChain {
  const { placeholder } = sql;
  const byId = steady
    .select(listedEvaluation(sql`${placeholder('mostBytes')}`))
    .from(evaluations)
    .where(eq(evaluations.id, placeholder('id')))
    .prepare();
  const action = {
    previousId: sql<number | null>`coalesce(${evaluations.previousActionId}, ${evaluations.previousId})`,
    ...recentActionColumns(evaluations),
  };
  const actionById = prepareHotRead(
    client,
    action,
    db
      .select(action)
      .from(evaluations)
      .where(eq(evaluations.id, placeholder('id'))),
    ['id'],
  );
  const previousOf = client.prepare<[number], number | null>(
    hideValues('SELECT previous_id FROM evaluations WHERE id = ?'),
  );
  previousOf.pluck();
  const nextMark = steady
    .select({ place: sessionMarks.seq, evaluationId: sessionMarks.evaluationId })
    .from(sessionMarks)
    .where(
      and(
        eq(sessionMarks.sessionId, placeholder('sessionRow')),
        gte(sessionMarks.seq, placeholder('wanted')),
      ),
    )
    .orderBy(asc(sessionMarks.seq))
    .limit(1)
    .prepare();
  const insertMark = steady
    .insert(sessionMarks)
    .values({
      sessionId: placeholder('sessionRow'),
      seq: placeholder('place'),
      evaluationId: placeholder('evaluationId'),
    })
    .prepare();

  function readBack<Row extends { previousId: number | null }>(
    from: number | null,
    size: number,
    find: (id: number) => Row | undefined,
  ): Row[] {
    const rows: Row[] = [];
    let id = from;
    while (id !== null && id !== 0 && rows.length < size) {
      const row = find(id);
      if (!row) throw new Error(`evaluation ${id} is linked to and missing`);
      rows.push(row);
      id = row.previousId;
    }
    return rows;
  }

  function seek(last: Place, wanted: number): number | null {
    const mark = nextMark.get({ sessionRow: last.sessionRow, wanted });
    let { place, evaluationId: id } = mark ?? last;
    for (; id !== null && place > wanted; place--) id = previousOf.get(id) ?? null;
    return id;
  }

  return {
    readRecent: (lastActionId) =>
      readBack(lastActionId, recentActionsLimit, (id) => actionById.get(id)).map(
        ({ previousId: _, ...row }) => toRecentAction(row),
      ),
    readPage(last, offset, size, mostBytes) {
      const wanted = last.place - offset;
      return wanted < 1 ? [] : readBack(seek(last, wanted), size, (id) => byId.get({ id, mostBytes }));
    },
    mark(place) {
      if (place.place % markEvery === 0) insertMark.run({ ...place });
    },
  };
}
