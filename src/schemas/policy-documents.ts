import { type Static, Type } from '@sinclair/typebox';
import { type CounterScope, counterScopes } from './counter-cells.ts';
import { EnforcementAction, Phase, PolicyMode } from './decisions.ts';
import { JsonObject, PolicyRule, policyIdentifier, policyName, ToolNames } from './policy-rules.ts';
import { PolicyTest } from './policy-tests.ts';

const counterCounts = ['ALLOWED', 'HELD', 'REJECTED', 'BLOCKED', 'ATTEMPTED'] as const;

const expression = { type: 'string', minLength: 1, maxLength: 4_096 } as const;
const Expression = (description: string) => Type.String({ ...expression, description });

/** A policy's memory across actions: which are selected, by what they are counted, and for how long. */
export const PolicyCounter = Type.Object(
  {
    over: Type.Unsafe<CounterScope>({
      type: 'string',
      enum: [...counterScopes],
      description:
        'whose actions are counted together; all actions of an integration without an entity count as one entity',
    }),
    where: Type.Optional(
      Expression('CEL, true for the actions that count; it can read decision; default: all'),
    ),
    counts: Type.Optional(
      Type.Unsafe<(typeof counterCounts)[number]>({
        type: 'string',
        enum: [...counterCounts],
        description:
          'which actions count, by their decision; REJECTED: held, and then rejected by a person; default: ALLOWED, which includes WARN',
      }),
    ),
    on: Type.Optional(
      Type.Unsafe<'ACTION' | 'RESULT'>({
        type: 'string',
        enum: ['ACTION', 'RESULT'],
        description: 'the phase that counts; default: ACTION',
      }),
    ),
    add: Type.Optional(Expression('CEL, the number to add, from 0 to 1e15; default: 1')),
    settle: Type.Optional(
      Expression('CEL, run at the RESULT: the number from 0 to 1e15 that replaces what the action added'),
    ),
    distinct: Type.Optional(Expression('CEL, a value whose distinct values are counted; needs cap')),
    cap: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10_000,
        description: 'with more values, reading the counter fails',
      }),
    ),
    per: Type.Optional(
      Type.Unsafe<string | string[]>({
        type: ['string', 'array'],
        minLength: 1,
        maxLength: 4_096,
        items: expression,
        minItems: 1,
        maxItems: 2,
        description:
          '`hour`, `day`, `week` or `month`, after which the counter restarts; or a CEL value that splits it; or a list of both',
      }),
    ),
    within: Type.Optional(
      Type.String({
        pattern: '^[1-9][0-9]{0,8}[smhd]$',
        maxLength: 10,
        description: 'a sliding window of at most 400d, such as 30m or 24h',
      }),
    ),
    zone: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'the time zone of the calendar; default: UTC',
      }),
    ),
    reset: Type.Optional(Expression('CEL, true for the actions that set it to 0, if they are let through')),
  },
  { additionalProperties: false },
);
export type PolicyCounter = Static<typeof PolicyCounter>;

const dataTag = '^[A-Z][A-Z0-9_]{0,63}$';

/** A data tag of the policy's own: `pattern` is RE2. */
export const CustomDetector = Type.Object(
  {
    tag: Type.String({ pattern: dataTag }),
    category: Type.String({ pattern: dataTag }),
    pattern: Type.String({ minLength: 1, maxLength: 512 }),
  },
  { additionalProperties: false },
);
export type CustomDetector = Static<typeof CustomDetector>;

/** A sentence about the policy that has to hold for every action and session. */
export const PolicyProperty = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200, description: 'the sentence in words' }),
    description: Type.Optional(Type.String({ maxLength: 2_000 })),
    on: Type.Optional(
      Type.Array(Phase, {
        minItems: 1,
        maxItems: 3,
        description: 'the phases it is about; default: [ACTION]',
      }),
    ),
    tool: Type.Optional(ToolNames('it is about these tools only')),
    when: Type.Optional(
      Type.String({ minLength: 1, maxLength: 4_096, description: 'CEL, true for the actions it is about' }),
    ),
    holds: Type.String({
      minLength: 1,
      maxLength: 4_096,
      description: 'CEL, what has to be true; also reads `decision`',
    }),
  },
  { additionalProperties: false },
);
export type PolicyProperty = Static<typeof PolicyProperty>;

