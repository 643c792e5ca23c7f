import { type Static, Type } from '@sinclair/typebox';
import { type IntegrationKind, integrationKinds } from '../features/integrations/words.ts';
import { CatalogueTool, ToolEffect } from '../features/tools/schema.ts';
import { EnforcementAction, Outcome, Phase, ResultStatus, type Severity } from './decisions.ts';
import { TestIdentity } from './identities.ts';
import { JsonObject, policyName } from './policy-rules.ts';
import { Cost } from './values.ts';
import { severities } from './words.ts';

const Texts = Type.Array(Type.String({ maxLength: 1_000 }), { maxItems: 1_000 });
const Moment = Type.String({ format: 'date-time', maxLength: 40 });
const SeverityOrNull = Type.Unsafe<Severity | null>({
  type: ['string', 'null'],
  enum: [...severities, null],
});

export const PolicyTestExpect = Type.Object(
  {
    enforcementAction: EnforcementAction,
    outcome: Type.Optional(Outcome),
    severity: Type.Optional(SeverityOrNull),
    rules: Type.Optional(Type.Array(Type.String({ maxLength: 201 }), { maxItems: 200 })),
    reasons: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 200 })),
    labels: Type.Optional(
      Type.Array(Type.String({ maxLength: 64 }), {
        maxItems: 200,
        description: 'labels that the step gives the session',
      }),
    ),
  },
  { additionalProperties: false },
);
export type PolicyTestExpect = Static<typeof PolicyTestExpect>;

const PolicyTestResult = Type.Object(
  {
    status: Type.Optional(ResultStatus),
    input: Type.Optional(JsonObject),
    cost: Type.Optional(Cost),
    dataTags: Type.Optional(Texts),
    expect: Type.Optional(PolicyTestExpect),
  },
  { additionalProperties: false, description: 'what came back; status: default OK' },
);

/** One thing that happens in a test: what a person asks, what the agent does and gets, what a reviewer decides. */
export const PolicyTestStep = Type.Object(
  {
    at: Type.Optional(Type.String({ format: 'date-time', maxLength: 40, description: 'when it happens' })),
    after: Type.Optional(
      Type.String({
        pattern: '^[1-9][0-9]{0,8}[smhd]$',
        maxLength: 10,
        description: 'how long after the step before: 30s, 10m, 24h, 7d',
      }),
    ),
    session: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'name of its session; default: main' }),
    ),
    parent: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'the name of the session that is the parent of the one that the step opens',
      }),
    ),
    end: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'the name of a session that is over' }),
    ),
    entityId: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'of the session that the step opens' }),
    ),
    metadata: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'of the session that the step opens' }),
    ),
    prompt: Type.Optional(
      Type.String({ minLength: 1, maxLength: 10_000, description: 'what a person asks the agent' }),
    ),
    tool: Type.Optional(Type.String({ maxLength: 1_000 })),
    input: Type.Optional(JsonObject),
    targetKey: Type.Optional(Type.String({ maxLength: 1_000 })),
    cost: Type.Optional(Cost),
    identity: Type.Optional(TestIdentity),
    dataTags: Type.Optional(Texts),
    times: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_000, description: 'how often it happens; default: 1' }),
    ),
    approve: Type.Optional(
      Type.Unsafe<true>({
        type: 'boolean',
        enum: [true],
        description: 'a person approves what was held last, and the agent does it again',
      }),
    ),
    reject: Type.Optional(
      Type.Unsafe<true>({
        type: 'boolean',
        enum: [true],
        description: 'a person rejects what was held last, and the agent does it again',
      }),
    ),
    expect: Type.Optional(PolicyTestExpect),
    result: Type.Optional(PolicyTestResult),
  },
  { additionalProperties: false },
);
export type PolicyTestStep = Static<typeof PolicyTestStep>;

const Count = Type.Integer({ minimum: 0 });
const Counts = Type.Record(Type.String(), Count);

const DetectionCount = Type.Object(
  { type: Type.String({ maxLength: 100 }), count: Count },
  { additionalProperties: false },
);

