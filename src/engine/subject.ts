import type {
  EnforcementAction,
  Outcome,
  Phase,
  ResultStatus,
  Severity,
  Violation,
} from '../schemas/decisions.ts';
import type { SessionContext } from '../schemas/session-context.ts';
import type { Counted } from './counters/count.ts';
import type { CounterReadings } from './counters/read-counters.ts';

/** How often one type of data was found in this action. */
export interface DetectionCount {
  type: string;
  count: number;
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
  readonly session: SessionContext & {
    /** The keys of `toolCounts` when absent, as always but in a document's tests. */
    readonly toolsUsed?: readonly string[];
  };
  /** How often this exact action was attempted before in the session; 0 when absent, as it is when no rule reads it. */
  readonly repeats?: number;
  /** The names of tools that the policies could look for: see `countsSeen`. */
  readonly toolsMentioned: ReadonlySet<string>;
  readonly counters: CounterReadings;
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
  /** What the counters of the policies count of this action: see `counterWrites`. */
  counted: readonly Counted[];
  /** Life of a review of this action: the shortest of the policies that ask for one, else 900. */
  reviewExpirySeconds: number;
}
