import { type Static, Type } from '@sinclair/typebox';
import { EnforcementAction, Outcome, PolicyMode, Severity, Violation } from '../../schemas/decisions.ts';
import { ExplainedRule } from '../../schemas/explanations.ts';
import { JsonObject, Nullable, Omitted, Timestamp, Uuid } from '../../schemas/values.ts';
import {
  comparisonVerdicts,
  counterStarts,
  policyMediaTypes,
  policyPartChanges,
  policyParts,
  policyStatuses,
  propertyVerdicts,
} from './words.ts';

export const PolicyStatus = Type.Unsafe<(typeof policyStatuses)[number]>({
  type: 'string',
  enum: [...policyStatuses],
});
export type PolicyStatus = Static<typeof PolicyStatus>;

export const PolicyMediaType = Type.Unsafe<(typeof policyMediaTypes)[number]>({
  type: 'string',
  enum: [...policyMediaTypes],
});
export type PolicyMediaType = Static<typeof PolicyMediaType>;

const summary = {
  id: Uuid,
  name: Type.String({ description: 'the name in the current version of the document' }),
  status: PolicyStatus,
  version: Type.Integer({
    minimum: 1,
    description: 'the current version: the one that decides while ACTIVE',
  }),
  latestVersion: Type.Integer({ minimum: 1 }),
  scheduledVersion: Nullable(
    Type.Integer({
      minimum: 1,
      description: 'becomes the current version, and the policy ACTIVE, at `scheduledAt`',
    }),
  ),
  scheduledAt: Nullable(Timestamp),
  revision: Type.Integer({ minimum: 1, description: 'increases with each change of the policy; its `ETag`' }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};
export const PolicySummary = Type.Object(summary);
export type PolicySummary = Static<typeof PolicySummary>;

const Bound = (mode: string) =>
  Type.Integer({ minimum: 0, description: `integrations, not deleted, that it is bound to in mode ${mode}` });
export const ListedPolicy = Type.Object({
  ...summary,
  mode: Type.Unsafe<PolicyMode>({ ...PolicyMode, description: 'of the document of the current version' }),
  houseMode: Nullable(
    Type.Unsafe<PolicyMode>({ ...PolicyMode, description: 'as a house policy; null when it is none' }),
  ),
  enforcedCount: Bound('ENFORCE'),
  monitoredCount: Bound('MONITOR'),
  changedBy: Nullable(
    Type.Object(
      { id: Type.String(), name: Type.String() },
      { description: 'who wrote the latest version; null when that is not known' },
    ),
  ),
});
export type ListedPolicy = Static<typeof ListedPolicy>;

export const CounterStart = Type.Object({
  name: Type.String(),
  counts: Type.Unsafe<(typeof counterStarts)[number]>({
    type: 'string',
    enum: [...counterStarts],
    description:
      'what a new counter counts first: `RECORD`, all that was recorded; `KEPT_CONTENT`, the same, but it begins at 0 where the record does not have content that it reads; `NOTHING`, it begins at 0 now',
  }),
});
export type CounterStart = Static<typeof CounterStart>;

export const ActivatedPolicy = Type.Object({
  ...summary,
  counters: Type.Array(CounterStart, { description: 'of the version that decides now' }),
});
export type ActivatedPolicy = Static<typeof ActivatedPolicy>;

export const Policy = Type.Object({
  ...summary,
  mediaType: PolicyMediaType,
  document: Type.String({ description: 'the current version, as it was sent' }),
});
export type Policy = Static<typeof Policy>;

export const PolicyVersion = Type.Object({
  version: Type.Integer({ minimum: 1 }),
  name: Type.String(),
  mediaType: PolicyMediaType,
  document: Nullable(Type.String({ description: 'as it was sent; null when it is left out' })),
  author: Nullable(
    Type.Object({
      id: Type.String({ description: 'of the operator; `local` on the command line of the database file' }),
      name: Type.String(),
    }),
  ),
  note: Nullable(Type.String({ description: 'why this version was written' })),
  current: Type.Boolean(),
  createdAt: Timestamp,
  omitted: Omitted,
});
export type PolicyVersion = Static<typeof PolicyVersion>;

export const PolicyChange = Type.Object({
  part: Type.Unsafe<(typeof policyParts)[number]>({ type: 'string', enum: [...policyParts] }),
  name: Type.String({ description: 'the id of a rule; the key or name of any other part' }),
  change: Type.Unsafe<(typeof policyPartChanges)[number]>({ type: 'string', enum: [...policyPartChanges] }),
  before: Type.Optional(
    Type.Unknown({ description: 'absent when ADDED; of a CHANGED object, only the fields that differ' }),
  ),
  after: Type.Optional(
    Type.Unknown({ description: 'absent when REMOVED; of a CHANGED object, only the fields that differ' }),
  ),
});
export type PolicyChange = Static<typeof PolicyChange>;

export const PolicyDiff = Type.Object({
  policyId: Uuid,
  from: Type.Integer({ minimum: 1 }),
  to: Type.Integer({ minimum: 1 }),
  changes: Type.Array(PolicyChange, {
    description:
      'differences between the versions; comments, layout and the order of rules do not count. The value of a LABEL is the list of rules that add it',
  }),
  text: Type.String({
    description: 'the documents as they were sent, as a unified diff; empty when they are the same',
  }),
});
export type PolicyDiff = Static<typeof PolicyDiff>;

export const ActivatePolicy = Type.Object(
  { version: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })) },
  { additionalProperties: false },
);
export type ActivatePolicy = Static<typeof ActivatePolicy>;

export const SchedulePolicy = Type.Object(
  {
    version: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
    at: Timestamp,
  },
  { additionalProperties: false },
);
export type SchedulePolicy = Static<typeof SchedulePolicy>;

