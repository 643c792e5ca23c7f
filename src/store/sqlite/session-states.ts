import { asc, eq, getTableColumns, sql } from 'drizzle-orm';
import type { NewSession } from '../evaluation-sessions.ts';
import type { NewEvaluation, Verdict } from '../evaluations.ts';
import type { Sqlite } from './database.ts';
import { type EvaluationChain, markEvery } from './evaluation-chain.ts';
import { prepareHot, prepareHotRead } from './hot-statement.ts';
import { createKeptStates, type KeptLimits } from './kept-states.ts';
import { SessionState } from './session-state.ts';
import { evaluationSessions, sessionStates, sessionTools } from './tables.ts';

/**
 * The sessions that evaluations work on. Synchronous: they run inside a change.
 *
 * States are kept in memory, and are never wrong: they change only inside a transaction that writes the same to the rows;
 * a transaction that is rolled back drops them all; and one that finds that another connection has written since the
 * last look drops them all before it reads any. A read does the same in its own transaction, whose snapshot that look begins.
 */
export interface SessionStates {
  /** Null when the integration has no such session. */
  find(integrationRow: number, id: string): SessionState | null;
  /** The same for reads outside of changes, inside a transaction of their own: as the rows are, whoever wrote them. */
  read(integrationRow: number, id: string): SessionState | null;
  open(session: NewSession, integrationRow: number): SessionState;
  /** Adds the action that became row `evaluationId` to what the session has seen (contract, "What a rule sees"). */
  advance(state: SessionState, evaluation: NewEvaluation, verdict: Verdict, evaluationId: number): void;
  end(state: SessionState, status: 'COMPLETED' | 'TERMINATED', now: number): void;
}

/** Tools counted in the session's own row; further ones get rows of their own. */
const toolsInRow = 32;

export function createSessionStates(
  { client, db, writer }: Pick<Sqlite, 'client' | 'db' | 'writer'>,
  chain: EvaluationChain,
  limits?: KeptLimits,
): SessionStates {
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
  const updateState = prepareHot<
    [number, number, number, number, string, string, number, number | null, number]
  >(
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
        lastMarkId: sql`${placeholder('lastMarkId')}`,
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
      'lastMarkId',
      'sessionRow',
    ],
  );
  const countFurtherTool = db
    .insert(sessionTools)
    .values({
      sessionId: placeholder('sessionRow'),
      tool: placeholder('tool'),
      callCount: 1,
      firstSeq: placeholder('seq'),
    })
    .onConflictDoUpdate({
      target: [sessionTools.sessionId, sessionTools.tool],
      set: { callCount: sql`call_count + 1` },
    })
    .prepare();

  const kept = createKeptStates(limits);
  const dataVersion = client.prepare('PRAGMA data_version').pluck();
  let seenVersion = dataVersion.get();
  writer.onRollback(() => kept.clear());
  function dropWhenWrittenElsewhere(): void {
    const version = dataVersion.get();
    if (version !== seenVersion) kept.clear();
    seenVersion = version;
  }
  writer.onBegin(dropWhenWrittenElsewhere);

  function load(id: string): SessionState | null {
    const found = byUid.get(id);
    return found ? new SessionState(found, found, furtherTools.all(found.id), chain.readRecent) : null;
  }

  function ofIntegration(state: SessionState | null, integrationRow: number): SessionState | null {
    return state?.row.integrationId === integrationRow ? state : null;
  }

  function countTool(state: SessionState, tool: string, seq: number): void {
    const count = state.toolCounts.get(tool) ?? 0;
    state.toolCounts.set(tool, count + 1);
    if (count === 0) kept.grew(state);
    if (!isInRow(state, tool)) countFurtherTool.run({ sessionRow: state.row.id, tool, seq });
  }

  return {
    find(integrationRow, id) {
      let state = kept.get(id) ?? null;
      if (!state) {
        state = load(id);
        if (state) kept.add(state);
      }
      return ofIntegration(state, integrationRow);
    },

    read(integrationRow, id) {
      dropWhenWrittenElsewhere();
      // What is only read is not kept: looking through old sessions must not push out those that are worked on.
      return ofIntegration(kept.get(id) ?? load(id), integrationRow);
    },

    open({ id: uid, integrationId: _, ...session }, integrationRow) {
      const row = insertSession.get({ uid, integrationRow, ...session });
      const state = insertState.get({ sessionRow: row.id });
      const opened = new SessionState(row, state, [], chain.readRecent);
      kept.add(opened);
      return opened;
    },

    advance(state, evaluation, verdict, evaluationId) {
      const { enforcementAction: action } = verdict;
      const seq = state.actionCount + 1;
      state.actionCount = seq;
      if (action === 'WARN') state.warningCount++;
      if (action === 'BLOCK') state.blockCount++;
      if (action === 'APPROVAL_REQUIRED') state.reviewCount++;
      const fresh = evaluation.dataTags.filter((tag) => !state.dataTags.includes(tag));
      if (fresh.length > 0) state.dataTags = [...state.dataTags, ...fresh];
      // A blocked tool was not invoked.
      if (action !== 'BLOCK' && evaluation.tool !== '') countTool(state, evaluation.tool, seq);
      state.lastEvaluationId = evaluationId;
      if (seq % markEvery === 0) state.lastMarkId = evaluationId;
      state.remember({
        seq,
        tool: evaluation.tool,
        targetKey: evaluation.targetKey,
        dataTags: [...evaluation.dataTags],
        enforcementAction: action,
        severity: verdict.enforcedSeverity,
        at: evaluation.at,
      });
      updateState.run(
        seq,
        state.warningCount,
        state.blockCount,
        state.reviewCount,
        JSON.stringify(state.dataTags),
        toolsText(state),
        evaluationId,
        state.lastMarkId,
        state.row.id,
      );
    },

    end(state, status, now) {
      db.update(evaluationSessions)
        .set({ status, endedAt: now })
        .where(eq(evaluationSessions.id, state.row.id))
        .run();
      Object.assign(state.row, { status, endedAt: now });
    },
  };
}

/** The first tools are in the row: a Map keeps the order of first use. */
function isInRow(state: SessionState, tool: string): boolean {
  if (state.toolCounts.size <= toolsInRow) return true;
  let place = 0;
  for (const name of state.toolCounts.keys()) {
    if (place++ === toolsInRow) return false;
    if (name === tool) return true;
  }
  return false;
}

function toolsText(state: SessionState): string {
  const first: [string, number][] = [];
  for (const entry of state.toolCounts) {
    if (first.length === toolsInRow) break;
    first.push(entry);
  }
  return JSON.stringify(first);
}
