import { desc, eq, sql } from 'drizzle-orm';
import type { Sqlite } from '../../store/sqlite/database.ts';
import { evaluationSessions, sessionChanges } from '../../store/sqlite/tables/evaluation-sessions.ts';
import { evaluations } from '../../store/sqlite/tables/evaluations.ts';
import type { SessionAction } from '../../store/store.ts';
import type { NewEvaluation, Verdict } from '../evaluation.ts';
import { advance } from '../session.ts';
import type { NewSession } from '../session-places.ts';
import type { EvaluationChain } from './evaluation-chain.ts';
import { createSessionRows } from './session-rows.ts';
import type { SessionState } from './session-state.ts';

/**
 * The sessions that evaluations work on. Synchronous: they run inside a change.
 *
 * States are kept in memory, and are never wrong: they change only inside a transaction, at whose end each that changed
 * is written to its rows, once however many of the changes were its own; none is dropped before that. A transaction that
 * is rolled back drops them all; and one that finds that another connection has written since the last look drops them
 * all before it reads any. A read does the same in its own
 * transaction, whose snapshot that look begins.
 */
export interface SessionStates {
  /** Null when the integration has no such session. */
  find(integrationRow: number, id: string): SessionState | null;
  /** Finds a session of any integration. */
  findAny(id: string): SessionState | null;
  /**
   * The same for reads outside of changes, inside a transaction of their own: as the rows are, whoever wrote them. Null reads
   * any integration's.
   */
  read(integrationRow: number | null, id: string): SessionState | null;
  open(session: NewSession, integrationRow: number): SessionState;
  /** `advance` of the session, by the evaluation that became row `evaluationId`. */
  advance(state: SessionState, evaluation: NewEvaluation, verdict: Verdict, evaluationId: number): void;
  /** It is written at the end of the transaction. */
  changed(state: SessionState): void;
  removeLabel(state: SessionState, label: string): void;
  /** The state changed, besides by `advance`. */
  touch(state: SessionState): void;
  /** To be called when a state takes more memory, because more of it was read, and need not have changed. */
  grew(state: SessionState): void;
  readRecentActions(state: SessionState): readonly SessionAction[];
  end(state: SessionState, status: 'COMPLETED' | 'TERMINATED', now: number): void;
}

export function createSessionStates(
  { client, db, writer }: Pick<Sqlite, 'client' | 'db' | 'writer'>,
  chain: EvaluationChain,
  changes: SessionChanges,
  limits?: KeptLimits,
): SessionStates {
  const rows = createSessionRows({ client, db }, chain);
  const kept = createKeptStates(limits);
  const changed = new Set<SessionState>();
  writer.onForeignCommit(() => kept.clear());
  writer.onEnd(() => {
    for (const state of changed) {
      rows.write(state);
      kept.weigh(state);
    }
    changed.clear();
    kept.shrink();
  });
  writer.onRollback(() => {
    changed.clear();
    kept.clear();
  });

  function ofIntegration(state: SessionState | null, integrationRow: number): SessionState | null {
    return state?.row.integrationId === integrationRow ? state : null;
  }

  function findAny(id: string): SessionState | null {
    let state = kept.get(id) ?? null;
    if (!state) {
      state = rows.load(id);
      if (state) kept.add(state);
    }
    return state;
  }

  return {
    find: (integrationRow, id) => ofIntegration(findAny(id), integrationRow),
    findAny,

    read(integrationRow, id) {
      writer.checkForeignCommits();
      // A session that is only read is not kept: looking through old sessions must not push out the active ones.
      const state = kept.get(id) ?? rows.load(id);
      return integrationRow === null ? state : ofIntegration(state, integrationRow);
    },

    open(session, integrationRow) {
      const opened = rows.insert(session, integrationRow);
      kept.add(opened);
      return opened;
    },

    advance(state, evaluation, verdict, evaluationId) {
      advance(state, evaluation, verdict);
      state.lastEvaluationId = evaluationId;
      if (evaluation.phase === 'ACTION') state.lastActionId = evaluationId;
      chain.mark({ sessionRow: state.row.id, place: state.recordCount, evaluationId });
      changed.add(state);
    },

    changed: (state) => void changed.add(state),
    touch(state) {
      changed.add(state);
    },
    grew: (state) => kept.weigh(state),

    readRecentActions(state) {
      const wereRead = state.hasRecentActions;
      const actions = state.readRecentActions();
      if (!wereRead) kept.weigh(state);
      return actions;
    },

    removeLabel(state, label) {
      state.labels = state.labels.filter((one) => one !== label);
      // At once: what an operator changes is recorded with the rows that it changes.
      rows.write(state);
    },

    end(state, status, now) {
      db.update(evaluationSessions)
        .set({ status, endedAt: now })
        .where(eq(evaluationSessions.id, state.row.id))
        .run();
      Object.assign(state.row, { status, endedAt: now });
      // From then on, the marks of a child count for its parent.
      if (state.place) changes.addEnd(state.row.id);
      const parent = state.place && findAny(state.place.parentId);
      if (parent) parent.nextEndBelow = null;
    },
  };
}

