import { desc, eq, inArray, sql } from 'drizzle-orm';
import { statusAt } from '../../evaluate/session.ts';
import { parsePlace } from '../../evaluate/session-places.ts';
import { toolsInRow } from '../../evaluate/sqlite/session-state.ts';
import { listedToolsLimit } from '../../features/sessions/words.ts';
import type { ListedSession } from '../evaluation-sessions.ts';
import type { Sqlite } from './database.ts';
import { prepareHotRead } from './hot-statement.ts';
import { evaluationSessions, integrations, sessionStates, sessionTools } from './tables.ts';

/** Sessions of these row ids for a list, newest first: of the tools only the first names are read. */
export function createSessionList({
  client,
  db,
}: Pick<Sqlite, 'client' | 'db'>): (ids: readonly number[], now: number) => ListedSession[] {
  const { toolCounts } = sessionStates;
  const fields = {
    id: evaluationSessions.uid,
    integrationId: integrations.id,
    keptStatus: evaluationSessions.status,
    entityId: evaluationSessions.entityId,
    externalSessionId: evaluationSessions.externalSessionId,
    metadata: evaluationSessions.metadata,
    startedAt: evaluationSessions.startedAt,
    expiresAt: evaluationSessions.expiresAt,
    endedAt: evaluationSessions.endedAt,
    parentId: evaluationSessions.parentUid,
    place: evaluationSessions.place,
    actionCount: sessionStates.actionCount,
    warningCount: sessionStates.warningCount,
    blockCount: sessionStates.blockCount,
    reviewCount: sessionStates.reviewCount,
    rejectionCount: sessionStates.rejectionCount,
    dataTags: sessionStates.dataTags,
    labels: sessionStates.labels,
    tools: sql<string>`(SELECT json_group_array(value ->> 0) FROM
      (SELECT value FROM json_each(${toolCounts}) ORDER BY key LIMIT ${sql.raw(String(listedToolsLimit))}))`,
    toolsUsedTotal: sql<number>`json_array_length(${toolCounts}) + iif(json_array_length(${toolCounts}) < ${sql.raw(String(toolsInRow))}, 0,
      (SELECT count(*) FROM ${sessionTools} WHERE ${sessionTools.sessionId} = ${evaluationSessions.id}))`,
  };
  const byIds = prepareHotRead(
    client,
    fields,
    db
      .select(fields)
      .from(evaluationSessions)
      .innerJoin(sessionStates, eq(sessionStates.sessionId, evaluationSessions.id))
      .innerJoin(integrations, eq(integrations.row, evaluationSessions.integrationId))
      .where(inArray(evaluationSessions.id, sql`(SELECT value FROM json_each(${sql.placeholder('ids')}))`))
      .orderBy(desc(evaluationSessions.id)),
    ['ids'],
  );

  return (ids, now) =>
    byIds
      .all(JSON.stringify(ids))
      .map(({ keptStatus, tools, dataTags, labels, parentId, place, ...row }) => ({
        ...row,
        status: statusAt({ status: keptStatus, expiresAt: row.expiresAt }, now),
        place: parsePlace(parentId, place),
        dataTags: JSON.parse(dataTags) as string[],
        labels: JSON.parse(labels) as string[],
        toolsUsed: JSON.parse(tools) as string[],
      }));
}
