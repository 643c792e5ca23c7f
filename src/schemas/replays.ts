import { type Static, Type } from '@sinclair/typebox';
import { EnforcementAction, Outcome, PolicyMode, Severity } from './decisions.ts';
import { KeptText, Nullable, Timestamp, Uuid } from './values.ts';

/** Documents and lists of a request: as large as those that are saved. */
const mostBindings = 200;
const mostLists = 50;
const mostDifferences = 10_000;

const Params = Type.Record(Type.String(), Type.Unknown(), { description: 'values of params' });

const TriedBinding = Type.Object(
  {
    policyId: Uuid,
    integrationId: Type.Optional({ ...Uuid, description: 'every integration when absent' }),
    bound: Type.Optional(
      Type.Boolean({ default: true, description: '`false`: as if the policy were not bound' }),
    ),
    params: Type.Optional(Params),
    mode: Type.Optional(PolicyMode),
  },
  { additionalProperties: false },
);

export const SimulationRequest = Type.Object(
  {
    document: Type.Optional(
      Type.String({ maxLength: 262_144, description: 'the text of a policy, YAML or JSON' }),
    ),
    policyId: Type.Optional({
      ...Uuid,
      description:
        'the policy that `document` takes the place of; the one of its name that is not DEPRECATED when absent, and a new policy when there is none',
    }),
    params: Type.Optional({ ...Params, description: 'of `document`; those of each binding when absent' }),
    mode: Type.Optional(PolicyMode),
    bindings: Type.Optional(Type.Array(TriedBinding, { maxItems: mostBindings })),
    lists: Type.Optional(
      Type.Record(KeptText(64), Type.Array(Type.String({ maxLength: 500 }), { maxItems: 100_000 }), {
        maxProperties: mostLists,
        description: 'entries of shared lists, by name, instead of their own',
      }),
    ),
    filter: Type.Optional(
      Type.Object(
        {
          integrationId: Type.Optional(Uuid),
          sessionId: Type.Optional(Uuid),
          tool: Type.Optional(KeptText(500)),
          from: Type.Optional({ ...Timestamp, description: 'evaluations made from this time on' }),
          to: Type.Optional({ ...Timestamp, description: 'evaluations made before this time' }),
        },
        { additionalProperties: false },
      ),
    ),
    differences: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: mostDifferences,
        default: 200,
        description: 'how many evaluations that change are named; all are counted',
      }),
    ),
  },
  { additionalProperties: false },
);
export type SimulationRequest = Static<typeof SimulationRequest>;

const Verdict = Type.Object({
  outcome: Outcome,
  enforcementAction: EnforcementAction,
  severity: Nullable(Severity),
});

const changeKinds = ['ADDED', 'REMOVED', 'CHANGED'] as const;
const RuleChange = Type.Object({
  policyId: Type.String(),
  policyName: Type.String(),
  ruleId: Type.String(),
  change: Type.Unsafe<(typeof changeKinds)[number]>({
    type: 'string',
    enum: [...changeKinds],
    description: 'whether its finding is there only now, only then, or with another severity or effect',
  }),
});

export const SimulationDifference = Type.Object({
  type: Type.Literal('difference'),
  evaluationRunId: Uuid,
  integrationId: Uuid,
  sessionId: Nullable(Uuid),
  tool: Type.String(),
  at: Timestamp,
  from: Verdict,
  to: Nullable({
    ...Verdict,
    description: 'null for a result that would not have come, because its action is stopped now',
  }),
  because: Type.Array(RuleChange),
});
export type SimulationDifference = Static<typeof SimulationDifference>;

const SimulationProgress = Type.Object({
  type: Type.Literal('progress'),
  evaluations: Type.Integer({ description: 'read so far' }),
  total: Type.Integer(),
});

const triaged = Type.Object({
  NEW: Type.Integer(),
  ACKNOWLEDGED: Type.Integer(),
  RESOLVED: Type.Integer(),
  DISMISSED: Type.Integer(),
});

export const SimulationResult = Type.Object({
  type: Type.Literal('result'),
  evaluations: Type.Integer({ description: 'that were compared' }),
  changed: Type.Integer({ description: 'whose verdict is another one' }),
  stricter: Type.Integer(),
  looser: Type.Integer(),
  notEvaluated: Type.Integer({
    description: 'whose verdict depends on rules that could not be evaluated; they go on as recorded',
  }),
  notReached: Type.Integer({ description: 'results that would not have come' }),
  sessionsChanged: Type.Integer(),
  changes: Type.Array(
    Type.Object({ from: EnforcementAction, to: Nullable(EnforcementAction), evaluations: Type.Integer() }),
  ),
  integrations: Type.Array(
    Type.Object({
      integrationId: Uuid,
      evaluations: Type.Integer(),
      decisionsChanged: Type.Integer({ description: 'whose `enforcementAction` is another one' }),
    }),
    { description: 'whose evaluations the change concerns: those where what is tried decides, or did' },
  ),
  rules: Type.Array(
    Type.Object({
      policyId: Type.String(),
      policyName: Type.String(),
      ruleId: Type.String(),
      before: Type.Integer({ description: 'its findings then' }),
      after: Type.Integer({ description: 'its findings in the replay' }),
      notEvaluated: Type.Integer({
        description: 'evaluations in which it could not be evaluated, because content was not kept',
      }),
    }),
  ),
  violations: Type.Object(
    { kept: triaged, gone: triaged, new: Type.Integer() },
    {
      description: 'the recorded violations, by what operators made of them, that are still found or are not',
    },
  ),
  differencesShown: Type.Integer(),
  seconds: Type.Number(),
});
export type SimulationResult = Static<typeof SimulationResult>;

const SimulationFailure = Type.Object({ type: Type.Literal('error'), message: Type.String() });

/** One line of the response. */
export const SimulationLine = Type.Union([
  SimulationProgress,
  SimulationDifference,
  SimulationResult,
  SimulationFailure,
]);
export type SimulationLine = Static<typeof SimulationLine>;
