import type { Sqlite } from './database.ts';
import { hideValues } from './stable-plan.ts';

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
