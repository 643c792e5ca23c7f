import type { EnforcementAction, Phase, Severity } from './decisions.ts';

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

/** Identifiers that one session keeps. */
export const mostIdentifiers = 5_000;

/** Where an identifier was seen in its session. */
export interface Sighting {
  /** The number of the action; for a PROMPT and a RESULT, that of the last action before it: 0 for none. */
  readonly seq: number;
  readonly tool: string;
  readonly phase: Phase;
  /** Labels that the rules gave to the content it was seen in. */
  readonly labels: readonly string[];
  /** Whether it was a whole field, and no part of a longer text. */
  readonly whole: boolean;
  /**
   * The field that held the identifier, in lower case. In a RESULT, the path of the field from the top, such as `.messages.from`, without
   * places in lists. In other phases, and where a result has no such path (a text that was read as lines), the name of the field; a name
   * that begins with a dot gets `..` in front. Empty for a part of a text, and for content that is not an object.
   */
  readonly field: string;
  /** The record of the result that named it: the same text for all values of one record. Empty in other phases, and where a result is one text. */
  readonly origin: string;
}
