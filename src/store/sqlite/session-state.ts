import { recentActionsLimit, type SessionStatus } from '../../schemas/evaluation-sessions.ts';
import { attemptCountsOf, countToolNames, type SessionCounts } from '../session-counts.ts';
import type { SessionContext, StoredAction } from '../store.ts';
import { SplitCounts } from './split-counts.ts';
import type { evaluationSessions, sessionStates } from './tables.ts';

export type SessionRow = typeof evaluationSessions.$inferSelect;
export type StateRow = Omit<typeof sessionStates.$inferSelect, 'sessionId'>;

type FurtherTool = { tool: string; callCount: number };
/** The counts that have rows of their own. */
export interface FurtherTools {
  tools: readonly FurtherTool[];
  stopped: readonly FurtherTool[];
}
export const noFurtherTools: FurtherTools = { tools: [], stopped: [] };

/** `expiresAt` itself is already too late. */
export const statusAt = (row: Pick<SessionRow, 'status' | 'expiresAt'>, now: number): SessionStatus =>
  row.status === 'ACTIVE' && row.expiresAt <= now ? 'EXPIRED' : row.status;

/** A session as its next action sees it: kept in memory between actions, and always equal to its rows. */
export class SessionState implements SessionContext, SessionCounts {
  readonly row: SessionRow;
  readonly #readActions: () => StoredAction[];
  actionCount: number;
  otherCount: number;
  warningCount: number;
  blockCount: number;
  reviewCount: number;
  dataTags: string[];
  toolNameCount: number;
  readonly tools: SplitCounts;
  readonly stopped: SplitCounts;
  #attemptCounts: ReadonlyMap<string, number> | null = null;
  lastEvaluationId: number | null;
  lastActionId: number | null;
  #recentActions: StoredAction[] | null = null;

  constructor(
    row: SessionRow,
    state: StateRow,
    further: FurtherTools,
    readActions: (lastActionId: number | null) => StoredAction[],
  ) {
    this.row = row;
    this.actionCount = state.actionCount;
    this.otherCount = state.otherCount;
    this.warningCount = state.warningCount;
    this.blockCount = state.blockCount;
    this.reviewCount = state.reviewCount;
    this.dataTags = JSON.parse(state.dataTags) as string[];
    this.tools = new SplitCounts(state.toolCounts, further.tools);
    this.stopped = new SplitCounts(state.stoppedCounts, further.stopped);
    this.toolNameCount = countToolNames(this);
    this.lastEvaluationId = state.lastEvaluationId;
    this.lastActionId = state.otherCount === 0 ? state.lastEvaluationId : state.lastActionId;
    this.#readActions = () => readActions(this.lastActionId);
  }

  /** How many evaluations were recorded, of whatever phase. */
  get recordCount(): number {
    return this.actionCount + this.otherCount;
  }
  /** What an evaluation recorded next links to besides the last one: null when that is an action, 0 for none. */
  get previousActionId(): number | null {
    return this.lastActionId === this.lastEvaluationId ? null : (this.lastActionId ?? 0);
  }
  get toolCounts(): ReadonlyMap<string, number> {
    return this.tools.counts;
  }
  get stoppedCounts(): ReadonlyMap<string, number> {
    return this.stopped.counts;
  }
  get attemptCounts(): ReadonlyMap<string, number> {
    this.#attemptCounts ??= attemptCountsOf(this);
    return this.#attemptCounts;
  }
  addToolCount(name: string): void {
    this.tools.add(name, this.actionCount);
    this.#attemptCounts = null;
  }
  addStoppedCount(name: string): void {
    this.stopped.add(name, this.actionCount);
    this.#attemptCounts = null;
  }
  get id(): string {
    return this.row.uid;
  }
  get entityId(): string | null {
    return this.row.entityId;
  }
  get metadata(): string {
    return this.row.metadata;
  }
  get startedAt(): number {
    return this.row.startedAt;
  }
  /** Read from the rows when a rule first asks, and kept up from then on. */
  get recentActions(): StoredAction[] {
    this.#recentActions ??= this.#readActions();
    return this.#recentActions;
  }

  remember(action: StoredAction): void {
    if (!this.#recentActions) return;
    this.#recentActions = [action, ...this.#recentActions.slice(0, recentActionsLimit - 1)];
  }
}
