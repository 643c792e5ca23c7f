import { eq, sql } from 'drizzle-orm';
import type { Idempotency } from '../../../evaluate/idempotency.ts';
import { apply, HalfDone, type Job } from '../../../evaluate/postgres/jobs.ts';
import type { Lanes } from '../../../evaluate/postgres/lanes.ts';
import type { SessionState } from '../../../evaluate/postgres/session-state.ts';
import { byteLengths, noQuotas, overQuota, type Quotas } from '../../../evaluate/quotas.ts';
import { statusAt } from '../../../evaluate/session.ts';
import { type NewSession, rootIdOf } from '../../../evaluate/session-places.ts';
import { refusalByParent } from '../../../evaluate/settle.ts';
import type { NewEvent } from '../../../features/events/store.ts';
import type { ReviewRow } from '../../../features/reviews/store-reads.ts';
import {
  type IdleCursor,
  type SessionEnding,
  type SessionStore,
  type StoredSession,
  storedSessionOf,
} from '../../../features/sessions/store.ts';
import type { Db, Postgres } from '../database.ts';
import { lockNames } from '../locks.ts';
import { pendingInTree } from '../review-cancellations.ts';
import { evaluationSessions } from '../tables.ts';

type Created = Awaited<ReturnType<SessionStore['create']>>;
type Ended = Awaited<ReturnType<SessionStore['end']>>;

const keyOf = (integrationId: string, idempotency: Idempotency | null): string[] =>
  idempotency ? [lockNames.idempotencyKey(integrationId, idempotency.key)] : [];

/** Opens a session. */
export function creatingJob(
  session: NewSession,
  response: string,
  idempotency: Idempotency | null,
  { event, quotas = noQuotas }: { event?: NewEvent; quotas?: Quotas } = {},
): Job<Created> {
  const { integrationId, startedAt: at, place, externalSessionId } = session;
  const parentId = place?.parentId ?? null;
  return {
    sessionIds: parentId === null ? [] : [parentId],
    size: session.metadata.length + response.length,
    keys: () => [...keyOf(integrationId, idempotency), ...(place ? [place.rootId] : [])],

    prepare(batch) {
      batch.keys.want(integrationId, idempotency);
      batch.usage.want(integrationId, quotas, at, true);
      // Whoever joins by the external id finds this one, or comes before it.
      batch.names.wantExternal(integrationId, externalSessionId);
      if (place === null) return;
      batch.locks.wantSession(place.parentId);
      batch.trees.counts.want(place.rootId);
      for (const above of batch.known.sessions.upFrom(place.parentId)) batch.trees.children.want(above);
    },

    run(batch) {
      const earlier = batch.keys.respondAgain(integrationId, idempotency, at);
      if (earlier) return earlier;
      const [parent = null] = batch.trees.ancestorsOf(place, true, at);
      const refused = place ? refusalByParent(parent, session, at) : null;
      if (refused) return refused;
      const usage = batch.usage.of(integrationId, at);
      const bytes = quotas.maxBytesPerDay === null ? 0 : byteLengths([session.metadata], usage);
      const over = overQuota(quotas, usage, { sessions: 1, bytes });
      if (over) return over;
      const counts = batch.trees.countsOf(null, session);
      apply(() => {
        batch.usage.add(integrationId, at, { review: false, opens: session, bytes });
        const opened = batch.sessions.open(session);
        batch.names.opened(opened);
        const { entityId } = session;
        batch.known.sessions.set(session.id, {
          integrationId,
          entityId,
          parentId,
          rootId: rootIdOf(session),
        });
        if (event) batch.events.push(event);
        if (counts) batch.trees.begin(opened, counts);
        batch.keys.keep(integrationId, idempotency, response, at, null);
      });
      return { kind: 'created' };
    },
  };
}

/** Ends a session, and those below it. */
export function endingJob(
  integrationId: string,
  id: string,
  { status, now, response, idempotency = null, event, cancelling }: SessionEnding,
): Job<Ended> {
  /** The session that was ended before something was found missing. */
  let ended: SessionState | null = null;
  let pending: ReviewRow[] = [];
  return {
    sessionIds: [id],
    size: 1_000,
    keys: (known) => [...keyOf(integrationId, idempotency), known.sessions.get(id)?.rootId ?? id],

    prepare(batch) {
      ended = null;
      batch.keys.want(integrationId, idempotency);
      batch.locks.wantSession(id);
    },

    async read(db) {
      pending = await pendingInTree(db, id, now);
    },

    run(batch) {
      const { trees, sessions, counters, cancellations } = batch;
      const state = ended ?? sessions.find(integrationId, id);
      if (!ended) {
        const earlier = batch.keys.respondAgain(integrationId, idempotency, now);
        if (earlier) return earlier;
        if (!state) return { kind: 'no_session' };
        const before = statusAt(state, now);
        if (before !== 'ACTIVE') return { kind: 'not_active', status: before };
        // `pending` would miss them, and they would wait for a decision after the end. Each job of the batch is done alone then.
        if (batch.held.hasChanged(state.rootId, pending))
          throw new HalfDone('reviews of a session were changed in the batch that ends it');
        trees.endBelow(state, status, now, (child) => {
          counters.endSession(child, now);
          if (event) batch.events.push(event(storedSessionOf(child.row, child, now)));
          cancellations.endSession(batch, child, pending, now, cancelling);
        });
        apply(() => {
          sessions.end(state, status, now);
          counters.endSession(state, now);
        });
        ended = state;
      }
      if (!state) throw new Error('the session was ended and is missing');
      const parent = state.place && sessions.findAny(state.place.parentId);
      if (parent) trees.gather(parent, now);
      const stored = storedSessionOf(state.row, state, now);
      return apply(() => {
        const text = response(stored);
        if (event) batch.events.push(event(stored));
        cancellations.endSession(batch, state, pending, now, cancelling);
        batch.keys.keep(integrationId, idempotency, text, now, null);
        return { kind: 'ended', response: text };
      });
    },
  };
}

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
