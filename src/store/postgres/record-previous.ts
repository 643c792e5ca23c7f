import { type SQL, sql } from 'drizzle-orm';
import type { Db } from './database.ts';

/** The hashes of the entries before those that are read. */
export interface PreviousHashes {
  /** Null when there is no such entry. */
  find(chain: string, seq: number): Promise<string | null>;
  /** Entries are read in their order: the one before was seen just now. */
  remember(chain: string, seq: number, hash: string): void;
}

/** For one read. */
export function createPreviousHashes(db: Db): PreviousHashes {
  const seen = new Map<string, { seq: number; hash: string }>();

  async function first(query: SQL): Promise<string | null> {
    const { rows } = await db.execute<{ hash: string }>(query);
    return rows[0]?.hash ?? null;
  }

  /** Of rows of evaluations and of other entries. */
  async function among(owner: SQL, seq: number): Promise<string | null> {
    const isIt = sql`${owner} AND chain_seq = ${seq}`;
    return (
      (await first(sql`SELECT entry_hash AS hash FROM record_entries WHERE ${isIt}`)) ??
      (await first(
        sql`SELECT entry_hash AS hash FROM evaluations WHERE ${isIt} ORDER BY position DESC LIMIT 1`,
      ))
    );
  }

  return {
    async find(chain, seq) {
      const last = seen.get(chain);
      if (last?.seq === seq) return last.hash;
      const covered = await first(
        sql`SELECT hash FROM record_leaves WHERE chain = ${chain} AND seq = ${seq} ORDER BY id DESC LIMIT 1`,
      );
      if (covered !== null) return covered;
      const [kind, id = ''] = chain.split(':');
      if (kind === 'session') return among(sql`session_id = ${id}::uuid`, seq);
      if (kind === 'integration') return among(sql`session_id IS NULL AND integration_id = ${id}::uuid`, seq);
      return first(sql`SELECT entry_hash AS hash FROM audit_entries WHERE chain_seq = ${seq}`);
    },
    remember: (chain, seq, hash) => void seen.set(chain, { seq, hash }),
  };
}