const PolicyTestAction = Type.Object(
  {
    seq: Type.Optional(Count),
    tool: Type.Optional(Type.String({ maxLength: 1_000 })),
    targetKey: Type.Optional(Type.String({ maxLength: 1_000 })),
    dataTags: Type.Optional(Texts),
    enforcementAction: Type.Optional(EnforcementAction),
    severity: Type.Optional(SeverityOrNull),
    rules: Type.Optional(Texts),
    reasons: Type.Optional(Texts),
    labels: Type.Optional(Texts),
    repeats: Type.Optional(Count),
    at: Type.Optional(Moment),
  },
  { additionalProperties: false },
);

const PolicyTestGrant = Type.Object(
  {
    ruleId: Type.String({ maxLength: 100 }),
    tool: Type.Optional(Type.String({ maxLength: 1_000 })),
    usesLeft: Type.Optional(Type.Integer({ minimum: 1, description: 'default: any number' })),
    expiresAt: Type.Optional(Moment),
  },
  { additionalProperties: false },
);

const PolicyTestSession = Type.Object(
  {
    id: Type.Optional(Type.String({ maxLength: 100 })),
    parentId: Type.Optional(Type.String({ maxLength: 100, description: 'default: none' })),
    depth: Type.Optional(Type.Integer({ minimum: 0, maximum: 8, description: 'default: 0' })),
    actionCount: Type.Optional(Count),
    dataTags: Type.Optional(Texts),
    labels: Type.Optional(Texts),
    toolsUsed: Type.Optional(Texts),
    toolCounts: Type.Optional(Counts),
    attemptCounts: Type.Optional(Counts),
    warningCount: Type.Optional(Count),
    blockCount: Type.Optional(Count),
    reviewCount: Type.Optional(Count),
    rejectionCount: Type.Optional(Count),
    repeats: Type.Optional(Count),
    startedAt: Type.Optional(Moment),
    metadata: Type.Optional(JsonObject),
    entityId: Type.Optional(
      Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 100, description: 'default: null' }),
    ),
    grants: Type.Optional(Type.Array(PolicyTestGrant, { maxItems: 50 })),
    recentActions: Type.Optional(Type.Array(PolicyTestAction, { maxItems: 50 })),
  },
  { additionalProperties: false },
);

const PolicyTestIntegration = Type.Object(
  {
    id: Type.Optional(Type.String({ maxLength: 100 })),
    name: Type.Optional(Type.String({ maxLength: 200 })),
    kind: Type.Optional(
      Type.Unsafe<IntegrationKind>({
        type: 'string',
        enum: [...integrationKinds],
      }),
    ),
  },
  { additionalProperties: false },
);

const testParams = Type.Record(Type.String(), Type.Unknown(), {
  maxProperties: 200,
  description: 'the params of a binding; default: those of the document',
});
const testLists = Type.Record(Type.String(), Texts, {
  maxProperties: 50,
  description: 'what is in the shared lists; default: nothing',
});
const PolicyTestTree = Type.Object(
  {
    actionCount: Type.Optional(Count),
    dataTags: Type.Optional(Texts),
    labels: Type.Optional(Texts),
    toolCounts: Type.Optional(Counts),
    attemptCounts: Type.Optional(Counts),
    warningCount: Type.Optional(Count),
    blockCount: Type.Optional(Count),
    reviewCount: Type.Optional(Count),
    rejectionCount: Type.Optional(Count),
  },
  {
    additionalProperties: false,
    description: 'all sessions of the tree together; default: the session alone',
  },
);

