import type { SessionContext, StoredAction } from '../store.ts';
import type { SessionRow, SessionRows } from './evaluation-sessions.ts';

/** A session as its next action sees it. What few rules ask for is read only when one asks. */
export class RowContext implements SessionContext {
  readonly #row: SessionRow;
  readonly #rows: SessionRows;
  #dataTags: string[] | undefined;
  #toolCounts: Map<string, number> | undefined;
  #recentActions: StoredAction[] | undefined;

  constructor(row: SessionRow, rows: SessionRows) {
    this.#row = row;
    this.#rows = rows;
  }

  get id(): string {
    return this.#row.uid;
  }
  get entityId(): string | null {
    return this.#row.entityId;
  }
  get metadata(): string {
    return this.#row.metadata;
  }
  get startedAt(): number {
    return this.#row.startedAt;
  }
  get actionCount(): number {
    return this.#row.actionCount;
  }
  get warningCount(): number {
    return this.#row.warningCount;
  }
  get blockCount(): number {
    return this.#row.blockCount;
  }
  get reviewCount(): number {
    return this.#row.reviewCount;
  }
  get dataTags(): string[] {
    this.#dataTags ??= JSON.parse(this.#row.dataTags) as string[];
    return this.#dataTags;
  }
  get toolCounts(): Map<string, number> {
    this.#toolCounts ??= this.#rows.readToolCounts(this.#row.id);
    return this.#toolCounts;
  }
  get recentActions(): StoredAction[] {
    this.#recentActions ??= this.#rows.readRecentActions(this.#row.id);
    return this.#recentActions;
  }
}

/** What an evaluation without a session sees: the context of a session in which nothing has happened yet. */
export const emptyContext = (startedAt: number): SessionContext => ({
  id: '',
  entityId: null,
  metadata: '{}',
  startedAt,
  actionCount: 0,
  warningCount: 0,
  blockCount: 0,
  reviewCount: 0,
  dataTags: [],
  toolCounts: new Map(),
  recentActions: [],
});
