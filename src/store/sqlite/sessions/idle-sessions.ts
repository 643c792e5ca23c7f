import { statusAt } from '../../../evaluate/session.ts';
import type { RecordedRows } from '../../../evaluate/sqlite/record.ts';
import type { SessionStore } from '../../../features/sessions/store.ts';
import type { Sqlite } from '../database.ts';
import { hideValues } from '../hot-statement.ts';
import { storedOf } from './evaluation-sessions.ts';

/** A step looks at so many sessions: a few milliseconds. */
const mostLooked = 200;

interface Looked {
  uid: string;
  startedAt: number;
  lastEvaluationId: number | null;
  isOver: 0 | 1;
  isIdle: 0 | 1;
}

export function createIdleSessions(
  { client, writer, read }: Pick<Sqlite, 'client' | 'writer' | 'read'>,
  {
    sessions: states,
    integrations,
    counterScopes,
    eventLog,
  }: Pick<RecordedRows, 'sessions' | 'integrations' | 'counterScopes' | 'eventLog'>,
): Pick<SessionStore, 'endIdle'> {
  const look = client.prepare<object, Looked>(
    hideValues(`SELECT session.uid, session.started_at AS startedAt, state.last_evaluation_id AS lastEvaluationId,
        session.expires_at <= @now AS isOver,
        session.has_children = 0
          AND coalesce((SELECT created_at FROM evaluations WHERE id = state.last_evaluation_id), 0) <= @idleSince
          AND NOT EXISTS (SELECT 1 FROM reviews WHERE session_id = session.id
            AND status IN ('PENDING', 'APPROVED') AND expires_at > @now)
          AND NOT EXISTS (SELECT 1 FROM grants WHERE session_id = session.id
            AND closed_at IS NULL AND uses_left IS NOT 0 AND expires_at > @now) AS isIdle
      FROM evaluation_sessions AS session JOIN session_states AS state ON state.session_id = session.id
      WHERE session.ends_when_idle = 1 AND session.status = 'ACTIVE' AND session.started_at <= @idleSince
        AND (session.started_at, session.id) >
          (@afterStart, coalesce((SELECT id FROM evaluation_sessions WHERE uid = @afterId), 0))
      ORDER BY session.started_at, session.id LIMIT ${mostLooked}`),
  );
  const leave = client.prepare<[string]>('UPDATE evaluation_sessions SET ends_when_idle = 0 WHERE uid = ?');

  return {
    async endIdle({ idleSince, now, after }, event) {
      const found = await read(() =>
        look.all({ idleSince, now, afterStart: after?.startedAt ?? 0, afterId: after?.id ?? '' }),
      );
      const done = found.filter(({ isOver, isIdle }) => isOver || isIdle);
      if (done.length > 0) {
        await writer.run(() => {
          for (const { uid, lastEvaluationId } of done) {
            const state = states.findAny(uid);
            if (!state || state.lastEvaluationId !== lastEvaluationId || state.row.hasChildren) continue;
            const status = statusAt(state, now);
            if (status === 'EXPIRED') leave.run(uid);
            if (status !== 'ACTIVE') continue;
            states.end(state, 'COMPLETED', now);
            counterScopes.endSession(state, now);
            const integrationId = integrations.idOf(state.row.integrationId);
            eventLog.append(event(storedOf(state, integrationId, now)));
          }
        });
      }
      const last = found.at(-1);
      return last && found.length === mostLooked ? { startedAt: last.startedAt, id: last.uid } : null;
    },
  };
}
