import { recentActionsLimit, type SessionStatus } from '../../schemas/evaluation-sessions.ts';
import type { SessionCounts } from '../session-counts.ts';
import type { SessionContext, StoredAction } from '../store.ts';
import type { evaluationSessions, sessionStates } from './tables.ts';

export type SessionRow = typeof evaluationSessions.$inferSelect;
export type StateRow = Omit<typeof sessionStates.$inferSelect, 'sessionId'>;

/** `expiresAt` itself is already too late. */
export const statusAt = (row: Pick<SessionRow, 'status' | 'expiresAt'>, now: number): SessionStatus =>
  row.status === 'ACTIVE' && row.expiresAt <= now ? 'EXPIRED' : row.status;

/** Tools counted in the session's own row; further ones get rows of their own. */
const toolsInRow = 32;

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
  toolCounts: Map<string, number>;
  lastEvaluationId: number | null;
  lastActionId: number | null;
  /** Tools to be written to rows of their own, with the action that was, or may have been, their first. */
  readonly furtherTools = new Map<string, number>();
  #recentActions: StoredAction[] | null = null;

  constructor(
    row: SessionRow,
    state: StateRow,
    furtherTools: readonly { tool: string; callCount: number }[],
    readActions: (lastActionId: number | null) => StoredAction[],
  ) {
    this.row = row;
    this.actionCount = state.actionCount;
    this.otherCount = state.otherCount;
    this.warningCount = state.warningCount;
    this.blockCount = state.blockCount;
    this.reviewCount = state.reviewCount;
    this.dataTags = JSON.parse(state.dataTags) as string[];
    this.toolCounts = new Map(JSON.parse(state.toolCounts) as [string, number][]);
    for (const { tool, callCount } of furtherTools) this.toolCounts.set(tool, callCount);
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

  countTool(tool: string): void {
    this.toolCounts.set(tool, (this.toolCounts.get(tool) ?? 0) + 1);
    if (!this.#isInRow(tool) && !this.furtherTools.has(tool)) this.furtherTools.set(tool, this.actionCount);
  }

  /** The first tools are in the row: a Map keeps the order of first use. */
  #isInRow(tool: string): boolean {
    if (this.toolCounts.size <= toolsInRow) return true;
    let place = 0;
    for (const name of this.toolCounts.keys()) {
      if (place++ === toolsInRow) return false;
      if (name === tool) return true;
    }
    return false;
  }

  /** JSON of the tools in the row. */
  toolsText(): string {
    const first: [string, number][] = [];
    for (const entry of this.toolCounts) {
      if (first.length === toolsInRow) break;
      first.push(entry);
    }
    return JSON.stringify(first);
  }
}
