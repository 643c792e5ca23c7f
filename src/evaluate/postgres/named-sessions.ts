import type { QueryConfig } from 'pg';
import { lockNames } from '../../store/postgres/locks.ts';
import type { JoinedSession, NamedSession } from '../evaluation.ts';
import { statusAt, type WrittenStatus } from '../session.ts';
import type { BatchLocks } from './batch-locks.ts';
import { inserting, Rows, WrittenRows } from './rows.ts';
import type { SessionState } from './session-state.ts';
import type { SessionStates } from './session-states.ts';

const namedSessionRows = {
  name: 'named sessions',
  parts: 2,
  text: `SELECT integration_id::text AS k0, name AS k1, session_id::text AS "sessionId", used_at AS "usedAt"
    FROM unnest($1::uuid[], $2::text[]) AS k(integration_id, name) JOIN named_sessions USING (integration_id, name)`,
};
// The limit bounds what a key can make others wait for with very many sessions of one name.
const externalSessionRows = {
  name: 'external sessions',
  parts: 2,
  text: `SELECT k.integration_id::text AS k0, k.external AS k1, s.id::text, s.status, s.expires_at AS "expiresAt"
    FROM unnest($1::uuid[], $2::text[]) AS k(integration_id, external) CROSS JOIN LATERAL (
      SELECT id, status, expires_at, started_at FROM evaluation_sessions
      WHERE integration_id = k.integration_id AND md5(external_session_id) = md5(k.external)
        AND external_session_id = k.external
      ORDER BY started_at DESC, id DESC LIMIT 100
    ) s ORDER BY s.started_at DESC, s.id DESC`,
};

/** The sessions that names and external ids stand for, in one batch. */
export class BatchNames {
  readonly named = new Rows<{ sessionId: string; usedAt: number }>(namedSessionRows);
  readonly external = new Rows<WrittenStatus & { id: string }>(externalSessionRows);
  readonly #locks: BatchLocks;
  readonly #sessions: SessionStates;
  readonly #used = new Map<string, { of: [string, string]; sessionId: string; usedAt: number }>();
  /** Opened in this batch, the last one first. */
  readonly #opened = new Map<string, SessionState[]>();
  #forgetUntil = Number.POSITIVE_INFINITY;

  constructor(locks: BatchLocks, sessions: SessionStates) {
    this.#locks = locks;
    this.#sessions = sessions;
  }

  wantNamed(integrationId: string, name: string): void {
    this.#locks.name(lockNames.sessionName(integrationId, name));
    this.named.want(integrationId, name);
  }
  wantExternal(integrationId: string, externalId: string): void {
    this.#locks.name(lockNames.externalId(integrationId, externalId));
    this.external.want(integrationId, externalId);
  }

  /** The live session of the name; null when there is none. */
  findNamed(integrationId: string, { name, usedAfter }: NamedSession, now: number): SessionState | null {
    const used = this.#used.get(`${integrationId} ${name}`) ?? this.named.one(integrationId, name);
    if (!used || used.usedAt <= usedAfter) return null;
    const session = this.#sessions.find(integrationId, used.sessionId);
    return session && statusAt(session, now) === 'ACTIVE' ? session : null;
  }
  /** The newest ACTIVE session with the external id; null when there is none. */
  findExternal(
    integrationId: string,
    { externalSessionId }: JoinedSession,
    now: number,
  ): SessionState | null {
    const opened = this.#opened.get(`${integrationId} ${externalSessionId}`) ?? [];
    for (const { id } of [
      ...opened,
      ...this.external.of(integrationId, externalSessionId).filter(isActiveAt(now)),
    ]) {
      const session = this.#sessions.find(integrationId, id);
      if (session && statusAt(session, now) === 'ACTIVE') return session;
    }
    return null;
  }

  opened(session: SessionState): void {
    const { integrationId, externalSessionId } = session.row;
    const key = `${integrationId} ${externalSessionId}`;
    this.#opened.set(key, [session, ...(this.#opened.get(key) ?? [])]);
  }

  /** Makes the session that of the name. The times of parallel requests come out of order: an older one shortens nothing. */
  use(integrationId: string, { name, usedAfter }: NamedSession, sessionId: string, now: number): void {
    const key = `${integrationId} ${name}`;
    const before = this.#used.get(key)?.usedAt ?? 0;
    this.#used.set(key, { of: [integrationId, name], sessionId, usedAt: Math.max(before, now) });
    this.#forgetUntil = Math.min(this.#forgetUntil, usedAfter);
  }

  /** Forgets two names out of use for each that is used: the table cannot grow faster than it shrinks. */
  get statements(): (QueryConfig | null)[] {
    if (this.#used.size === 0) return [];
    const rows = new WrittenRows(
      'use names',
      { integration_id: 'uuid', name: 'text', session_id: 'uuid', used_at: 'bigint' },
      inserting(
        'named_sessions AS n',
        `ON CONFLICT (integration_id, name) DO UPDATE SET session_id = excluded.session_id,
          used_at = greatest(n.used_at, excluded.used_at)`,
      ),
    );
    for (const { of, sessionId, usedAt } of this.#used.values())
      rows.add({ integration_id: of[0], name: of[1], session_id: sessionId, used_at: usedAt });
    const forget = {
      name: 'forget names',
      text: `DELETE FROM named_sessions WHERE (integration_id, name) IN (SELECT integration_id, name FROM named_sessions
        WHERE used_at <= $1 ORDER BY used_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
      values: [this.#forgetUntil, 2 * this.#used.size],
    };
    return [forget, rows.statement];
  }
}

const isActiveAt =
  (now: number) =>
  (session: WrittenStatus): boolean =>
    statusAt(session, now) === 'ACTIVE';
