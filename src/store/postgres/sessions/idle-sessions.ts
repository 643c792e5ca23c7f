import { eq, sql } from 'drizzle-orm';
import { apply, type Job } from '../../../evaluate/postgres/jobs.ts';
import type { Lanes } from '../../../evaluate/postgres/lanes.ts';
import { statusAt } from '../../../evaluate/session.ts';
import { rootIdOf } from '../../../evaluate/session-places.ts';
import type { NewEvent } from '../../../features/events/store.ts';
import {
  type IdleCursor,
  type SessionStore,
  type StoredSession,
  storedSessionOf,
} from '../../../features/sessions/store.ts';
import type { Db, Postgres } from '../database.ts';
import { evaluationSessions } from '../tables.ts';

/** A step looks at so many sessions: a few milliseconds. */
const mostLooked = 200;

interface Looked {
  id: string;
  integrationId: string;
  startedAt: number;
  recordCount: number;
  isOver: boolean;
  isIdle: boolean;
}

export function createIdleSessions(
  { read, change }: Pick<Postgres, 'read' | 'change'>,
  lanes: Pick<Lanes, 'run'>,
): Pick<SessionStore, 'endIdle'> {
  return {
    async endIdle({ idleSince, now, after }, event) {
      const found = await read((db) => look(db, idleSince, now, after));
      await Promise.all(
        found.map(async (one) => {
          if (one.isOver) await change((tx) => leave(tx, one.id));
          else if (one.isIdle) await lanes.run(endingIdleJob(one, now, event));
        }),
      );
      const last = found.at(-1);
      return last && found.length === mostLooked ? { startedAt: last.startedAt, id: last.id } : null;
    },
  };
}

async function look(db: Db, idleSince: number, now: number, after: IdleCursor | null): Promise<Looked[]> {
  const { rows } = await db.execute<{ [name in keyof Looked]: unknown }>(sql`
    SELECT s.id, s.integration_id AS "integrationId", s.started_at AS "startedAt",
      t.action_count + t.other_count AS "recordCount", s.expires_at <= ${now} AS "isOver",
      NOT s.has_children
        AND coalesce((SELECT created_at FROM evaluations WHERE session_id = s.id ORDER BY position DESC LIMIT 1), 0)
          <= ${idleSince}
        AND NOT EXISTS (SELECT 1 FROM reviews WHERE session_id = s.id
          AND status IN ('PENDING', 'APPROVED') AND expires_at > ${now})
        AND NOT EXISTS (SELECT 1 FROM grants WHERE session_id = s.id
          AND closed_at IS NULL AND uses_left IS DISTINCT FROM 0 AND expires_at > ${now}) AS "isIdle"
    FROM evaluation_sessions s JOIN session_states t ON t.session_id = s.id
    WHERE s.ends_when_idle AND s.status = 'ACTIVE' AND s.started_at <= ${idleSince}
      AND (s.started_at, s.id) > (${after?.startedAt ?? 0}, ${after?.id ?? '00000000-0000-0000-0000-000000000000'}::uuid)
    ORDER BY s.started_at, s.id LIMIT ${mostLooked}`);
  return rows.map((row) => ({ ...(row as unknown as Looked), startedAt: Number(row.startedAt) }));
}

/** It has expired, and is not looked at any more. */
async function leave(tx: Db, id: string): Promise<void> {
  await tx.update(evaluationSessions).set({ endsWhenIdle: false }).where(eq(evaluationSessions.id, id));
}

/** Ends the session unless something was recorded in it since it was looked at. */
function endingIdleJob(
  { id, integrationId, recordCount }: Looked,
  now: number,
  event: (ended: StoredSession) => NewEvent,
): Job<void> {
  return {
    sessionIds: [id],
    size: 1_000,
    keys: (known) => [known.sessions.get(id)?.rootId ?? id],

    prepare(batch) {
      batch.locks.wantSession(id);
    },

    run({ sessions, counters, trees, events }) {
      const state = sessions.find(integrationId, id);
      if (!state || state.row.hasChildren || state.recordCount !== recordCount) return;
      if (statusAt(state, now) !== 'ACTIVE') return;
      const parent = rootIdOf(state) === id ? null : state.place && sessions.findAny(state.place.parentId);
      apply(() => {
        sessions.end(state, 'COMPLETED', now);
        counters.endSession(state, now);
        events.push(event(storedSessionOf(state.row, state, now)));
      });
      if (parent) trees.gather(parent, now);
    },
  };
}
