import { eq, sql } from 'drizzle-orm';
import { recentActionsLimit } from '../../schemas/evaluation-sessions.ts';
import type { StoredAction } from '../store.ts';
import type { Sqlite } from './database.ts';
import { prepareHotRead } from './hot-statement.ts';
import { evaluations } from './tables.ts';

export type EvaluationRow = typeof evaluations.$inferSelect;

/** The evaluations of a session, followed backwards from its last one. */
export interface EvaluationChain {
  /** Newest first, at most 50. */
  readRecent(lastEvaluationId: number | null): StoredAction[];
  /** Newest first, leaving out the newest `offset`. */
  readPage(last: { id: number | null; seq: number }, offset: number, size: number): EvaluationRow[];
}

export function createEvaluationChain({ client, db }: Pick<Sqlite, 'client' | 'db'>): EvaluationChain {
  const byId = db
    .select()
    .from(evaluations)
    .where(eq(evaluations.id, sql.placeholder('id')))
    .prepare();
  // Without the content and the rest of the row: up to fifty are read for one answer.
  const action = {
    previousId: evaluations.previousId,
    seq: evaluations.seq,
    tool: evaluations.tool,
    targetKey: evaluations.targetKey,
    dataTags: evaluations.dataTags,
    enforcementAction: evaluations.enforcementAction,
    severity: evaluations.enforcedSeverity,
    at: evaluations.createdAt,
  };
  const actionById = prepareHotRead(
    client,
    action,
    db
      .select(action)
      .from(evaluations)
      .where(eq(evaluations.id, sql.placeholder('id'))),
    ['id'],
  );
  const links = client.prepare<[number], { previous_id: number | null; mark_id: number | null }>(
    'SELECT previous_id, mark_id FROM evaluations WHERE id = ?',
  );

  function readBack<Row extends { previousId: number | null }>(
    from: number | null,
    size: number,
    find: (id: number) => Row | undefined,
  ): Row[] {
    const rows: Row[] = [];
    let id = from;
    while (id !== null && rows.length < size) {
      const row = find(id);
      if (!row) throw new Error(`evaluation ${id} is linked to and missing`);
      rows.push(row);
      id = row.previousId;
    }
    return rows;
  }

  /** The evaluation `wanted` of the session: by marks as long as none is passed, then one by one. */
  function seek(last: { id: number | null; seq: number }, wanted: number): number | null {
    let { id, seq } = last;
    while (id !== null && seq > wanted) {
      const link = links.get(id);
      const mark = lastMarkBefore(seq);
      const jump = mark >= wanted && mark > 0;
      id = (jump ? link?.mark_id : link?.previous_id) ?? null;
      seq = jump ? mark : seq - 1;
    }
    return id;
  }

  return {
    readRecent: (lastEvaluationId) =>
      readBack(lastEvaluationId, recentActionsLimit, (id) => actionById.get(id)).map(
        ({ previousId: _, ...row }) => ({
          ...row,
          seq: row.seq ?? 0,
          dataTags: row.dataTags ? (JSON.parse(row.dataTags) as string[]) : [],
        }),
      ),
    readPage(last, offset, size) {
      const wanted = last.seq - offset;
      return wanted < 1 ? [] : readBack(seek(last, wanted), size, (id) => byId.get({ id }));
    },
  };
}

/** Every how many actions one is marked. */
export const markEvery = 100;

const lastMarkBefore = (seq: number): number => Math.floor((seq - 1) / markEvery) * markEvery;
