import { and, asc, eq, gt, lte, sql } from 'drizzle-orm';
import type { NamedSession } from '../evaluations.ts';
import type { Sqlite } from './database.ts';
import { evaluationSessions, namedSessions } from './tables.ts';

/** Synchronous: it runs inside a change. */
export interface NamedSessionRows {
  /** The id of the live session of the name; null when there is none. */
  find(integrationRow: number, named: Pick<NamedSession, 'name' | 'usedAfter'>, now: number): string | null;
  /** Makes the session that of the name, and forgets two names out of use: the table cannot grow faster than it shrinks. */
  use(integrationRow: number, named: NamedSession, sessionRow: number, now: number): void;
}

export function createNamedSessionRows({ db }: Pick<Sqlite, 'db'>): NamedSessionRows {
  const { placeholder } = sql;
  const byName = db
    .select({ id: evaluationSessions.uid })
    .from(namedSessions)
    .innerJoin(evaluationSessions, eq(evaluationSessions.id, namedSessions.sessionId))
    .where(
      and(
        eq(namedSessions.integrationId, placeholder('integrationRow')),
        eq(namedSessions.name, placeholder('name')),
        gt(namedSessions.usedAt, placeholder('usedAfter')),
        eq(evaluationSessions.status, 'ACTIVE'),
        gt(evaluationSessions.expiresAt, placeholder('now')),
      ),
    )
    .prepare();
  const upsert = db
    .insert(namedSessions)
    .values({
      integrationId: placeholder('integrationRow'),
      name: placeholder('name'),
      sessionId: placeholder('sessionRow'),
      usedAt: placeholder('now'),
    })
    .onConflictDoUpdate({
      target: [namedSessions.integrationId, namedSessions.name],
      // The times of parallel requests come out of order: an older one must not shorten what a newer one gave.
      set: { sessionId: sql`excluded.session_id`, usedAt: sql`max(used_at, excluded.used_at)` },
    })
    .prepare();
  const stale = db
    .select({ rowid: sql`rowid` })
    .from(namedSessions)
    .where(lte(namedSessions.usedAt, placeholder('usedAfter')))
    .orderBy(asc(namedSessions.usedAt))
    .limit(2);
  const forget = db.delete(namedSessions).where(sql`rowid IN (${stale})`).prepare();

  return {
    find: (integrationRow, { name, usedAfter }, now) =>
      byName.get({ integrationRow, name, usedAfter, now })?.id ?? null,
    use(integrationRow, { name, usedAfter }, sessionRow, now) {
      upsert.run({ integrationRow, name, sessionRow, now });
      forget.run({ usedAfter });
    },
  };
}
