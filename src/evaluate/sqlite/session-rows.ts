import { asc, eq, getTableColumns, sql } from 'drizzle-orm';
import type { Sqlite } from '../../store/sqlite/database.ts';
import { prepareHot, prepareHotRead } from '../../store/sqlite/hot-statement.ts';
import {
  evaluationSessions,
  sessionStates,
  sessionStoppedTools,
  sessionTools,
  sightings,
} from '../../store/sqlite/tables/evaluation-sessions.ts';
import type { NewSession } from '../session-places.ts';
import type { EvaluationChain } from './evaluation-chain.ts';
import { type FurtherRows, SeldomChanged, SessionState, type SplitCounts } from './session-state.ts';

const listText = (list: readonly string[]): string => (list.length === 0 ? '[]' : JSON.stringify(list));

/** The rows behind a `SessionState`. */
interface SessionRows {
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
  const tools = createFurtherTools({ client, db }, sessionTools);
  const stopped = createFurtherTools({ client, db }, sessionStoppedTools);
  const rowFields = getTableColumns(evaluationSessions);
  const insertSession = prepareHotRead(
    client,
    rowFields,
    db
      .insert(evaluationSessions)
      .values({
        uid: placeholder('uid'),
        integrationId: placeholder('integrationRow'),
        status: sql`'ACTIVE'`,
        entityId: placeholder('entityId'),
        externalSessionId: placeholder('externalSessionId'),
        metadata: placeholder('metadata'),
        startedAt: placeholder('startedAt'),
        expiresAt: placeholder('expiresAt'),
        parentUid: placeholder('parentUid'),
        place: placeholder('place'),
        hasChildren: sql`0`,
        gathered: sql`0`,
        endsWhenIdle: placeholder('endsWhenIdle'),
      })
      .returning(rowFields),
    [
      'uid',
      'integrationRow',
      'entityId',
      'externalSessionId',
      'metadata',
      'startedAt',
      'expiresAt',
      'parentUid',
      'place',
      'endsWhenIdle',
    ],
  );
  const insertState = prepareHotRead(
    client,
    stateFields,
    db
      .insert(sessionStates)
      .values({
        sessionId: placeholder('sessionRow'),
        actionCount: sql`0`,
        warningCount: sql`0`,
        blockCount: sql`0`,
        reviewCount: sql`0`,
        rejectionCount: sql`0`,
        dataTags: sql`'[]'`,
        toolCounts: sql`'[]'`,
        otherCount: sql`0`,
        stoppedCounts: sql`'[]'`,
        chainSeq: sql`0`,
        labels: sql`'[]'`,
        monitoredLabels: sql`'[]'`,
        sightingCount: sql`0`,
        sightingsFull: sql`0`,
        sightingBlocks: sql`0`,
        hasSightings: sql`0`,
      })
      .returning(stateFields),
    ['sessionRow'],
  );
  // Each value that is bound costs more than SQLite takes to keep one.
  const updateChanged = prepareHot<
    [
      number,
      string,
      number | null,
      number | null,
      Buffer | null,
      number,
      string | null,
      number,
      Buffer | null,
      number,
    ]
  >(
    client,
    db
      .update(sessionStates)
      .set({
        actionCount: sql`${placeholder('actionCount')}`,
        toolCounts: sql`${placeholder('toolCounts')}`,
        lastEvaluationId: sql`${placeholder('lastEvaluationId')}`,
        lastActionId: sql`${placeholder('lastActionId')}`,
        counters: sql`${placeholder('counters')}`,
        chainSeq: sql`${placeholder('chainSeq')}`,
        chainHash: sql`${placeholder('chainHash')}`,
        sightingCount: sql`${placeholder('sightingCount')}`,
        sightings: sql`${placeholder('sightings')}`,
      })
      .where(eq(sessionStates.sessionId, placeholder('sessionRow'))),
    [
      'actionCount',
      'toolCounts',
      'lastEvaluationId',
      'lastActionId',
      'counters',
      'chainSeq',
      'chainHash',
      'sightingCount',
      'sightings',
      'sessionRow',
    ],
  );
  const updateSeldom = prepareHot<
    [number, number, number, number, string, number, string, string, string, number, number, number, number]
  >(
    client,
    db
      .update(sessionStates)
      .set({
        warningCount: sql`${placeholder('warningCount')}`,
        blockCount: sql`${placeholder('blockCount')}`,
        reviewCount: sql`${placeholder('reviewCount')}`,
        rejectionCount: sql`${placeholder('rejectionCount')}`,
        dataTags: sql`${placeholder('dataTags')}`,
        otherCount: sql`${placeholder('otherCount')}`,
        stoppedCounts: sql`${placeholder('stoppedCounts')}`,
        labels: sql`${placeholder('labels')}`,
        monitoredLabels: sql`${placeholder('monitoredLabels')}`,
        sightingsFull: sql`${placeholder('sightingsFull')}`,
        sightingBlocks: sql`${placeholder('sightingBlocks')}`,
        hasSightings: sql`${placeholder('hasSightings')}`,
      })
      .where(eq(sessionStates.sessionId, placeholder('sessionRow'))),
    [
      'warningCount',
      'blockCount',
      'reviewCount',
      'rejectionCount',
      'dataTags',
      'otherCount',
      'stoppedCounts',
      'labels',
      'monitoredLabels',
      'sightingsFull',
      'sightingBlocks',
      'hasSightings',
      'sessionRow',
    ],
  );
  const insertSightings = prepareHot<[number, number, Buffer]>(
    client,
    db.insert(sightings).values({
      sessionId: placeholder('sessionRow'),
      block: placeholder('block'),
      data: placeholder('data'),
    }),
    ['sessionRow', 'block', 'data'],
  );
  const further: FurtherRows = {
    tools: tools.of,
    stoppedTools: stopped.of,
    recentActions: chain.readRecent,
  };
  return {
    load(id) {
      const found = byUid.get(id);
      return found ? new SessionState(sessionRowOf(found), found, further) : null;
    },

    insert(session, integrationRow) {
      const { id, entityId, externalSessionId, metadata, startedAt, expiresAt, endsWhenIdle, place } =
        session;
      const { parentId = null, ...rest } = place ?? {};
      const row = insertSession.get(
        id,
        integrationRow,
        entityId,
        externalSessionId,
        metadata,
        startedAt,
        expiresAt,
        parentId,
        place === null ? null : JSON.stringify(rest),
        endsWhenIdle ? 1 : 0,
      );
      const state = row && insertState.get(row.id);
      if (!state) throw new Error('a row that was inserted was not returned');
      return new SessionState(row, state, further);
    },

    write(state) {
      const sessionRow = state.row.id;
      if (!state.written.areOf(state)) {
        const seldom = new SeldomChanged(state);
        updateSeldom.run(
          seldom.warningCount,
          seldom.blockCount,
          seldom.reviewCount,
          seldom.rejectionCount,
          listText(seldom.dataTags),
          seldom.otherCount,
          seldom.stoppedCounts,
          listText(seldom.labels),
          listText(seldom.monitoredLabels),
          seldom.sightingsFull ? 1 : 0,
          seldom.sightingBlocks,
          seldom.hasSightings ? 1 : 0,
          sessionRow,
        );
        state.written = seldom;
      }
      const counters = state.counterBytes;
      state.counterByteLength = counters?.length ?? 0;
      updateChanged.run(
        state.actionCount,
        state.tools.text,
        state.lastEvaluationId,
        state.lastActionId,
        counters,
        state.chainSeq,
        state.chainHash,
        state.sightingCount,
        state.openSightings,
        sessionRow,
      );
      tools.write(sessionRow, state.tools);
      stopped.write(sessionRow, state.stopped);
      if (state.seen)
        for (const { block, bytes } of state.seen.takeFull()) insertSightings.run(sessionRow, block, bytes);
    },
  };
}

