import { and, eq, gt, sql } from 'drizzle-orm';
import type { Sqlite } from '../../store/sqlite/database.ts';
import { hideValues, prepareHot, prepareHotRead } from '../../store/sqlite/hot-statement.ts';
import { evaluationSessions, namedSessions } from '../../store/sqlite/tables/evaluation-sessions.ts';
import type { NamedSession } from '../evaluation.ts';

/** Synchronous: it runs inside a change. */
export interface NamedSessionRows {
  /** The id of the live session of the name; null when there is none. */
  find(integrationRow: number, named: Pick<NamedSession, 'name' | 'usedAfter'>, now: number): string | null;
  /** Makes the session that of the name, and forgets two names out of use: the table cannot grow faster than it shrinks. */
  use(integrationRow: number, named: NamedSession, sessionRow: number, now: number): void;
}

export function createNamedSessionRows({ client, db }: Pick<Sqlite, 'client' | 'db'>): NamedSessionRows {
  const { placeholder } = sql;
  const fields = { id: evaluationSessions.uid };
  const byName = prepareHotRead(
    client,
    fields,
    db
      .select(fields)
      .from(namedSessions)
      .innerJoin(evaluationSessions, eq(evaluationSessions.id, namedSessions.sessionId))
      .where(
        and(
          eq(namedSessions.integrationId, placeholder('integrationRow')),
          eq(namedSessions.name, placeholder('name')),
          gt(namedSessions.usedAt, placeholder('usedAfter')),
          // As a parameter it would be one more value of every run.
          sql`${evaluationSessions.status} = 'ACTIVE'`,
          gt(evaluationSessions.expiresAt, placeholder('now')),
        ),
      ),
    ['integrationRow', 'name', 'usedAfter', 'now'],
  );
  const upsert = prepareHot<[number, string, number, number]>(
    client,
    db
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
      }),
    ['integrationRow', 'name', 'sessionRow', 'now'],
  );
  const forget = prepareHot<[number]>(
    client,
    db
      .delete(namedSessions)
      .where(
        sql`rowid IN (SELECT rowid FROM ${namedSessions} WHERE used_at <= ${placeholder('usedAfter')} ORDER BY used_at LIMIT 2)`,
      ),
    ['usedAfter'],
  );

  return {
    find: (integrationRow, { name, usedAfter }, now) =>
      byName.get(integrationRow, name, usedAfter, now)?.id ?? null,
    use(integrationRow, { name, usedAfter }, sessionRow, now) {
      upsert.run(integrationRow, name, sessionRow, now);
      forget.run(usedAfter);
    },
  };
}

/** The id of the newest ACTIVE session with an external id; null when there is none. Synchronous: it runs inside a change. */
export function createJoinedSession({
  client,
}: Pick<Sqlite, 'client'>): (
  integrationRow: number,
  externalSessionId: string,
  now: number,
) => string | null {
  // The limit bounds what a key can make others wait for with very many sessions of one name.
  const newest = client
    .prepare<[number, string, number], string>(
      hideValues(`SELECT uid FROM (
          SELECT id, uid, status, expires_at FROM evaluation_sessions
          WHERE integration_id = ? AND external_session_id = ? ORDER BY id DESC LIMIT 100
        ) WHERE status = 'ACTIVE' AND expires_at > ? ORDER BY id DESC LIMIT 1`),
    )
    .pluck();
  return (integrationRow, externalSessionId, now) =>
    newest.get(integrationRow, externalSessionId, now) ?? null;
}
