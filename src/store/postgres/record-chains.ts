import { eq } from 'drizzle-orm';
import { hashOfOrigin, integrationChain, sessionChain, sessionOrigin } from '../../record/chains.ts';
import type { EntryLink } from '../../record/entries.ts';
import type { Db } from './database.ts';
import { evaluationSessions, recordHeads, sessionStates } from './tables.ts';

/** In which chain something is: of its session, or of its integration when it has none. */
export interface InChain {
  integrationId: string;
  sessionId: string | null;
}

/** What the next entry links to. The session, or the chain, must be locked. */
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
