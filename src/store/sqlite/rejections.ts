import type { RecordedRows } from '../../evaluate/sqlite/record.ts';
import type { SessionChanges } from '../../evaluate/sqlite/session-changes.ts';
import type { ReviewRow } from '../../features/reviews/store-reads.ts';
import type { CounterCells } from '../../schemas/counter-cells.ts';
import type { CountRejection } from '../reviews.ts';

/** Counts the rejection of a held action. Synchronous: it runs inside the change in which a person decides. */
export type CountRejected = (
  review: Pick<ReviewRow, 'id' | 'integrationId' | 'sessionId'>,
  /** Of the hold; null when no counter counts it. */
  rejectionCounts: string | null,
  at: number,
  count: CountRejection | undefined,
) => void;

export function createCountRejected(
  {
    integrations,
    sessions,
    trees,
    counterScopes,
  }: Pick<RecordedRows, 'integrations' | 'sessions' | 'trees' | 'counterScopes'>,
  changes: Pick<SessionChanges, 'addRejection'>,
): CountRejected {
  return ({ id, integrationId, sessionId }, rejectionCounts, at, count) => {
    const session = sessionId === null ? null : sessions.findAny(sessionId);
    if (session) {
      trees.countRejection(session);
      changes.addRejection(session.row.id, id);
    }
    if (rejectionCounts === null || !count) return;
    const integrationRow = integrations.find(integrationId);
    const loaded = counterScopes.loadKnown({
      integrationRow,
      session,
      entityId: session?.entityId ?? null,
      root: session && trees.rootOf(session, integrationRow),
    });
    const cells: CounterCells = {
      find: (counter, scope, name) => loaded.of(scope)?.find(counter, name) ?? null,
    };
    const writes = count(rejectionCounts, cells, at);
    counterScopes.write(
      loaded,
      session,
      writes.filter(({ counter, scope }) => loaded.has(counter, scope)),
      at,
    );
  };
}
