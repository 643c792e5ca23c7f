import { hash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Db } from './database.ts';

// Whoever records in a session, or changes anything of it, holds its lock and those of the sessions above it: so the lock of a session
// covers all that is below it. Locks are taken in this order everywhere, so that nobody waits for each other: first those by name, in
// order of their number; then the rows of `session_states`, in order of their ids; then rows of reviews.

/** The number of a lock that has no row: of what may not be there yet. */
const lockNumber = (name: string): bigint => hash('sha256', name, 'buffer').readBigInt64BE();

export const lockNames = {
  chain: (chain: string) => `chain ${chain}`,
  counterSet: (integrationId: string) => `counters ${integrationId}`,
  counterScope: (integrationId: string, scope: string) => `counters ${integrationId} ${scope}`,
  externalId: (integrationId: string, id: string) => `external ${integrationId} ${id}`,
  idempotencyKey: (integrationId: string, key: string) => `key ${integrationId} ${key}`,
  quota: (integrationId: string) => `quota ${integrationId}`,
  sessionName: (integrationId: string, name: string) => `name ${integrationId} ${name}`,
};

export const sortedNumbers = (names: Iterable<string>): bigint[] =>
  [...new Set([...names].map(lockNumber))].sort((left, right) => (left < right ? -1 : left > right ? 1 : 0));

export const lockByNumber = 'SELECT pg_advisory_xact_lock(number) FROM unnest($1::bigint[]) AS number';

/** Sessions with all that are above them. */
export const withAncestors = (ids: string): string => `WITH RECURSIVE up AS (
    SELECT id, parent_uid FROM evaluation_sessions WHERE id = ANY(${ids})
    UNION SELECT s.id, s.parent_uid FROM up JOIN evaluation_sessions s ON s.id = up.parent_uid
  ) SELECT id FROM up`;

/** For changes that are no evaluations. */
async function lockByName(tx: Db, names: readonly string[]): Promise<void> {
  for (const number of sortedNumbers(names)) await tx.execute(sql`SELECT pg_advisory_xact_lock(${number})`);
}

/** For changes that are no evaluations: locks these sessions, and those above them. What is read then is as it is now. */
export async function lockSessions(tx: Db, ids: readonly string[]): Promise<void> {
  const list = sql`${`{${ids.join(',')}}`}::uuid[]`;
  await tx.execute(sql`SELECT session_id FROM session_states WHERE session_id IN (
    WITH RECURSIVE up AS (
      SELECT id, parent_uid FROM evaluation_sessions WHERE id = ANY(${list})
      UNION SELECT s.id, s.parent_uid FROM up JOIN evaluation_sessions s ON s.id = up.parent_uid
    ) SELECT id FROM up) ORDER BY session_id FOR UPDATE`);
}

/** For changes that are no evaluations: the chain of an integration's evaluations without a session. */
export const lockChain = (tx: Db, chain: string): Promise<void> => lockByName(tx, [lockNames.chain(chain)]);