/** A policy as its author writes it, in YAML or JSON. Absent fields have the defaults their descriptions name. */
export const PolicyDocument = Type.Object(
  {
    schemaVersion: Type.Unsafe<1>({ type: 'integer', enum: [1], description: 'of the form of the document' }),
    name: Type.String({
      pattern: policyName,
      maxLength: 100,
      description: 'lower-case words joined by -, unique among the policies',
    }),
    description: Type.Optional(Type.String({ maxLength: 2_000, description: 'for readers' })),
    mode: Type.Optional(
      Type.Unsafe<PolicyMode>({
        ...PolicyMode,
        description: 'MONITOR records findings and lets the action proceed; default ENFORCE',
      }),
    ),
    onError: Type.Optional(
      Type.Unsafe<'BLOCK' | 'APPROVAL_REQUIRED' | 'WARN'>({
        type: 'string',
        enum: ['BLOCK', 'APPROVAL_REQUIRED', 'WARN'],
        description: 'what a rule that fails at run time does; default BLOCK',
      }),
    ),
    params: Type.Optional(
      Type.Record(Type.String({ pattern: policyIdentifier }), Type.Unknown(), {
        maxProperties: 200,
        additionalProperties: false,
        description:
          'named values that conditions read as params.NAME and bindings may replace: a value, or { type, default, minimum, maximum, description } with type bool, int, number, string, list(int), list(number) or list(string); without a default, each binding gives one',
      }),
    ),
    variables: Type.Optional(
      Type.Record(
        Type.String({ pattern: policyIdentifier }),
        Type.String({ minLength: 1, maxLength: 4_096 }),
        {
          maxProperties: 100,
          additionalProperties: false,
          description:
            'named expressions that conditions read as vars.NAME; computed once, when a rule needs it',
        },
      ),
    ),
    counters: Type.Optional(
      Type.Record(Type.String({ pattern: policyIdentifier }), PolicyCounter, {
        maxProperties: 50,
        additionalProperties: false,
        description: 'what the policy remembers across actions; conditions read it as counters.NAME',
      }),
    ),
    severityFloors: Type.Optional(
      Type.Partial(
        Type.Object(
          {
            LOW: EnforcementAction,
            MEDIUM: EnforcementAction,
            HIGH: EnforcementAction,
            CRITICAL: EnforcementAction,
          },
          {
            additionalProperties: false,
            description: 'minimum effect of violations with this severity or a higher one',
          },
        ),
      ),
    ),
    detectors: Type.Optional(
      Type.Array(CustomDetector, {
        maxItems: 50,
        description: 'custom data tags, found by RE2 patterns',
      }),
    ),
    tools: Type.Optional(
      Type.Record(Type.String(), Type.Object({ inputSchema: JsonObject }, { additionalProperties: false }), {
        maxProperties: 200,
        description: 'JSON Schema of `input`, by tool: types the rules whose `tool` names it',
      }),
    ),
    reviewExpirySeconds: Type.Optional(
      Type.Integer({
        minimum: 60,
        maximum: 604_800,
        description: 'seconds that a review waits; default 900',
      }),
    ),
    rules: Type.Array(PolicyRule, {
      minItems: 1,
      maxItems: 200,
      description: 'conditions, and what happens when they match; all of them run',
    }),
    properties: Type.Optional(
      Type.Array(PolicyProperty, {
        maxItems: 50,
        description: 'sentences that hold for every action and session; `assize policies prove` proves them',
      }),
    ),
    tests: Type.Optional(
      Type.Array(PolicyTest, { maxItems: 200, description: 'decisions that the policy promises' }),
    ),
  },
  { additionalProperties: false },
);
export type PolicyDocument = Static<typeof PolicyDocument>;

/**
 * JSON Schema of a policy document, for editors that complete and check while a policy is written. It says less than
 * `checkPolicyDocument`: a schema cannot check expressions.
 */
export const policySchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Policy of Assize',
  ...PolicyDocument,
};
