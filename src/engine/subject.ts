import type {
  EnforcementAction,
  Outcome,
  Phase,
  ResultStatus,
  Severity,
  Violation,
} from '../schemas/decisions.ts';

/** How often one type of data was found in this action. */
export interface DetectionCount {
  type: string;
  count: number;
}

/** An earlier action of the session. */
export interface RecentAction {
  seq: number;
  tool: string;
  targetKey: string;
  dataTags: readonly string[];
  enforcementAction: EnforcementAction;
  severity: Severity | null;
  /** Epoch milliseconds. */
  at: number;
}

/**
 * The session as it was before this action; without a session, that of an empty one. `toolsUsed`, `toolCounts`, `attemptCounts`,
 * `metadata` and `recentActions` may be getters: they are read when a rule reads them, and at most once a rule.
 */
export interface SubjectSession {
  /** `''` when there is no session. */
  readonly id: string;
  readonly actionCount: number;
  readonly dataTags: readonly string[];
  readonly toolsUsed: readonly string[];
  /** Of actions that were let through. */
  readonly toolCounts: ReadonlyMap<string, number>;
  /** Of all evaluations of actions. */
  readonly attemptCounts: ReadonlyMap<string, number>;
  readonly warningCount: number;
  readonly blockCount: number;
  readonly reviewCount: number;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly entityId: string | null;
  /** Newest first, at most 50. */
  readonly recentActions: readonly RecentAction[];
}

/** Everything a rule can read: the action, the calling integration, and the session before the action. */
export interface Subject {
  /** JSON. */
  readonly input: Readonly<Record<string, unknown>>;
  /** `''` when none was given. */
  readonly targetKey: string;
  /** `''` when none is known, and for a PROMPT. For a RESULT, that of the action. */
  readonly tool: string;
  readonly phase: Phase;
  /** How the action went, for a RESULT; else `''`. */
  readonly resultStatus: ResultStatus | '';
  /** Of this action. */
  readonly dataTags: readonly string[];
  /** Of this action. */
  readonly detections: readonly DetectionCount[];
  readonly integration: { readonly id: string; readonly name: string; readonly kind: string };
  /** Epoch milliseconds. */
  readonly now: number;
  readonly session: SubjectSession;
}

/** The decision of all policies about a subject. */
export interface Decision {
  outcome: Outcome;
  /** Of enforced policies only. */
  enforcementAction: EnforcementAction;
  /** The highest of all violations; null when there is none. */
  severity: Severity | null;
  /** The highest of the violations of enforced policies; null when there is none. */
  enforcedSeverity: Severity | null;
  /** Those of enforced policies first, then those of monitored ones, each in the order of policies and rules. */
  violations: Omit<Violation, 'id'>[];
  /** Life of a review of this action: the shortest of the policies that ask for one, else 900. */
  reviewExpirySeconds: number;
}
