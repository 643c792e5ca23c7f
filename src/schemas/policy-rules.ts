import { type Static, Type } from '@sinclair/typebox';
import { GroupName } from '../features/operators/schema.ts';
import { EnforcementAction, Phase, Severity } from './decisions.ts';
import { phases } from './words.ts';

/** The names of policies and rules: lower-case words joined by `-`. */
export const policyName = '^[a-z0-9][a-z0-9-]*$';
/** The names that conditions can use for params, variables and counters. */
export const policyIdentifier = '^[A-Za-z_][A-Za-z0-9_]{0,63}$';
export const JsonObject = Type.Record(Type.String(), Type.Unknown());

const Duration = (description: string) =>
  Type.String({ pattern: '^[1-9][0-9]{0,8}[smhd]$', maxLength: 10, description });

/** The name of a tool, or several. */
export const ToolNames = (description: string) =>
  Type.Unsafe<string | string[]>({
    type: ['string', 'array'],
    minLength: 1,
    maxLength: 1_000,
    items: { type: 'string', minLength: 1, maxLength: 1_000 },
    minItems: 1,
    maxItems: 200,
    description,
  });

/** The later actions of the session that one approval covers. */
const PolicyGrant = Type.Object(
  {
    same: Type.Optional(
      Type.Array(
        Type.String({
          pattern: '^(tool|targetKey|destinations|identifiers|origin|(?:input|arguments)(\\.[^.]+)*)$',
          maxLength: 200,
        }),
        {
          minItems: 1,
          maxItems: 20,
          description:
            'what a later action must have in common with the approved one: tool, targetKey, destinations, identifiers, origin (the record that named its values), arguments, arguments.to, input, input.to; default: everything',
        },
      ),
    ),
    for: Type.Optional(Duration('how long after the approval, from 60s to 7d')),
    uses: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, description: 'how many later actions' })),
  },
  {
    additionalProperties: false,
    anyOf: [{ required: ['for'] }, { required: ['uses'] }],
    description:
      'what one approval lets later actions of the session do, by this rule; needs for, uses or both',
  },
);

const PolicyApproval = Type.Object(
  {
    quorum: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 10, description: 'operators who must approve; default: 1' }),
    ),
    from: Type.Optional(
      Type.Array(Type.Unsafe<string>({ ...GroupName, maxLength: 64 }), {
        minItems: 1,
        maxItems: 20,
        description: 'groups they must belong to; default: every operator who may decide',
      }),
    ),
    notRequester: Type.Optional(
      Type.Boolean({
        description:
          'bars operators who created a key of the integration, or who are the entity of the session, from approving; default: false',
      }),
    ),
    expiresIn: Type.Optional(
      Duration('how long the review waits, from 60s to 7d; default: as the policy says'),
    ),
    grant: Type.Optional(PolicyGrant),
  },
  {
    additionalProperties: false,
    description: 'requirements for approval; only with APPROVAL_REQUIRED',
  },
);

/** A rule: when its condition holds, at most one of `effect` and `escalate`, and `label` beside it or alone. */
export const PolicyRule = Type.Object(
  {
    id: Type.String({ pattern: policyName, maxLength: 100, description: 'unique in the document' }),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'default: the id' })),
    description: Type.Optional(Type.String({ maxLength: 2_000, description: 'for readers' })),
    tool: Type.Optional(ToolNames('the rule applies to these tools only')),
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
