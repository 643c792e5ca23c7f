import { type Static, Type } from '@sinclair/typebox';
import { EnforcementAction, Phase, PolicyMode } from './decisions.ts';
import { PolicyCounter } from './policy-counters.ts';
import { JsonObject, PolicyRule, policyIdentifier, policyName, ToolNames } from './policy-rules.ts';
import { PolicyTest } from './policy-tests.ts';

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