/** How much of the sessions is kept in memory. */
export interface KeptLimits {
  /** The most memory that all kept states may take together, in bytes as `bytesOf` estimates it. */
  bytes: number;
}
/** Some 50,000 sessions of `npm run bench:evaluate`, of 3.1 KB each. */
const defaultLimits: KeptLimits = { bytes: 160 * 1_048_576 };

/** Least recently used states go first, when `shrink` is asked: between transactions, as inside one they may be ahead of their rows. */
function createKeptStates(limits: KeptLimits = defaultLimits) {
  const states = new Map<string, SessionState>();
  let total = 0;
  let newest: SessionState | null = null;

  return {
    get(id: string): SessionState | undefined {
      const state = states.get(id);
      if (!state) return undefined;
      // A map keeps the places of deleted entries until it is copied: moving one session again and again would cost that.
      if (state === newest) return state;
      states.delete(id);
      states.set(id, state);
      newest = state;
      return state;
    },
    add(state: SessionState): void {
      states.set(state.row.uid, state);
      newest = state;
      this.weigh(state);
    },
    /** Estimates anew what a state takes. Does nothing for one that is not kept. */
    weigh(state: SessionState): void {
      if (states.get(state.row.uid) !== state) return;
      const bytes = bytesOf(state);
      total += bytes - state.keptBytes;
      state.keptBytes = bytes;
    },
    shrink(): void {
      if (total <= limits.bytes) return;
      for (const [id, state] of states) {
        // One with very much would be read again for each of its actions.
        if (total <= limits.bytes || states.size === 1) return;
        states.delete(id);
        total -= state.keptBytes;
      }
    },
    clear(): void {
      states.clear();
      newest = null;
      total = 0;
    },
  };
}

/** An estimate of the memory that a state takes, in bytes: 2 KB without recent actions, and at most 20 KB more with them. */
const bytesOf = ({ seen, counterByteLength, toolNameCount, recentActions }: SessionState): number =>
  2_000 + (seen?.byteLength ?? 0) + 2 * counterByteLength + 100 * toolNameCount + 400 * recentActions.length;

/** Changes of sessions by others than evaluations, each with its place among the evaluations. Synchronous: it runs inside a change. */
export interface SessionChanges {
  addEnd(sessionRow: number): void;
  addRemovedLabel(sessionRow: number, label: string): void;
  addRejection(sessionRow: number, reviewId: string): void;
}

export function createSessionChanges({ db, steady }: Pick<Sqlite, 'db' | 'steady'>): SessionChanges {
  const lastEvaluation = db
    .select({ id: evaluations.id })
    .from(evaluations)
    .orderBy(desc(evaluations.id))
    .limit(1);
  const { placeholder } = sql;
  const insert = steady
    .insert(sessionChanges)
    .values({
      sessionId: placeholder('sessionRow'),
      kind: placeholder('kind'),
      label: placeholder('label'),
      reviewUid: placeholder('reviewUid'),
      afterEvaluationId: sql`coalesce((${lastEvaluation}), 0)`,
    })
    .prepare();
  const none = { label: null, reviewUid: null };
  return {
    addEnd: (sessionRow) => void insert.run({ ...none, sessionRow, kind: 'ENDED' }),
    addRemovedLabel: (sessionRow, label) =>
      void insert.run({ ...none, sessionRow, kind: 'LABEL_REMOVED', label }),
    addRejection: (sessionRow, reviewUid) =>
      void insert.run({ ...none, sessionRow, kind: 'REJECTED', reviewUid }),
  };
}
