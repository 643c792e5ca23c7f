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
  /** The highest severity that enforcing policies found. */
  readonly severity: Severity | null;
  /** Ids and reasons of what its rules found, each once. */
  readonly rules: readonly string[];
  readonly reasons: readonly string[];
  /** That it gave the session. */
  readonly labels: readonly string[];
  /** How often it was attempted before in its session; null when no policy asked. */
  readonly repeats: number | null;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The facts that the sessions of a tree have seen together. */
export interface TreeContext {
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly actionCount: number;
  readonly warningCount: number;
  readonly blockCount: number;
  readonly reviewCount: number;
  /** Held actions that a person rejected. */
  readonly rejectionCount: number;
  /** In order of first sight. */
  readonly dataTags: readonly string[];
  /** That policies gave it, in order of first sight. */
  readonly labels: readonly string[];
  /** That policies in mode MONITOR gave it: no other policy sees them. */
  readonly monitoredLabels: readonly string[];
  /** Actions that were let through, by tool in order of first use. */
  readonly toolCounts: ReadonlyMap<string, number>;
  /** All evaluations of actions, by tool. */
  readonly attemptCounts: ReadonlyMap<string, number>;
}

/**
 * The facts that a session has seen before an evaluation: stores load and rules read them. Plain data: nothing in it is read from
 * elsewhere later.
 */
export interface SessionContext extends TreeContext {
  /** Empty without a session; the rest is then that of a session in which nothing has happened. */
  readonly id: string;
  /** The id of the root of its tree: its own id without a parent. */
  readonly rootId: string;
  readonly parentId: string | null;
  /** 0 without a parent. */
  readonly depth: number;
  /** All sessions of its tree together; null for a session that is alone in it. */
  readonly tree: TreeContext | null;
  readonly entityId: string | null;
  /** JSON text of an object. */
  readonly metadata: string;
  /** Newest first, at most 50; empty when no rule of the policies reads them. */
  readonly recentActions: readonly SessionAction[];
}
