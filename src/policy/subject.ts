import { CelError, Unknown } from '../cel/index.ts';
import type { ToolEffect } from '../features/tools/words.ts';
import type {
  EnforcementAction,
  Outcome,
  Phase,
  ResultStatus,
  Severity,
  Violation,
} from '../schemas/decisions.ts';
import type { VerifiedIdentity } from '../schemas/identities.ts';
import type { GrantTerms, OpenGrant, ReviewTerms } from '../schemas/review-terms.ts';
import type { SessionContext } from '../schemas/session-context.ts';
import type { Cost } from '../schemas/values.ts';
import type { CallArguments } from './call-arguments.ts';
import type { CompiledCounter } from './counters/compile-counter.ts';
import type { Counted } from './counters/count.ts';
import type { CounterReadings } from './counters/read-counters.ts';
import type { SightingReadings } from './seen.ts';

/** How often one type of data was found in this action. */
export interface DetectionCount {
  type: string;
  count: number;
}

/** A tool of the catalogue, and what it says of this call. */
export interface CataloguedTool {
  readonly effect: ToolEffect;
  /** Whether others can write into its results. */
  readonly untrustedResults: boolean;
  /** Whether its results list people or accounts that may be used. */
  readonly directory: boolean;
  /** Whether its entry says what its arguments are, if it changes or sends something. */
  readonly described: boolean;
  /** Values of the arguments that say where something goes; null when the arguments cannot be read. */
  readonly destinations: readonly string[] | null;
  /** Values of the arguments that identify something; null when the arguments cannot be read. */
  readonly identifiers: readonly string[] | null;
  /** Its name and its aliases; absent when it has no alias. */
  readonly names?: readonly string[];
}

/** Stands for content of a recorded action that was not kept. */
export const notKept = new Unknown('the content of a recorded action was not kept');

/** The same for the action of a result that is decided now: an error of the rules that read it. */
export const notKeptAsSent = new CelError(
  'host_failure',
  'call.arguments: the content of the action was not kept as it was sent',
);

/**
 * Everything a rule can read: the action, the calling integration, and the session before the action. In a replay of the
 * record, some of it is unknown: a rule that needs an unknown value is not evaluated (`Decision.unevaluated`).
 */
export interface Subject {
  /** JSON; may hold `Unknown` in any place. */
  readonly input: Readonly<Record<string, unknown>>;
  /** The calls in the input, when they have been read already. */
  readonly call?: CallArguments | undefined;
  /** The arguments of the action of a RESULT, or why they are not known; absent in other phases, and where no policy reads them. */
  readonly actionArguments?: object | CelError | undefined;
  /** `''` when none was given. */
  readonly targetKey: string | Unknown;
  /** `''` when none is known, and for a PROMPT. For a RESULT, that of the action. */
  readonly tool: string;
  readonly phase: Phase;
  /** The tool's entry in the integration's catalogue; null for a tool that is not in it. */
  readonly catalogued: { readonly [Field in keyof CataloguedTool]: CataloguedTool[Field] | Unknown } | null;
  /** How the action went, for a RESULT; else `''`. */
  readonly resultStatus: ResultStatus | '';
  /** As the caller states it; absent when it does not. */
  readonly cost?: Cost | undefined;
  /** Whom the token of the request proved; absent when it had none. */
  readonly identity?: VerifiedIdentity | null | undefined;
  /** The data tags found in this action. */
  readonly dataTags: readonly string[] | Unknown;
  /** How often each type was detected in this action. */
  readonly detections: readonly DetectionCount[] | Unknown;
  readonly integration: { readonly id: string; readonly name: string; readonly kind: string };
  /** Epoch milliseconds. */
  readonly now: number;
  readonly session: Omit<SessionContext, 'dataTags'> & {
    readonly dataTags: readonly string[] | Unknown;
    /** The keys of `toolCounts` when absent, as always but in a document's tests. */
    readonly toolsUsed?: readonly string[];
  };
  /** How often this exact action was attempted before in the session; 0 when absent, as it is when no rule reads it. */
  readonly repeats?: number | Unknown;
  /** The names of tools that the policies could look for: see `countsSeen`. */
  readonly toolsMentioned: ReadonlySet<string>;
  /** Grants from approvals in this session that its actions can use. */
  readonly grants?: readonly Pick<OpenGrant, 'ruleId' | 'tool' | 'usesLeft' | 'expiresAt'>[] | Unknown;
  readonly counters: CounterReadings;
  readonly sightings: SightingReadings;
}

/** A rule that needs an unknown value, or a counter that could not count for one. */
export interface Unevaluated {
  readonly policyId: string;
  readonly policyName: string;
  /** `counters.NAME` for a counter. */
  readonly ruleId: string;
  /** Null for a rule. */
  readonly counter: CompiledCounter | null;
  /** Whether it could have changed what is decided: not so in mode MONITOR. */
  readonly decides: boolean;
}

/** The outcome of the action, rejections, approvals and grants included. */
export interface Told {
  readonly enforcementAction: EnforcementAction;
  /** The highest severity of enforced policies. */
  readonly severity: Severity | null;
  /** The ids of the rules that found something. */
  readonly rules: readonly string[];
}

/** A finding whose approval covers later actions, too. */
export interface GrantableFinding {
  readonly violation: Omit<Violation, 'id'>;
  readonly terms: GrantTerms;
}

/** The decision of all policies about a subject. */
export interface Decision {
  outcome: Outcome;
  /** Decided by enforced policies only. */
  enforcementAction: EnforcementAction;
  /** The highest of all violations; null when there is none. */
  severity: Severity | null;
  /** The highest of the violations of enforced policies; null when there is none. */
  enforcedSeverity: Severity | null;
  /** Violations of enforced policies first, then of monitored ones, each in the order of policies and rules. */
  violations: Omit<Violation, 'id'>[];
  /** That enforced policies give the session if this is let through; each once. */
  labels: readonly string[];
  /** The same of policies in mode MONITOR. */
  monitoredLabels: readonly string[];
  /**
   * Present when the policies have counters that depend on what becomes of the action: what they count then, and the decision,
   * which is stricter when one of them cannot say.
   */
  afterwards?: (told: Told) => Decision;
  /** The amounts of this action that counters add: see `counterWrites`. */
  counted: readonly Counted[];
  /** Present when rules or counters needed unknown values. */
  unevaluated?: readonly Unevaluated[];
  /** The approvals that the action needs, when it is held. */
  terms: ReviewTerms;
  /** The findings that hold it and whose rules let an approval cover later actions. */
  grantable: readonly GrantableFinding[];
  /** Life of a review of this action: the shortest that a rule or policy asks for, else 900. */
  reviewExpirySeconds: number;
}

/** The text that a message shows in place of a value: content may have to be masked. */
export type ShowValue = (text: string) => string;
