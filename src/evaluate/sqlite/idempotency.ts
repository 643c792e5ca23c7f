import { and, asc, eq, lt, sql } from 'drizzle-orm';
import { erase } from '../../store/sqlite/client.ts';
import type { Sqlite } from '../../store/sqlite/database.ts';
import { evaluationSessions } from '../../store/sqlite/tables/evaluation-sessions.ts';
import { idempotencyKeys, policySets } from '../../store/sqlite/tables/evaluations.ts';
import { type Idempotency, type Permit, respondAgain, type StoredResponse } from '../idempotency.ts';
import { statusAt } from '../session.ts';

/** Rows that a response rests on which let an action through. */
export interface PermitRows {
  sessionId: number | null;
  policySetId: number;
}

/** Synchronous: it runs inside a change. */
export interface IdempotencyKeys {
  /** The response stored under the key; null for nothing. */
  find(integrationRow: number, idempotency: Idempotency | null, now: number): StoredResponse | null;
  /** The stored response to a repeated Idempotency-Key, for requests that are not evaluations. */
  respondAgain(
    integrationRow: number,
    idempotency: Idempotency | null,
    now: number,
  ): ReturnType<typeof respondAgain>;
  /** Stores the response, and forgets two keys that are out of date: the table cannot grow faster than it shrinks. */
  keep(
    integrationRow: number,
    idempotency: Idempotency | null,
    response: string,
    now: number,
    permit?: PermitRows | null,
  ): void;
  /** Deletes some responses from before `before`. False when none is left. */
  forget(before: number): boolean;
}

/** A response may show content: a step deletes so many. */
const mostForgotten = 50;

export function createIdempotencyKeys({
  client,
  db,
  steady,
}: Pick<Sqlite, 'client' | 'db' | 'steady'>): IdempotencyKeys {
  const byKey = steady
    .select({
      requestHash: idempotencyKeys.requestHash,
      response: idempotencyKeys.response,
      createdAt: idempotencyKeys.createdAt,
      policySetKey: policySets.members,
      status: evaluationSessions.status,
      expiresAt: evaluationSessions.expiresAt,
    })
    .from(idempotencyKeys)
    .leftJoin(policySets, eq(policySets.id, idempotencyKeys.policySetId))
    .leftJoin(evaluationSessions, eq(evaluationSessions.id, idempotencyKeys.sessionId))
    .where(
      and(
        eq(idempotencyKeys.integrationId, sql.placeholder('integrationRow')),
        eq(idempotencyKeys.key, sql.placeholder('key')),
      ),
    )
    .prepare();
  type Row = NonNullable<ReturnType<typeof byKey.get>>;

  const permitOf = ({ policySetKey, status, expiresAt }: Row, now: number): Permit | null =>
    policySetKey === null
      ? null
      : {
          policySetKey,
          sessionStatus: status && expiresAt !== null ? statusAt({ status, expiresAt }, now) : null,
        };

  function find(integrationRow: number, idempotency: Idempotency | null, now: number): StoredResponse | null {
    if (!idempotency) return null;
    const row = byKey.get({ integrationRow, key: idempotency.key });
    return row ? { ...row, permit: permitOf(row, now) } : null;
  }

  function deleteOldest(before: number, most: number): number {
    const stale = db
      .select({ rowid: sql`rowid` })
      .from(idempotencyKeys)
      .where(lt(idempotencyKeys.createdAt, before))
      .orderBy(asc(idempotencyKeys.createdAt))
      .limit(most);
    return db.delete(idempotencyKeys).where(sql`rowid IN (${stale})`).run().changes;
  }

  return {
    find,

    respondAgain: (integrationRow, idempotency, now) =>
      idempotency && respondAgain(find(integrationRow, idempotency, now), idempotency, null),

    keep(integrationRow, idempotency, response, now, permit = null) {
      if (!idempotency) return;
      const { key, requestHash, notBefore } = idempotency;
      const rests = { sessionId: permit?.sessionId ?? null, policySetId: permit?.policySetId ?? null };
      const row = { requestHash, response, createdAt: now, ...rests };
      db.insert(idempotencyKeys)
        .values({ integrationId: integrationRow, key, ...row })
        .onConflictDoUpdate({ target: [idempotencyKeys.integrationId, idempotencyKeys.key], set: row })
        .run();
      deleteOldest(notBefore, 2);
    },

    forget: (before) => erase(client, () => deleteOldest(before, mostForgotten)) === mostForgotten,
  };
}
