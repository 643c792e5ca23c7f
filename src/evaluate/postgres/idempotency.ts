import type { QueryConfig } from 'pg';
import { lockNames } from '../../store/postgres/locks.ts';
import { type Idempotency, type Permit, respondAgain, type StoredResponse } from '../idempotency.ts';
import { statusAt, type WrittenStatus } from '../session.ts';
import type { BatchLocks } from './batch-locks.ts';
import { inserting, Rows, WrittenRows } from './rows.ts';
import type { SessionStates } from './session-states.ts';

/** The session and policies on which a response rests that let an action through. */
export interface PermitRow {
  sessionId: string | null;
  policySetKey: string;
  policySetId: string;
}

interface KeyRow extends Omit<StoredResponse, 'permit'> {
  sessionId: string | null;
  policySetKey: string | null;
  status: WrittenStatus['status'] | null;
  expiresAt: number | null;
}

/** Idempotency keys, in one batch. */
export class BatchKeys {
  readonly rows = new Rows<KeyRow>({
    name: 'idempotency keys',
    parts: 2,
    text: `SELECT i.integration_id::text AS k0, i.key AS k1, i.request_hash AS "requestHash", i.answer AS response,
        i.created_at AS "createdAt", i.session_id::text AS "sessionId", p.members AS "policySetKey", s.status,
        s.expires_at AS "expiresAt"
      FROM unnest($1::uuid[], $2::text[]) AS k(integration_id, key)
      JOIN idempotency_keys i ON i.integration_id = k.integration_id AND i.key = k.key
      LEFT JOIN policy_sets p ON p.id = i.policy_set_id LEFT JOIN evaluation_sessions s ON s.id = i.session_id`,
  });
  readonly #locks: BatchLocks;
  readonly #sessions: SessionStates;
  readonly #kept = new Map<
    string,
    Omit<StoredResponse, 'permit'> & { rest: PermitRow | null; of: [string, string] }
  >();
  #notBefore = Number.POSITIVE_INFINITY;

  constructor(locks: BatchLocks, sessions: SessionStates) {
    this.#locks = locks;
    this.#sessions = sessions;
  }

  want(integrationId: string, idempotency: Idempotency | null): void {
    if (!idempotency) return;
    this.#locks.name(lockNames.idempotencyKey(integrationId, idempotency.key));
    this.rows.want(integrationId, idempotency.key);
  }

  /** The response stored under the key; null for nothing. */
  find(integrationId: string, idempotency: Idempotency | null, now: number): StoredResponse | null {
    if (!idempotency) return null;
    const { key } = idempotency;
    const kept = this.#kept.get(`${integrationId} ${key}`);
    if (kept) return { ...kept, permit: kept.rest && this.#permit(kept.rest, null, now) };
    const row = this.rows.one(integrationId, key);
    if (!row) return null;
    const { requestHash, response, createdAt, policySetKey, status, expiresAt, sessionId } = row;
    const found = status !== null && expiresAt !== null ? { status, expiresAt } : null;
    const permit = policySetKey === null ? null : this.#permit({ sessionId, policySetKey }, found, now);
    return { requestHash, response, createdAt, permit };
  }
  #permit(
    { sessionId, policySetKey }: Pick<PermitRow, 'sessionId' | 'policySetKey'>,
    found: WrittenStatus | null,
    now: number,
  ): Permit {
    const session = (sessionId === null ? null : this.#sessions.peek(sessionId)) ?? found;
    return { policySetKey, sessionStatus: session && statusAt(session, now) };
  }

  /** The stored response to a repeated Idempotency-Key, for requests that are not evaluations. */
  respondAgain(
    integrationId: string,
    idempotency: Idempotency | null,
    now: number,
  ): ReturnType<typeof respondAgain> {
    return idempotency && respondAgain(this.find(integrationId, idempotency, now), idempotency, null);
  }

  keep(
    integrationId: string,
    idempotency: Idempotency | null,
    response: string,
    createdAt: number,
    rest: PermitRow | null,
  ): void {
    if (!idempotency) return;
    const { key, requestHash, notBefore } = idempotency;
    this.#kept.set(`${integrationId} ${key}`, {
      requestHash,
      response,
      createdAt,
      rest,
      of: [integrationId, key],
    });
    this.#notBefore = Math.min(this.#notBefore, notBefore);
  }

  /** Forgets two keys that are out of date for each that is kept: the table cannot grow faster than it shrinks. */
  get statements(): (QueryConfig | null)[] {
    if (this.#kept.size === 0) return [];
    const rows = new WrittenRows(
      'keep idempotency keys',
      {
        integration_id: 'uuid',
        key: 'text',
        request_hash: 'text',
        answer: 'text',
        created_at: 'bigint',
        session_id: 'uuid',
        policy_set_id: 'text',
      },
      inserting(
        'idempotency_keys',
        `ON CONFLICT (integration_id, key) DO UPDATE SET request_hash = excluded.request_hash, answer = excluded.answer,
          created_at = excluded.created_at, session_id = excluded.session_id, policy_set_id = excluded.policy_set_id`,
      ),
    );
    for (const { of, requestHash, response, createdAt, rest } of this.#kept.values())
      rows.add({
        integration_id: of[0],
        key: of[1],
        request_hash: requestHash,
        answer: response,
        created_at: createdAt,
        session_id: rest?.sessionId ?? null,
        policy_set_id: rest?.policySetId ?? null,
      });
    const forget = {
      name: 'forget idempotency keys',
      // Others that forget some now have taken them.
      text: `DELETE FROM idempotency_keys WHERE (integration_id, key) IN (SELECT integration_id, key FROM idempotency_keys
        WHERE created_at < $1 ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
      values: [this.#notBefore, 2 * this.#kept.size],
    };
    return [forget, rows.statement];
  }
}
