import { and, asc, inArray, lt, sql } from 'drizzle-orm';
import type { CounterStore } from '../../evaluate/counters/counters.ts';
import type { CounterScopes } from '../../evaluate/sqlite/counter-scopes.ts';
import type { Sqlite } from './database.ts';
import { counterCells, counterScopes, countingSessions, sessionCells, sessionStates } from './tables.ts';

/** A step deletes so many of each: a few milliseconds. */
const mostDeleted = 500;

export function createEndedCounters(
  { db, writer }: Pick<Sqlite, 'db' | 'writer'>,
  scopes: Pick<CounterScopes, 'forget'>,
): Pick<CounterStore, 'forgetEnded'> {
  function deleteCells(before: number): number {
    const ended = db
      .select({ place: sql`${counterCells.integrationId}, ${counterCells.scope}, ${counterCells.key}` })
      .from(counterCells)
      .where(lt(counterCells.endsAt, before))
      .orderBy(asc(counterCells.endsAt))
      .limit(mostDeleted);
    return db
      .delete(counterCells)
      .where(sql`(${counterCells.integrationId}, ${counterCells.scope}, ${counterCells.key}) IN (${ended})`)
      .run().changes;
  }

  function deleteScopes(before: number): number {
    const ended = db
      .select({ place: sql`${counterScopes.integrationId}, ${counterScopes.scope}` })
      .from(counterScopes)
      .where(lt(counterScopes.endsAt, before))
      .orderBy(asc(counterScopes.endsAt))
      .limit(mostDeleted);
    return db
      .delete(counterScopes)
      .where(sql`(${counterScopes.integrationId}, ${counterScopes.scope}) IN (${ended})`)
      .run().changes;
  }

  /** A session's cells go a few at a time, its state last. */
  function emptySessions(before: number): number {
    const ended = db
      .select()
      .from(countingSessions)
      .where(lt(countingSessions.endsAt, before))
      .orderBy(asc(countingSessions.endsAt))
      .limit(mostDeleted)
      .all();
    const last = ended.at(-1);
    if (!last) return 0;
    const sessionRows = ended.map(({ sessionId }) => sessionId);
    const cells = db
      .select({ place: sql`${sessionCells.sessionId}, ${sessionCells.key}` })
      .from(sessionCells)
      .where(inArray(sessionCells.sessionId, sessionRows))
      .limit(mostDeleted);
    const { changes } = db
      .delete(sessionCells)
      .where(sql`(${sessionCells.sessionId}, ${sessionCells.key}) IN (${cells})`)
      .run();
    if (changes === mostDeleted) return mostDeleted;
    db.update(sessionStates)
      .set({ counters: null })
      .where(inArray(sessionStates.sessionId, sessionRows))
      .run();
    db.delete(countingSessions)
      .where(and(lt(countingSessions.endsAt, before), inArray(countingSessions.sessionId, sessionRows)))
      .run();
    return ended.length;
  }

  return {
    forgetEnded: (before) =>
      writer.run(() => {
        const deleted = [deleteCells(before), deleteScopes(before), emptySessions(before)];
        if (deleted.some((count) => count > 0)) scopes.forget();
        return deleted.some((count) => count === mostDeleted);
      }),
  };
}
