import { desc } from 'drizzle-orm';
import type { IntegrationRows } from '../../evaluate/sqlite/integration-rows.ts';
import type { RecordChains } from '../../evaluate/sqlite/record-chains.ts';
import type { SessionStates } from '../../evaluate/sqlite/session-states.ts';
import { entryHash } from '../../record/entries.ts';
import { type RecordedDecision, reviewEntry } from '../../record/review-entry.ts';
import type { Sqlite } from './database.ts';
import { evaluations, recordEntries } from './tables.ts';

/** Entries that have no row elsewhere. Synchronous: it runs inside a change. */
export interface RecordEntries {
  /** What a person decided about a held action, in the chain that the action is in. */
  addDecision(of: { integrationId: string; sessionId: string | null }, decision: RecordedDecision): void;
}

export function createRecordEntries(
  { db, steady }: Pick<Sqlite, 'db' | 'steady'>,
  integrations: IntegrationRows,
  sessions: SessionStates,
  chains: RecordChains,
): RecordEntries {
  const lastEvaluation = steady
    .select({ id: evaluations.id })
    .from(evaluations)
    .orderBy(desc(evaluations.id))
    .limit(1)
    .prepare();

  return {
    addDecision({ integrationId, sessionId }, decision) {
      const integrationRow = integrations.find(integrationId);
      const session = sessionId === null ? null : sessions.find(integrationRow, sessionId);
      const link = chains.next(integrationId, session);
      const hash = entryHash(reviewEntry(link, decision));
      db.insert(recordEntries)
        .values({
          integrationId: integrationRow,
          sessionId: session?.row.id ?? null,
          kind: 'review',
          members: JSON.stringify(decision),
          afterEvaluationId: lastEvaluation.get()?.id ?? 0,
          chainSeq: link.seq,
          entryHash: hash,
        })
        .run();
      chains.add(link, hash, session);
      if (session) sessions.changed(session);
    },
  };
}
