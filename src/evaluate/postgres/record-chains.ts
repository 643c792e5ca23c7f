import { eq } from 'drizzle-orm';
import {
  type ChainHead,
  type EntryLink,
  hashOfOrigin,
  integrationChain,
  sessionChain,
  sessionOrigin,
} from '../../record/entries.ts';

import type { Db } from '../../store/postgres/database.ts';
import { lockNames } from '../../store/postgres/locks.ts';
import { evaluationSessions, recordHeads, sessionStates } from '../../store/postgres/tables.ts';
import type { BatchLocks } from './batch-locks.ts';
import { inserting, Rows, WrittenRows } from './rows.ts';
import type { SessionState } from './session-state.ts';

/** The chains that the evaluations of a batch are added to. */
export class BatchChains {
  readonly heads = new Rows<ChainHead>({
    name: 'chain heads',
    parts: 1,
    text: 'SELECT chain AS k0, seq, hash FROM record_heads WHERE chain = ANY($1::text[])',
  });
  readonly #locks: BatchLocks;
  readonly #heads = new Map<string, ChainHead>();

  constructor(locks: BatchLocks) {
    this.#locks = locks;
  }

  /** Asks for the chain of an integration, for entries without a session. */
  want(integrationId: string): void {
    const chain = integrationChain(integrationId);
    this.#locks.name(lockNames.chain(chain));
    this.heads.want(chain);
  }

  /** The entry that the next entry of a chain links to: the chain of the session, or of the integration when there is no session. */
  next(integrationId: string, session: SessionState | null): EntryLink {
    if (!session) {
      const chain = integrationChain(integrationId);
      this.#locks.name(lockNames.chain(chain));
      const head = this.#heads.get(chain) ??
        this.heads.one(chain) ?? { seq: 0, hash: hashOfOrigin({ chain }) };
      return { chain, seq: head.seq + 1, previous: head.hash };
    }
    session.chainHash ??= hashOfOrigin(sessionOrigin(session.row));
    return { chain: sessionChain(session.id), seq: session.chainSeq + 1, previous: session.chainHash };
  }

  /** The chain ends with this entry now. */
  add({ chain, seq }: EntryLink, hash: string, session: SessionState | null): void {
    if (session) Object.assign(session, { chainSeq: seq, chainHash: hash });
    else this.#heads.set(chain, { seq, hash });
  }

  get statement() {
    const rows = new WrittenRows(
      'write chain heads',
      { chain: 'text', seq: 'bigint', hash: 'text' },
      inserting('record_heads', 'ON CONFLICT (chain) DO UPDATE SET seq = excluded.seq, hash = excluded.hash'),
    );
    for (const [chain, head] of this.#heads) rows.add({ chain, ...head });
    return rows.statement;
  }
}

/** In which chain something is: of its session, or of its integration when it has none. */
export interface InChain {
  integrationId: string;
  sessionId: string | null;
}

/** The entry that the next entry links to. The session, or the chain, must be locked. */
export async function nextLink(tx: Db, { integrationId, sessionId }: InChain): Promise<EntryLink> {
  if (sessionId === null) {
    const chain = integrationChain(integrationId);
    const [head] = await tx.select().from(recordHeads).where(eq(recordHeads.chain, chain));
    return { chain, seq: (head?.seq ?? 0) + 1, previous: head?.hash ?? hashOfOrigin({ chain }) };
  }
  const [session] = await tx
    .select({
      chainSeq: sessionStates.chainSeq,
      chainHash: sessionStates.chainHash,
      id: evaluationSessions.id,
      integrationId: evaluationSessions.integrationId,
      entityId: evaluationSessions.entityId,
      externalSessionId: evaluationSessions.externalSessionId,
      metadata: evaluationSessions.metadata,
      startedAt: evaluationSessions.startedAt,
    })
    .from(sessionStates)
    .innerJoin(evaluationSessions, eq(evaluationSessions.id, sessionStates.sessionId))
    .where(eq(sessionStates.sessionId, sessionId));
  if (!session) throw new Error('the session of an entry is missing');
  const previous = session.chainHash ?? hashOfOrigin(sessionOrigin(session));
  return { chain: sessionChain(sessionId), seq: session.chainSeq + 1, previous };
}

/** The chain of `nextLink` ends with this entry now. */
export async function addLink(
  tx: Db,
  { sessionId }: InChain,
  { chain, seq }: EntryLink,
  hash: string,
): Promise<void> {
  if (sessionId === null)
    await tx
      .insert(recordHeads)
      .values({ chain, seq, hash })
      .onConflictDoUpdate({ target: recordHeads.chain, set: { seq, hash } });
  else
    await tx
      .update(sessionStates)
      .set({ chainSeq: seq, chainHash: hash })
      .where(eq(sessionStates.sessionId, sessionId));
}
