import type { Client } from './client.ts';

/** The hash of the entry before another one, for reads. Synchronous: it runs inside a read. */
export interface PreviousHashes {
  /** Null when there is no such entry. */
  find(chain: string, seq: number): string | null;
  /** Entries are read in their order: the one before was seen just now. */
  remember(chain: string, seq: number, hash: string): void;
}

/** Chains remembered at once. */
const mostRemembered = 1_000;

export function createPreviousHashes({ client }: { client: Client }): PreviousHashes {
  const seen = new Map<string, { seq: number; hash: string }>();
  const pluck = <Values extends unknown[]>(sql: string) => client.prepare<Values, string>(sql).pluck();
  const covered = pluck<[string, number]>(
    'SELECT hash FROM record_leaves WHERE chain = ? AND seq = ? ORDER BY id DESC LIMIT 1',
  );
  const inSession = pluck<[string, number]>(
    `SELECT entry_hash FROM record_entries
     WHERE session_id = (SELECT id FROM evaluation_sessions WHERE uid = ?) AND chain_seq = ?`,
  );
  const ofIntegration = pluck<[string, number]>(
    `SELECT entry_hash FROM record_entries
     WHERE session_id IS NULL AND integration_id = (SELECT row FROM integrations WHERE id = ?) AND chain_seq = ?`,
  );
  // Followed by its links from the last one: there is no index by session.
  const evaluationInSession = pluck<[string, number]>(
    `WITH RECURSIVE back(id) AS (
       SELECT last_evaluation_id FROM session_states
       WHERE session_id = (SELECT id FROM evaluation_sessions WHERE uid = ?)
       UNION ALL SELECT previous_id FROM evaluations JOIN back USING (id) WHERE previous_id IS NOT NULL
     )
     SELECT entry_hash FROM evaluations JOIN back USING (id) WHERE chain_seq = ? LIMIT 1`,
  );
  const evaluationOfIntegration = pluck<[string, number]>(
    `SELECT entry_hash FROM evaluations
     WHERE session_id IS NULL AND integration_id = (SELECT row FROM integrations WHERE id = ?) AND chain_seq = ?
     ORDER BY id DESC LIMIT 1`,
  );
  const call = pluck<[number]>('SELECT entry_hash FROM audit_entries WHERE chain_seq = ?');

  return {
    find(chain, seq) {
      const last = seen.get(chain);
      if (last?.seq === seq) return last.hash;
      const leaf = covered.get(chain, seq);
      if (leaf !== undefined) return leaf;
      const [kind, id = ''] = chain.split(':');
      if (kind === 'session') return inSession.get(id, seq) ?? evaluationInSession.get(id, seq) ?? null;
      if (kind === 'integration') {
        return ofIntegration.get(id, seq) ?? evaluationOfIntegration.get(id, seq) ?? null;
      }
      return call.get(seq) ?? null;
    },
    remember(chain, seq, hash) {
      if (seen.size >= mostRemembered) seen.clear();
      seen.set(chain, { seq, hash });
    },
  };
}
