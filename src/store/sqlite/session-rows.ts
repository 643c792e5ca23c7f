import { asc, eq, getTableColumns, sql } from 'drizzle-orm';
import type { NewSession } from '../evaluation-sessions.ts';
import type { Sqlite } from './database.ts';
import type { EvaluationChain } from './evaluation-chain.ts';
import { prepareHot, prepareHotRead } from './hot-statement.ts';
import { SessionState } from './session-state.ts';
import { evaluationSessions, sessionStates, sessionTools } from './tables.ts';

/** The rows behind a `SessionState`. */
export interface SessionRows {
  load(id: string): SessionState | null;
  insert(session: NewSession, integrationRow: number): SessionState;
  /** Makes the rows equal to the state. */
  write(state: SessionState): void;
}

export function createSessionRows(
  { client, db }: Pick<Sqlite, 'client' | 'db'>,
  chain: EvaluationChain,
): SessionRows {
  const { placeholder } = sql;
  const { sessionId: _, ...stateFields } = getTableColumns(sessionStates);
  const fields = { ...getTableColumns(evaluationSessions), ...stateFields };
  const byUid = prepareHotRead(
    client,
    fields,
    db
      .select(fields)
      .from(evaluationSessions)
      .innerJoin(sessionStates, eq(sessionStates.sessionId, evaluationSessions.id))
      .where(eq(evaluationSessions.uid, placeholder('id'))),
    ['id'],
  );
  const toolFields = { tool: sessionTools.tool, callCount: sessionTools.callCount };
  const furtherTools = prepareHotRead(
    client,
    toolFields,
    db
      .select(toolFields)
      .from(sessionTools)
      .where(eq(sessionTools.sessionId, placeholder('sessionRow')))
      .orderBy(asc(sessionTools.firstSeq)),
    ['sessionRow'],
  );
  const insertSession = db
    .insert(evaluationSessions)
    .values({
      uid: placeholder('uid'),
      integrationId: placeholder('integrationRow'),
      status: 'ACTIVE',
      entityId: placeholder('entityId'),
      externalSessionId: placeholder('externalSessionId'),
      metadata: placeholder('metadata'),
      startedAt: placeholder('startedAt'),
      expiresAt: placeholder('expiresAt'),
    })
    .returning()
    .prepare();
  const insertState = db
    .insert(sessionStates)
    .values({
      sessionId: placeholder('sessionRow'),
      actionCount: 0,
      warningCount: 0,
      blockCount: 0,
      reviewCount: 0,
      dataTags: '[]',
      toolCounts: '[]',
    })
    .returning()
    .prepare();
  const updateState = prepareHot<[number, number, number, number, string, string, number | null, number]>(
    client,
    db
      .update(sessionStates)
      .set({
        actionCount: sql`${placeholder('actionCount')}`,
        warningCount: sql`${placeholder('warningCount')}`,
        blockCount: sql`${placeholder('blockCount')}`,
        reviewCount: sql`${placeholder('reviewCount')}`,
        dataTags: sql`${placeholder('dataTags')}`,
        toolCounts: sql`${placeholder('toolCounts')}`,
        lastEvaluationId: sql`${placeholder('lastEvaluationId')}`,
      })
      .where(eq(sessionStates.sessionId, placeholder('sessionRow'))),
    [
      'actionCount',
      'warningCount',
      'blockCount',
      'reviewCount',
      'dataTags',
      'toolCounts',
      'lastEvaluationId',
      'sessionRow',
    ],
  );
  const writeFurtherTool = prepareHot<[number, string, number, number]>(
    client,
    db
      .insert(sessionTools)
      .values({
        sessionId: placeholder('sessionRow'),
        tool: placeholder('tool'),
        callCount: placeholder('callCount'),
        firstSeq: placeholder('firstSeq'),
      })
      .onConflictDoUpdate({
        target: [sessionTools.sessionId, sessionTools.tool],
        set: { callCount: sql`excluded.call_count` },
      }),
    ['sessionRow', 'tool', 'callCount', 'firstSeq'],
  );

  return {
    load(id) {
      const found = byUid.get(id);
      return found ? new SessionState(found, found, furtherTools.all(found.id), chain.readRecent) : null;
    },

    insert({ id: uid, integrationId: _, ...session }, integrationRow) {
      const row = insertSession.get({ uid, integrationRow, ...session });
      const state = insertState.get({ sessionRow: row.id });
      return new SessionState(row, state, [], chain.readRecent);
    },

    write(state) {
      const sessionRow = state.row.id;
      updateState.run(
        state.actionCount,
        state.warningCount,
        state.blockCount,
        state.reviewCount,
        JSON.stringify(state.dataTags),
        state.toolsText(),
        state.lastEvaluationId,
        sessionRow,
      );
      for (const [tool, seq] of state.furtherTools) {
        writeFurtherTool.run(sessionRow, tool, state.toolCounts.get(tool) ?? 0, seq);
      }
      state.furtherTools.clear();
    },
  };
}