const PolicyTestGiven = Type.Object(
  {
    phase: Type.Optional(Phase),
    result: Type.Optional(
      Type.Object({ status: Type.Optional(ResultStatus) }, { additionalProperties: false }),
    ),
    tool: Type.Optional(Type.String({ maxLength: 1_000 })),
    toolEffect: Type.Optional(
      Type.Unsafe<ToolEffect>({ ...ToolEffect, description: 'as in the tool catalogue; default: not in it' }),
    ),
    toolUntrusted: Type.Optional(Type.Boolean({ description: 'default: false' })),
    toolDirectory: Type.Optional(Type.Boolean({ description: 'default: false' })),
    toolDescribed: Type.Optional(
      Type.Boolean({ description: 'default: whether the tool is in the catalogue' }),
    ),
    destinations: Type.Optional(Texts),
    identifiers: Type.Optional(Texts),
    input: Type.Optional(JsonObject),
    call: Type.Optional(
      Type.Object(
        { arguments: Type.Optional(JsonObject) },
        {
          additionalProperties: false,
          description: 'the action of a RESULT; default: one without arguments',
        },
      ),
    ),
    targetKey: Type.Optional(Type.String({ maxLength: 1_000 })),
    cost: Type.Optional(Cost),
    identity: Type.Optional(TestIdentity),
    dataTags: Type.Optional(Texts),
    detections: Type.Optional(Type.Array(DetectionCount, { maxItems: 200 })),
    integration: Type.Optional(PolicyTestIntegration),
    seen: Type.Optional(
      Type.Record(
        Type.String(),
        Type.Array(
          Type.Object(
            {
              seq: Type.Optional(Count),
              tool: Type.Optional(Type.String({ maxLength: 1_000 })),
              phase: Type.Optional(Type.Unsafe<Phase>({ ...Phase, description: 'default: RESULT' })),
              labels: Type.Optional(Texts),
              whole: Type.Optional(Type.Boolean({ description: 'default: true' })),
              field: Type.Optional(Type.String({ maxLength: 64, description: 'default: none' })),
              origin: Type.Optional(Type.String({ maxLength: 64, description: 'default: none' })),
              byOthers: Type.Optional(
                Type.Boolean({ description: 'default: whether it was not seen in a PROMPT' }),
              ),
              fieldsDescribed: Type.Optional(Type.Boolean({ description: 'default: false' })),
            },
            { additionalProperties: false },
          ),
          { maxItems: 5 },
        ),
        { maxProperties: 100, description: 'where values were seen before, by value; default: nowhere' },
      ),
    ),
    now: Type.Optional(Moment),
    session: Type.Optional(PolicyTestSession),
    params: Type.Optional(testParams),
    lists: Type.Optional(testLists),
    tree: Type.Optional(PolicyTestTree),
    counters: Type.Optional(
      Type.Record(
        Type.String(),
        Type.Unsafe<number | Record<string, number>>({
          type: ['number', 'object'],
          minimum: 0,
          patternProperties: { '': { type: 'number', minimum: 0 } },
          maxProperties: 1_000,
          description: 'what it counted before; by value where a value splits it',
        }),
        { maxProperties: 50, description: 'default: 0 each' },
      ),
    ),
  },
  { additionalProperties: false },
);
export type PolicyTestGiven = Static<typeof PolicyTestGiven>;

/**
 * A decision that the policy promises, run at every check and save, as if the policy were enforced: about one evaluation
 * (`given`, `expect`), or about steps that happen one after another.
 */
export const PolicyTest = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200 }),
    given: Type.Optional(PolicyTestGiven),
    expect: Type.Optional(PolicyTestExpect),
    with: Type.Optional(
      Type.Array(Type.String({ pattern: policyName, maxLength: 100 }), {
        minItems: 1,
        maxItems: 20,
        description: 'names of further policies that decide the steps: of the same folder, or of the service',
      }),
    ),
    params: Type.Optional(testParams),
    lists: Type.Optional(testLists),
    integration: Type.Optional(PolicyTestIntegration),
    tools: Type.Optional(
      Type.Array(CatalogueTool, { maxItems: 100, description: 'the tool catalogue of the integration' }),
    ),
    steps: Type.Optional(Type.Array(PolicyTestStep, { minItems: 1, maxItems: 100 })),
  },
  { additionalProperties: false, oneOf: [{ required: ['given', 'expect'] }, { required: ['steps'] }] },
);
export type PolicyTest = Static<typeof PolicyTest>;