export const PolicyIssue = Type.Object({
  line: Type.Integer(),
  column: Type.Integer(),
  path: Type.String({ description: 'JSON Pointer in the document' }),
  code: Type.String(),
  message: Type.String(),
  hint: Type.Optional(Type.String()),
});

export const SavedPolicy = Type.Object({
  ...Policy.properties,
  warnings: Type.Array(PolicyIssue, {
    description:
      'of the saved document: what is valid but probably a mistake, as `POST /v1/policies/check` tells it',
  }),
});
export type SavedPolicy = Static<typeof SavedPolicy>;

export const PolicyTestResult = Type.Object({
  name: Type.String(),
  line: Type.Integer({ description: 'where it begins in the document' }),
  passed: Type.Boolean(),
  message: Type.Optional(
    Type.String({ description: 'of a test that failed: what it expected, and what was found' }),
  ),
});

export const PolicyCheck = Type.Object({
  valid: Type.Boolean(),
  issues: Type.Array(PolicyIssue),
  warnings: Type.Array(PolicyIssue),
  tests: Type.Array(PolicyTestResult),
});
export type PolicyCheck = Static<typeof PolicyCheck>;

/** An action and its session, as the `given` of a test says them. */
const Given = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description: 'an action and its session, as the `given` of a test',
});
const notModelled = Type.Array(Type.String(), {
  description:
    'of UNKNOWN: the parts of expressions that the proof does not look into; none when the search was too long',
});

export const ProvedProperty = Type.Object({
  name: Type.String(),
  line: Type.Integer(),
  column: Type.Integer(),
  verdict: Type.Unsafe<(typeof propertyVerdicts)[number]>({ type: 'string', enum: [...propertyVerdicts] }),
  given: Nullable({
    ...Given,
    description:
      'of VIOLATED: the action that the engine decided so; of UNKNOWN: an action after which it could stop holding, in a session that may never come about',
  } as typeof Given),
  steps: Nullable(
    Type.Array(Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }), {
      description:
        'of VIOLATED: the steps of a new session that no longer has the property, as `steps` of a test; the engine made them',
    }),
  ),
  enforcementAction: Nullable(EnforcementAction),
  notModelled,
});
export type ProvedProperty = Static<typeof ProvedProperty>;

export const PolicyDifference = Type.Object({
  given: Given,
  before: EnforcementAction,
  after: EnforcementAction,
});
export type PolicyDifference = Static<typeof PolicyDifference>;

export const PolicyComparison = Type.Object({
  verdict: Type.Unsafe<(typeof comparisonVerdicts)[number]>({
    type: 'string',
    enum: [...comparisonVerdicts],
    description: 'MIXED: stricter for some actions, laxer for others',
  }),
  stricter: Nullable(PolicyDifference),
  laxer: Nullable(PolicyDifference),
  notModelled,
});
export type PolicyComparison = Static<typeof PolicyComparison>;

export const PolicyProof = Type.Object({
  monitored: Type.Boolean({
    description:
      'whether the policy only reports where it applies; its own part is then proved as if it were alone and enforced',
  }),
  rules: Type.Array(PolicyIssue, {
    description: 'rules that never match, that match everything, or that others make superfluous',
  }),
  properties: Type.Array(ProvedProperty),
  comparison: Nullable(PolicyComparison),
});
export type PolicyProof = Static<typeof PolicyProof>;

/** As large as a document that is saved. */
export const TryPolicy = Type.Object(
  {
    document: Type.String({ maxLength: 262_144, description: 'the text of a policy, YAML or JSON' }),
    given: Type.Unsafe<JsonObject>({
      ...JsonObject,
      description: 'the action and what happened before it, as `given` of a test: docs/policies.md',
    }),
  },
  { additionalProperties: false },
);
export type TryPolicy = Static<typeof TryPolicy>;

export const TriedPolicy = Type.Object({
  issues: Type.Array(PolicyIssue, { description: 'that make the document invalid: it decides nothing then' }),
  decision: Nullable(
    Type.Object({
      outcome: Outcome,
      enforcementAction: EnforcementAction,
      severity: Nullable(Severity),
      violations: Type.Array(Type.Omit(Violation, ['id', 'policyId', 'policyVersion'])),
      labels: Type.Array(Type.String(), { description: 'that it gives the session' }),
      dataTags: Type.Array(Type.String(), { description: 'found in the action, and given' }),
      rules: Type.Array(ExplainedRule, { description: 'each rule of the document, and what it saw' }),
    }),
  ),
});
export type TriedPolicy = Static<typeof TriedPolicy>;

export const BindPolicy = Type.Object(
  {
    params: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        description: 'values for params of the policy; the others keep the defaults of its document',
      }),
    ),
    mode: Type.Optional(
      Type.Unsafe<PolicyMode | null>({
        type: ['string', 'null'],
        enum: ['ENFORCE', 'MONITOR', null],
        description: 'replaces the mode of the document; null keeps it',
      }),
    ),
  },
  { additionalProperties: false },
);
export type BindPolicy = Static<typeof BindPolicy>;

const terms = {
  params: Type.Unsafe<JsonObject>({ ...JsonObject, description: 'values that differ from the document' }),
  mode: Nullable(PolicyMode),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

export const Binding = Type.Object({ integrationId: Uuid, policyId: Uuid, ...terms });
export type Binding = Static<typeof Binding>;

export const BoundPolicy = Type.Object({ ...PolicySummary.properties, binding: Binding });
export type BoundPolicy = Static<typeof BoundPolicy>;

export const HousePolicy = Type.Object({ policyId: Uuid, ...terms, policy: PolicySummary });
export type HousePolicy = Static<typeof HousePolicy>;
