import { type Static, Type } from '@sinclair/typebox';
import { EnforcementAction, PolicyMode, Severity } from './decisions.ts';
import { Nullable, Timestamp, Uuid } from './values.ts';

const ExplainedValue = Type.Object({
  path: Type.String({ description: 'as in the condition: `session.toolCounts`' }),
  value: Type.Unknown({ description: 'value at that time; null when unknown' }),
  why: Nullable(Type.String({ description: 'why the value is unknown' })),
  actions: Type.Array(Type.Integer({ minimum: 1 }), {
    description: '`seq` of the earlier actions of the session that led to it; the newest 50 at most',
  }),
});

const ExplainedRule = Type.Object({
  ruleId: Type.String(),
  ruleName: Type.String(),
  result: Type.Unsafe<'MATCHED' | 'FAILED' | 'NOT_MATCHED' | 'NOT_APPLICABLE' | 'ESCALATES'>({
    type: 'string',
    enum: ['MATCHED', 'FAILED', 'NOT_MATCHED', 'NOT_APPLICABLE', 'ESCALATES'],
    description:
      '`FAILED`: its condition could not be evaluated; `NOT_APPLICABLE`: it is for other tools or phases; `ESCALATES`: it raises severities, see `raisedFrom`',
  }),
  reads: Type.Array(ExplainedValue, { description: 'what its condition reads' }),
  raisedFrom: Nullable(
    Type.Unsafe<Severity>({ ...Severity, description: 'its own severity, when escalation raised it' }),
  ),
  strengthenedFrom: Nullable(
    Type.Unsafe<EnforcementAction>({
      ...EnforcementAction,
      description: 'its own effect, when a severity floor or `onError` made it stricter',
    }),
  ),
});

export const Explanation = Type.Object({
  text: Type.String({ description: 'one paragraph for a reviewer' }),
  policies: Type.Array(
    Type.Object({
      policyId: Uuid,
      policyName: Type.String(),
      version: Type.Integer({ minimum: 1 }),
      mode: PolicyMode,
      rules: Type.Array(ExplainedRule),
    }),
  ),
  review: Nullable(
    Type.Object(
      {
        reviewRequestId: Uuid,
        role: Type.Unsafe<'HOLDS' | 'APPROVES'>({ type: 'string', enum: ['HOLDS', 'APPROVES'] }),
        status: Type.String(),
        decidedBy: Nullable(Type.String({ description: 'the name of the operator' })),
        decidedAt: Nullable(Timestamp),
      },
      { description: 'the review that holds the action, or whose approval let it through' },
    ),
  ),
});
export type Explanation = Static<typeof Explanation>;
export type ExplainedRule = Static<typeof ExplainedRule>;
export type ExplainedValue = Static<typeof ExplainedValue>;
