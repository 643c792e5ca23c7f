import { type Static, Type } from '@sinclair/typebox';
import { Cost } from './costs.ts';
import { EnforcementAction, Outcome, ResultStatus, type Severity, severities } from './decisions.ts';
import { JsonObject } from './policy-values.ts';

export const Texts = Type.Array(Type.String({ maxLength: 1_000 }), { maxItems: 1_000 });
export const Moment = Type.String({ format: 'date-time', maxLength: 40 });
export const SeverityOrNull = Type.Unsafe<Severity | null>({
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
