import type { EnforcementAction, Severity } from './decisions.ts';

/** An action that a session has seen. */
export interface SessionAction {
  /** Place of the action in its session, from 1. */
  readonly seq: number;
  /** Empty when the action named none. */
  readonly tool: string;
  readonly targetKey: string | null;
  readonly dataTags: readonly string[];
  readonly enforcementAction: EnforcementAction;
  /** Of what enforcing policies found. */
  readonly severity: Severity | null;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/**
 * What a session has seen before an evaluation: what stores load and rules read. Plain data: nothing in it is read from
 * elsewhere later.
 */
export interface SessionContext {
  /** Empty without a session; the rest is then that of a session in which nothing has happened. */
  readonly id: string;
  readonly entityId: string | null;
  /** JSON text of an object. */
  readonly metadata: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly actionCount: number;
  readonly warningCount: number;
  readonly blockCount: number;
  readonly reviewCount: number;
  /** In order of first sight. */
  readonly dataTags: readonly string[];
  /** Actions that were let through, by tool in order of first use. */
  readonly toolCounts: ReadonlyMap<string, number>;
  /** All evaluations of actions, by tool. */
  readonly attemptCounts: ReadonlyMap<string, number>;
  /** Newest first, at most 50; empty when no rule of the policies reads them. */
  readonly recentActions: readonly SessionAction[];
}
