import { type Static, Type } from '@sinclair/typebox';
import { EnforcementAction, PolicyMode } from './decisions.ts';
import { Nullable, Uuid } from './values.ts';

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
