import { and, asc, eq, lt, sql } from 'drizzle-orm';
import type { Idempotency } from '../store.ts';
import type { Sqlite } from './database.ts';
import { idempotencyKeys } from './tables.ts';

export interface IdempotencyKeys {
  /** What an earlier request left under this key; null when there is none that still counts. */
  find(integrationRow: number, idempotency: Idempotency | null): Earlier | null;
  /** Keeps the answer, and forgets two keys that are out of date: the table cannot grow faster than it shrinks. */
  keep(integrationRow: number, idempotency: Idempotency | null, answer: string, now: number): void;
}
export type Earlier = { kind: 'replayed'; answer: string } | { kind: 'key_reused' };

export function createIdempotencyKeys({ db }: Pick<Sqlite, 'db'>): IdempotencyKeys {
  const byKey = db
    .select()
    .from(idempotencyKeys)
    .where(
      and(
        eq(idempotencyKeys.integrationId, sql.placeholder('integrationRow')),
        eq(idempotencyKeys.key, sql.placeholder('key')),
      ),
    )
    .prepare();

  return {
    find(integrationRow, idempotency) {
      if (!idempotency) return null;
      const row = byKey.get({ integrationRow, key: idempotency.key });
      if (!row || row.createdAt < idempotency.notBefore) return null;
      if (row.requestHash !== idempotency.requestHash) return { kind: 'key_reused' };
      return { kind: 'replayed', answer: row.answer };
    },

    keep(integrationRow, idempotency, answer, now) {
      if (!idempotency) return;
      const { key, requestHash, notBefore } = idempotency;
      const row = { requestHash, answer, createdAt: now };
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
