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

export const ExplainedRule = Type.Object({
  ruleId: Type.String(),
  ruleName: Type.String(),
  when: Type.String({ description: 'its condition' }),
  result: Type.Unsafe<'MATCHED' | 'FAILED' | 'NOT_MATCHED' | 'NOT_APPLICABLE' | 'ESCALATES'>({
    type: 'string',
    enum: ['MATCHED', 'FAILED', 'NOT_MATCHED', 'NOT_APPLICABLE', 'ESCALATES'],
    description:
      '`FAILED`: its condition could not be evaluated; `NOT_APPLICABLE`: it is for other tools or phases; `ESCALATES`: it raises severities and may have matched, see `escalatedBy`',
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
  strengthenedBy: Nullable(
    Type.Unsafe<'FLOOR' | 'ON_ERROR'>({
      type: 'string',
      enum: ['FLOOR', 'ON_ERROR'],
      description: 'what made it stricter: a severity floor, or `onError` of its policy',
    }),
  ),
  escalatedBy: Type.Array(Type.String(), {
    description: 'the rules that may have raised it, as `policy/rule`: with one, that rule did',
  }),
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
  grants: Type.Array(
    Type.Object({
      grantId: Uuid,
      reviewRequestId: Uuid,
      rule: Type.String({ description: 'as `policy/rule`: its finding was lifted' }),
      action: Nullable(
        Type.Integer({
          minimum: 1,
          description: '`seq` of the earlier action whose approval gave the grant',
        }),
      ),
      decidedBy: Nullable(Type.String({ description: 'the name of the operator' })),
      decidedAt: Nullable(Timestamp),
    }),
    { description: 'of earlier approvals, that let the action through' },
  ),
  review: Nullable(
    Type.Object(
      {
        reviewRequestId: Uuid,
        role: Type.Unsafe<'HOLDS' | 'APPROVES' | 'REJECTS'>({
          type: 'string',
          enum: ['HOLDS', 'APPROVES', 'REJECTS'],
        }),
        status: Type.String(),
        decidedBy: Nullable(Type.String({ description: 'the name of the operator' })),
        decidedAt: Nullable(Timestamp),
        action: Nullable(
          Type.Integer({
            minimum: 1,
            description: '`seq` of the earlier action of the session that it held',
          }),
        ),
      },
      { description: 'the review that holds the action, or whose approval let it through' },
    ),
  ),
});
export type Explanation = Static<typeof Explanation>;
export type ExplainedReview = NonNullable<Explanation['review']>;
export type ExplainedGrant = Explanation['grants'][number];
export type ExplainedRule = Static<typeof ExplainedRule>;
export type ExplainedValue = Static<typeof ExplainedValue>;
