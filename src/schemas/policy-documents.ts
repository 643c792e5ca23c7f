import { type Static, Type } from '@sinclair/typebox';
import { type CounterScope, counterScopes } from './counter-rows.ts';
import {
  EnforcementAction,
  Outcome,
  Phase,
  PolicyMode,
  phases,
  ResultStatus,
  Severity,
  severities,
} from './decisions.ts';

const name = '^[a-z0-9][a-z0-9-]*$';
const identifier = '^[A-Za-z_][A-Za-z0-9_]{0,63}$';
const dataTag = '^[A-Z][A-Z0-9_]{0,63}$';

const counterCounts = ['ALLOWED', 'HELD', 'BLOCKED', 'ATTEMPTED'] as const;

const Json = Type.Unknown();
const JsonObject = Type.Record(Type.String(), Json);
const Count = Type.Integer({ minimum: 0 });
const Counts = Type.Record(Type.String(), Count);
const Texts = Type.Array(Type.String({ maxLength: 1_000 }), { maxItems: 1_000 });
const Moment = Type.String({ format: 'date-time', maxLength: 40 });
const SeverityOrNull = Type.Unsafe<Severity | null>({
  type: ['string', 'null'],
  enum: [...severities, null],
});

/** What a rule does when its condition holds is exactly one of `effect` and `escalate`. */
export const PolicyRule = Type.Object(
  {
    id: Type.String({ pattern: name, maxLength: 100, description: 'unique in the document' }),
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
    severity: Type.Optional(Type.Unsafe<Severity>({ ...Severity, description: 'default: MEDIUM' })),
    reason: Type.Optional(
      Type.String({
        pattern: '^[a-z][a-z0-9_]*$',
        maxLength: 100,
        description: 'a stable word for programs; default: the id with _',
      }),
    ),
    message: Type.Optional(
      Type.String({ minLength: 1, maxLength: 1_000, description: 'text with {{CEL}} in it' }),
    ),
  },
  { additionalProperties: false, oneOf: [{ required: ['effect'] }, { required: ['escalate'] }] },
);
export type PolicyRule = Static<typeof PolicyRule>;

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

const expression = { type: 'string', minLength: 1, maxLength: 4_096 } as const;
const Expression = (description: string) => Type.String({ ...expression, description });

/** What a policy remembers across actions. What is selected, by what, and for how long. */
export const PolicyCounter = Type.Object(
  {
    over: Type.Unsafe<CounterScope>({
      type: 'string',
      enum: [...counterScopes],
      description:
        'whose actions count together; all actions of an integration without an entity are one entity',
    }),
    where: Type.Optional(Expression('CEL, true for the actions that count; default: all')),
    counts: Type.Optional(
      Type.Unsafe<(typeof counterCounts)[number]>({
        type: 'string',
        enum: [...counterCounts],
        description: 'what became of the actions that count; default: ALLOWED, which includes WARN',
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
    distinct: Type.Optional(Expression('CEL, a value whose distinct values are counted; needs cap')),
    cap: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 10_000, description: 'beyond as many values, reading fails' }),
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
          'hour, day, week or month, after which it begins anew; or CEL, a value that splits it; or a list of both',
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
    at: Type.Optional(Moment),
  },
  { additionalProperties: false },
);

const PolicyTestSession = Type.Object(
  {
    id: Type.Optional(Type.String({ maxLength: 100 })),
    actionCount: Type.Optional(Count),
    dataTags: Type.Optional(Texts),
    toolsUsed: Type.Optional(Texts),
    toolCounts: Type.Optional(Counts),
    attemptCounts: Type.Optional(Counts),
    warningCount: Type.Optional(Count),
    blockCount: Type.Optional(Count),
    reviewCount: Type.Optional(Count),
    repeats: Type.Optional(Count),
    startedAt: Type.Optional(Moment),
    metadata: Type.Optional(JsonObject),
    entityId: Type.Optional(
      Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 100, description: 'default: null' }),
    ),
    recentActions: Type.Optional(Type.Array(PolicyTestAction, { maxItems: 50 })),
  },
  { additionalProperties: false },
);

