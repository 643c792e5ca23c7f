import { type Static, Type } from '@sinclair/typebox';
import { EnforcementAction, Phase, phases, Severity } from './decisions.ts';
import { PolicyApproval } from './policy-approvals.ts';
import { policyName } from './policy-values.ts';

/** What a rule does when its condition holds: at most one of `effect` and `escalate`, and `label` beside it or alone. */
export const PolicyRule = Type.Object(
  {
    id: Type.String({ pattern: policyName, maxLength: 100, description: 'unique in the document' }),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'default: the id' })),
    description: Type.Optional(Type.String({ maxLength: 2_000 })),
    tool: Type.Optional(
      Type.Unsafe<string | string[]>({
        type: ['string', 'array'],
        minLength: 1,
        maxLength: 1_000,
        items: { type: 'string', minLength: 1, maxLength: 1_000 },
        minItems: 1,
        maxItems: 200,
        description: 'the rule applies to these tools only',
      }),
    ),
    on: Type.Optional(
      Type.Array(Phase, {
        minItems: 1,
        maxItems: phases.length,
        description: 'the phases the rule applies to; default: [ACTION]',
      }),
    ),
    when: Type.String({ minLength: 1, maxLength: 4_096, description: 'CEL, true when the rule matches' }),
    effect: Type.Optional(
      Type.Unsafe<EnforcementAction>({
        ...EnforcementAction,
        description: 'what happens when the rule matches',
      }),
    ),
    escalate: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 3, description: 'steps by which every severity rises' }),
    ),
    label: Type.Optional(
      Type.Array(
        Type.String({ pattern: '^[A-Z][A-Z0-9_]{0,63}$', maxLength: 64, description: 'in capitals' }),
        {
          minItems: 1,
          maxItems: 20,
          description: 'labels that the session gets when the rule matches an action that is let through',
        },
      ),
    ),
    approval: Type.Optional(PolicyApproval),
    severity: Type.Optional(Type.Unsafe<Severity>({ ...Severity, description: 'default: MEDIUM' })),
    reason: Type.Optional(
      Type.String({
        pattern: '^[a-z][a-z0-9_]*$',
        maxLength: 100,
        description: 'a stable code for programs; default: the id with `_` for `-`',
      }),
    ),
    message: Type.Optional(
      Type.String({ minLength: 1, maxLength: 1_000, description: 'text with {{CEL}} in it' }),
    ),
  },
  {
    additionalProperties: false,
    not: { required: ['effect', 'escalate'] },
    anyOf: [{ required: ['effect'] }, { required: ['escalate'] }, { required: ['label'] }],
  },
);
export type PolicyRule = Static<typeof PolicyRule>;