type SessionRow = typeof evaluationSessions.$inferSelect;

/** The columns of the session alone: the row stays in memory, and the columns of the state would stay with it. */
const sessionRowOf = (found: SessionRow): SessionRow => ({
  id: found.id,
  uid: found.uid,
  integrationId: found.integrationId,
  status: found.status,
  entityId: found.entityId,
  externalSessionId: found.externalSessionId,
  metadata: found.metadata,
  startedAt: found.startedAt,
  expiresAt: found.expiresAt,
  endedAt: found.endedAt,
  parentUid: found.parentUid,
  place: found.place,
  hasChildren: found.hasChildren,
  gathered: found.gathered,
  endsWhenIdle: found.endsWhenIdle,
});

type Row = typeof sessionTools.$inferSelect;

/** The counts of tools that have rows of their own. */
interface FurtherToolRows {
  /** In order of first use. */
  of(sessionRow: number): Row[];
  /** Makes the rows equal to the counts. */
  write(sessionRow: number, counts: SplitCounts): void;
}

function createFurtherTools(
  { client, db }: Pick<Sqlite, 'client' | 'db'>,
  table: typeof sessionTools | typeof sessionStoppedTools,
): FurtherToolRows {
  const { placeholder } = sql;
  const fields = getTableColumns(table);
  const ofSession = prepareHotRead(
    client,
    fields,
    db
      .select(fields)
      .from(table)
      .where(eq(table.sessionId, placeholder('sessionRow')))
      .orderBy(asc(table.firstSeq)),
    ['sessionRow'],
  );
  const upsert = prepareHot<[number, string, number, number]>(
    client,
    db
      .insert(table)
      .values({
        sessionId: placeholder('sessionRow'),
        tool: placeholder('tool'),
        callCount: placeholder('callCount'),
        firstSeq: placeholder('firstSeq'),
      })
      .onConflictDoUpdate({
        target: [table.sessionId, table.tool],
        set: { callCount: sql`excluded.call_count` },
      }),
    ['sessionRow', 'tool', 'callCount', 'firstSeq'],
  );

  return {
    of: (sessionRow) => ofSession.all(sessionRow),
    write(sessionRow, counts) {
      for (const [tool, seq] of counts.takeFurther() ?? [])
        upsert.run(sessionRow, tool, counts.counts.get(tool) ?? 0, seq);
    },
  };
}