const PolicyTestGiven = Type.Object(
  {
    phase: Type.Optional(Phase),
    result: Type.Optional(
      Type.Object({ status: Type.Optional(ResultStatus) }, { additionalProperties: false }),
    ),
    tool: Type.Optional(Type.String({ maxLength: 1_000 })),
    input: Type.Optional(JsonObject),
    targetKey: Type.Optional(Type.String({ maxLength: 1_000 })),
    dataTags: Type.Optional(Texts),
    detections: Type.Optional(Type.Array(DetectionCount, { maxItems: 200 })),
    integration: Type.Optional(
      Type.Object(
        {
          id: Type.Optional(Type.String({ maxLength: 100 })),
          name: Type.Optional(Type.String({ maxLength: 200 })),
          kind: Type.Optional(
            Type.Unsafe<'REST_API' | 'MCP_SERVER' | 'AGENT'>({
              type: 'string',
              enum: ['REST_API', 'MCP_SERVER', 'AGENT'],
            }),
          ),
        },
        { additionalProperties: false },
      ),
    ),
    now: Type.Optional(Moment),
    session: Type.Optional(PolicyTestSession),
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

const PolicyTestExpect = Type.Object(
  {
    enforcementAction: EnforcementAction,
    outcome: Type.Optional(Outcome),
    severity: Type.Optional(SeverityOrNull),
    rules: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 200 })),
    reasons: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 200 })),
  },
  { additionalProperties: false },
);

/** A decision the policy promises, run at every check and save, as if the policy were enforced. */
export const PolicyTest = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200 }),
    given: PolicyTestGiven,
    expect: PolicyTestExpect,
  },
  { additionalProperties: false },
);
export type PolicyTest = Static<typeof PolicyTest>;

/** A policy as its author writes it, in YAML or JSON. Absent fields have the defaults their descriptions name. */
export const PolicyDocument = Type.Object(
  {
    schemaVersion: Type.Unsafe<1>({ type: 'integer', enum: [1] }),
    name: Type.String({
      pattern: name,
      maxLength: 100,
      description: 'lower-case words joined by -, unique among the policies',
    }),
    description: Type.Optional(Type.String({ maxLength: 2_000 })),
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
      Type.Record(Type.String({ pattern: identifier }), Json, {
        maxProperties: 200,
        additionalProperties: false,
        description: 'named numbers, strings and lists that conditions read as params.NAME',
      }),
    ),
    variables: Type.Optional(
      Type.Record(Type.String({ pattern: identifier }), Type.String({ minLength: 1, maxLength: 4_096 }), {
        maxProperties: 100,
        additionalProperties: false,
        description:
          'named expressions that conditions read as vars.NAME; computed once, when a rule needs it',
      }),
    ),
    counters: Type.Optional(
      Type.Record(Type.String({ pattern: identifier }), PolicyCounter, {
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
            description: 'the least effect of findings with this severity or a higher one',
          },
        ),
      ),
    ),
    detectors: Type.Optional(
      Type.Array(CustomDetector, {
        maxItems: 50,
        description: 'data tags of your own, found by RE2 patterns',
      }),
    ),
    tools: Type.Optional(
      Type.Record(Type.String(), Type.Object({ inputSchema: JsonObject }, { additionalProperties: false }), {
        maxProperties: 200,
        description: 'JSON Schema of `input`, by tool: types the rules whose `tool` names it',
      }),
    ),
    reviewExpirySeconds: Type.Optional(
      Type.Integer({ minimum: 60, maximum: 604_800, description: 'life of a review; default 900' }),
    ),
    rules: Type.Array(PolicyRule, { minItems: 1, maxItems: 200 }),
    tests: Type.Optional(Type.Array(PolicyTest, { maxItems: 200 })),
  },
  { additionalProperties: false },
);
export type PolicyDocument = Static<typeof PolicyDocument>;
