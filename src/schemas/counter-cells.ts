import { type Static, Type } from '@sinclair/typebox';
import { EnforcementAction, type Phase, PolicyMode, type ResultStatus, type Severity } from './decisions.ts';
import { Nullable, Uuid } from './values.ts';

/** Whose actions a counter counts together. */
export const counterScopes = ['session', 'tree', 'entity', 'integration'] as const;
export type CounterScope = (typeof counterScopes)[number];

/** The state of one counter, of one value that splits it, or of one value that it counts. A reader must not keep it. */
export interface CounterCell {
  /**
   * Slice, amount, slice, amount …: the amounts by slice of time, in the order of the slices. For distinct values and for keys,
   * the amount is how many of them were seen last in that slice.
   */
  readonly slices: readonly number[];
  /** The newest slice of any change. */
  readonly latest: number;
  /** The newest slice in which one was not kept, because there were too many: until it is over, reading fails. */
  readonly overflow: number | null;
  /** Values that were seen before the last reset have names of their own. */
  readonly resets: number;
}

/** The cells of counters, as they are before the evaluation that reads them. `counter` is the identity of its definition. */
export interface CounterCells {
  /** `name` is empty for the counter itself. Null when nothing is kept, and for the scope `session` without a session. */
  find(counter: string, scope: CounterScope, name: string): CounterCell | null;
}

/** A change of a cell. Without a session, one in the scope `session` is not kept. */
export interface CounterWrite {
  readonly counter: string;
  readonly scope: CounterScope;
  readonly name: string;
  /** The new state of the cell. */
  readonly becomes: CounterCell | AddedAmount;
  /** From when on the cell says nothing any more: milliseconds since 1970; null for never. */
  readonly endsAt: number | null;
}

/** The cell as it is, with this amount more: the most frequent change by far, so it copies nothing. */
export interface AddedAmount {
  readonly slice: number;
  readonly amount: number;
  /** Slices before this one do not count any more. */
  readonly first: number;
}

/** A counter that the policies in force have. */
export interface PlannedCounter {
  /** The identity of its definition: equal for equal ones only. */
  readonly identity: string;
  readonly over: CounterScope;
  /** The integrations whose policies have it; undefined where the record does not say. */
  readonly by?: readonly string[];
}

/** A recorded evaluation, as far as counters can count it. Texts that are JSON are as they are kept. */
export interface CountedRecord {
  readonly id: string;
  /** For a RESULT: the id of its action. */
  readonly resultOf: string | null;
  readonly phase: Phase;
  readonly tool: string;
  readonly resultStatus: ResultStatus | null;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly enforcementAction: EnforcementAction;
  /** The highest severity that enforcing policies found. */
  readonly severity: Severity | null;
  /** JSON text; null when none was stated. */
  readonly cost: string | null;
  /** JSON text; null for none. */
  readonly violations: string | null;
  /** JSON text; null for none. */
  readonly dataTags: string | null;
  /** JSON text; null for none. */
  readonly detections: string | null;
  /** JSON text of what is kept; null when nothing is, or when it was not asked for. */
  readonly input: string | null;
  readonly targetKey: string | null;
  readonly session: {
    readonly id: string;
    readonly entityId: string | null;
    /** JSON text. */
    readonly metadata: string;
    readonly startedAt: number;
  } | null;
}

const CounterLimit = Type.Object({
  ruleId: Type.String(),
  effect: Nullable(EnforcementAction),
  comparison: Type.Unsafe<'>' | '>='>({ type: 'string', enum: ['>', '>='] }),
  value: Type.Number(),
});

/** A counter of a policy in force, as it is now. */
export const counterReading = {
  policyId: Uuid,
  policyName: Type.String(),
  mode: PolicyMode,
  name: Type.String(),
  window: Nullable(
    Type.String({ description: 'how far it looks back: `within`, or the unit of the calendar in `per`' }),
  ),
  splitBy: Nullable(
    Type.String({ description: 'the value in `per` that splits it; null when it is one number' }),
  ),
  value: Nullable(Type.Number({ description: 'now; null when it is split, and with `why`' })),
  keyCount: Nullable(
    Type.Integer({
      minimum: 0,
      description: 'into how many numbers it is split now; null when it is one number',
    }),
  ),
  why: Nullable(Type.String({ description: 'why there is no number' })),
  limits: Type.Array(CounterLimit, {
    description:
      'comparisons with a constant in the rules of the policy, in one of which the rule can match: `counters.NAME > 500`, also with the amount of the action added',
  }),
};
const CounterReading = Type.Object(counterReading);
export type CounterReading = Static<typeof CounterReading>;
