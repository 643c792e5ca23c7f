import { and, asc, eq, lt, sql } from 'drizzle-orm';
import { answerAgain, type Idempotency, type Permit, type StoredAnswer } from '../idempotency.ts';
import { statusAt } from '../session-progress.ts';
import type { Sqlite } from './database.ts';
import { evaluationSessions, idempotencyKeys, policySets } from './tables.ts';

/** Rows that an answer rests on which let an action through. */
export interface PermitRows {
  sessionId: number | null;
  policySetId: number;
}

/** Synchronous: it runs inside a change. */
export interface IdempotencyKeys {
  /** What is stored under the key; null for nothing. */
  find(integrationRow: number, idempotency: Idempotency | null, now: number): StoredAnswer | null;
  /** What a request that no policy decides gets because of an earlier one under its key (`answerAgain`). */
  answerAgain(
    integrationRow: number,
    idempotency: Idempotency | null,
    now: number,
  ): ReturnType<typeof answerAgain>;
  /** Stores the answer, and forgets two keys that are out of date: the table cannot grow faster than it shrinks. */
  keep(
    integrationRow: number,
    idempotency: Idempotency | null,
    answer: string,
    now: number,
    permit?: PermitRows | null,
  ): void;
}

export function createIdempotencyKeys({ db, steady }: Pick<Sqlite, 'db' | 'steady'>): IdempotencyKeys {
  const byKey = steady
    .select({
      requestHash: idempotencyKeys.requestHash,
      answer: idempotencyKeys.answer,
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

  function find(integrationRow: number, idempotency: Idempotency | null, now: number): StoredAnswer | null {
    if (!idempotency) return null;
    const row = byKey.get({ integrationRow, key: idempotency.key });
    return row ? { ...row, permit: permitOf(row, now) } : null;
  }

  return {
    find,

    answerAgain: (integrationRow, idempotency, now) =>
      idempotency && answerAgain(find(integrationRow, idempotency, now), idempotency, null),

    keep(integrationRow, idempotency, answer, now, permit = null) {
      if (!idempotency) return;
      const { key, requestHash, notBefore } = idempotency;
      const rests = { sessionId: permit?.sessionId ?? null, policySetId: permit?.policySetId ?? null };
      const row = { requestHash, answer, createdAt: now, ...rests };
      db.insert(idempotencyKeys)
        .values({ integrationId: integrationRow, key, ...row })
        .onConflictDoUpdate({ target: [idempotencyKeys.integrationId, idempotencyKeys.key], set: row })
        .run();
      const stale = db
        .select({ rowid: sql`rowid` })
        .from(idempotencyKeys)
        .where(lt(idempotencyKeys.createdAt, notBefore))
        .orderBy(asc(idempotencyKeys.createdAt))
        .limit(2);
      db.delete(idempotencyKeys).where(sql`rowid IN (${stale})`).run();
    },
  };
}
