import { eq, sql } from 'drizzle-orm';
import {
  type ChainHead,
  type EntryLink,
  hashOfOrigin,
  integrationChain,
  managementChain,
  sessionChain,
  sessionOrigin,
} from '../../record/entries.ts';

import type { Sqlite } from '../../store/sqlite/database.ts';
import { recordHeads } from '../../store/sqlite/tables/shared.ts';
import type { SessionState } from './session-state.ts';

/** The chains that entries are added to. Synchronous: it runs inside a change. */
export interface RecordChains {
  /** The entry that the next entry of a chain links to: the chain of the session, or of the integration when there is no session. */
  next(integrationId: string, session: SessionState | null): EntryLink;
  nextOfManagement(): EntryLink;
  /** The chain ends with this entry now. The rows of a session are written by who else changes it. */
  add(link: EntryLink, entryHash: string, session: SessionState | null): void;
}

/** Heads are kept in memory, as states of sessions are (`SessionStates`), and written once a transaction. */
export function createRecordChains({
  db,
  steady,
  writer,
}: Pick<Sqlite, 'db' | 'steady' | 'writer'>): RecordChains {
  const byChain = steady
    .select({ seq: recordHeads.seq, hash: recordHeads.hash })
    .from(recordHeads)
    .where(eq(recordHeads.chain, sql.placeholder('chain')))
    .prepare();
  const kept = new Map<string, ChainHead>();
  const changed = new Set<string>();
  writer.onForeignCommit(() => kept.clear());
  writer.onEnd(() => {
    for (const chain of changed) {
      const head = kept.get(chain);
      if (!head) continue;
      db.insert(recordHeads)
        .values({ chain, ...head })
        .onConflictDoUpdate({ target: recordHeads.chain, set: head })
        .run();
    }
    changed.clear();
  });
  writer.onRollback(() => {
    changed.clear();
    kept.clear();
  });

  function nextOf(chain: string): EntryLink {
    let head = kept.get(chain);
    if (!head) {
      head = byChain.get({ chain }) ?? { seq: 0, hash: hashOfOrigin({ chain }) };
      kept.set(chain, head);
    }
    return { chain, seq: head.seq + 1, previous: head.hash };
  }

  return {
    next(integrationId, session) {
      if (!session) return nextOf(integrationChain(integrationId));
      session.chainHash ??= hashOfOrigin(
        sessionOrigin({ ...session.row, id: session.row.uid, integrationId }),
      );
      return { chain: sessionChain(session.row.uid), seq: session.chainSeq + 1, previous: session.chainHash };
    },
    nextOfManagement: () => nextOf(managementChain),
    add({ chain, seq }, entryHash, session) {
      if (session) {
        session.chainSeq = seq;
        session.chainHash = entryHash;
        return;
      }
      kept.set(chain, { seq, hash: entryHash });
      changed.add(chain);
    },
  };
}
