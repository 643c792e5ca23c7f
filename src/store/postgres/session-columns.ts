import { eq, getTableColumns, type SQL } from 'drizzle-orm';
import { attemptCountsOf, statusAt } from '../../evaluate/session.ts';
import { parsePlace } from '../../evaluate/session-places.ts';
import type { StoredSession } from '../evaluation-sessions.ts';
import type { Db } from './database.ts';
import { evaluationSessions, sessionStates } from './tables.ts';

const { actionCount, warningCount, blockCount, reviewCount, rejectionCount } = sessionStates;
const { dataTags, labels, toolCounts, stoppedCounts } = sessionStates;
const columns = {
  ...getTableColumns(evaluationSessions),
  ...{ actionCount, warningCount, blockCount, reviewCount, rejectionCount },
  ...{ dataTags, labels, toolCounts, stoppedCounts },
};

export const selectSessions = (db: Db, where: SQL | undefined) =>
  db
    .select(columns)
    .from(evaluationSessions)
    .innerJoin(sessionStates, eq(sessionStates.sessionId, evaluationSessions.id))
    .where(where)
    .$dynamic();

export type SessionColumns = Awaited<ReturnType<typeof selectSessions>>[number];

export function toStoredSession(row: SessionColumns, now: number): StoredSession {
  const toolCounts = new Map(JSON.parse(row.toolCounts) as [string, number][]);
  const stoppedCounts = new Map(JSON.parse(row.stoppedCounts) as [string, number][]);
  return {
    id: row.id,
    integrationId: row.integrationId,
    status: statusAt(row, now),
    entityId: row.entityId,
    externalSessionId: row.externalSessionId,
    metadata: row.metadata,
    startedAt: row.startedAt,
    expiresAt: row.expiresAt,
    place: parsePlace(row.parentUid, row.place),
    endedAt: row.endedAt,
    actionCount: row.actionCount,
    warningCount: row.warningCount,
    blockCount: row.blockCount,
    reviewCount: row.reviewCount,
    rejectionCount: row.rejectionCount,
    dataTags: JSON.parse(row.dataTags) as string[],
    labels: JSON.parse(row.labels) as string[],
    toolCounts,
    attemptCounts: attemptCountsOf({ toolCounts, stoppedCounts }),
  };
}
