import { type SessionProgress, statusAt } from '../evaluate/session.ts';
import type { StoredSession } from './evaluation-sessions.ts';

type Row = Pick<
  StoredSession,
  | 'id'
  | 'integrationId'
  | 'entityId'
  | 'externalSessionId'
  | 'metadata'
  | 'startedAt'
  | 'expiresAt'
  | 'endedAt'
>;

/** A session as reads return it, from what every backend keeps of it while evaluations are recorded. */
export const storedSessionOf = (row: Row, progress: SessionProgress, now: number): StoredSession => ({
  id: row.id,
  integrationId: row.integrationId,
  status: statusAt(progress, now),
  entityId: row.entityId,
  externalSessionId: row.externalSessionId,
  metadata: row.metadata,
  startedAt: row.startedAt,
  expiresAt: row.expiresAt,
  place: progress.place,
  endedAt: row.endedAt,
  actionCount: progress.actionCount,
  warningCount: progress.warningCount,
  blockCount: progress.blockCount,
  reviewCount: progress.reviewCount,
  rejectionCount: progress.rejectionCount,
  dataTags: [...progress.dataTags],
  labels: [...progress.labels],
  toolCounts: new Map(progress.toolCounts),
  attemptCounts: new Map(progress.attemptCounts),
});
