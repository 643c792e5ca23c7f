import type { SessionState } from './session-state.ts';

/** The root of a tree of sessions, which may be opened only now. */
export interface CountedRoot {
  readonly id: string;
  readonly integrationRow: number;
  /** Whether nothing is recorded in the tree. */
  readonly isEmpty: boolean;
}

/** Whose counters an evaluation reads and changes. */
export interface CountedEvaluation {
  readonly integrationRow: number;
  /** Null when it has none, or one that it opens. */
  readonly session: SessionState | null;
  readonly entityId: string | null;
  /** Null without a session, and when no counter counts over trees in a session that nobody delegated. */
  readonly root: CountedRoot | null;
}
