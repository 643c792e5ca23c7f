import { type Static, Type } from '@sinclair/typebox';
import { EnforcementAction, Outcome, Phase, ResultStatus, Severity, Violation } from './decisions.ts';
import { Pagination } from './envelopes.ts';
import { Explanation } from './explanations.ts';
import { VerifiedIdentity } from './identities.ts';
import { UsedGrant } from './review-terms.ts';
import { Cost, JsonObject, KeptText, Nullable, Omitted, Replayed, Timestamp, Uuid } from './values.ts';

/** Longest name of a tool: that of a `targetKey`, which stands in for it. */
export const toolNameLimit = 1_000;

export const EvaluateRequest = Type.Object(
  {
    phase: Type.Optional(Type.Unsafe<Phase>({ ...Phase, default: 'ACTION' })),
    resultOf: Type.Optional(
      Type.String({ ...Uuid, description: 'RESULT only: the `evaluationRunId` that let the action through' }),
    ),
    status: Type.Optional(
      Type.Unsafe<ResultStatus>({ ...ResultStatus, description: 'RESULT only: how the action went' }),
    ),
    input: JsonObject,
    cost: Type.Optional(Cost),
    targetKey: Type.Optional(KeptText(1_000)),
    targetMetadata: Type.Optional(JsonObject),
    correlationId: Type.Optional(
      KeptText(255, { description: 'default: the trace id of the `traceparent` header, when one was sent' }),
    ),
    callbackUrl: Type.Optional(KeptText(1_024, { description: 'http or https' })),
    sessionId: Type.Optional(Uuid),
    externalSessionId: Type.Optional(
      KeptText(255, {
        minLength: 1,
        description: 'instead of `sessionId`: joins the newest ACTIVE session of this name, or opens one',
      }),
    ),
    entityId: Type.Optional(
      Type.String({
        ...Uuid,
        description: 'entity of the opened session; a joined session must have the same',
      }),
    ),
    parentSessionId: Type.Optional(
      Type.String({
        ...Uuid,
        description:
          'parent of the opened session: the session of the agent that delegates; may belong to another integration only if its setting `delegatesTo` names this one',
      }),
    ),
    previousSessionId: Type.Optional(
      Type.String({
        ...Uuid,
        description: 'session of your own that has ended, and that the opened session continues',
      }),
    ),
    metadata: Type.Optional(
      Type.Unsafe<JsonObject>({
        ...JsonObject,
        description: 'metadata of the session, when this request opens it',
      }),
    ),
    reviewRequestId: Type.Optional(Uuid),
  },
  { additionalProperties: false },
);
export type EvaluateRequest = Static<typeof EvaluateRequest>;

/** The fate of the approval that the request named. */
export const Approval = Type.Object({
  reviewRequestId: Uuid,
  applied: Type.Boolean({ description: 'true when it turned APPROVAL_REQUIRED into ALLOW, and is used up' }),
  reason: Type.Unsafe<ApprovalReason>({
    type: 'string',
    enum: [
      'applied',
      'not_needed',
      'blocked',
      'pending',
      'rejected',
      'expired',
      'cancelled',
      'consumed',
      'different_action',
      'new_finding',
      'policies_changed',
      'higher_severity',
    ],
  }),
  message: Type.String({ description: 'the reason in words; names the rules that the reviewer did not see' }),
  comment: Type.Optional(
    Nullable(Type.String({ description: 'comment of the reviewer who rejected the action' })),
  ),
});
export type ApprovalReason =
  | 'applied'
  | 'not_needed'
  | 'blocked'
  | 'pending'
  | 'rejected'
  | 'expired'
  | 'cancelled'
  | 'consumed'
  | 'different_action'
  | 'new_finding'
  | 'policies_changed'
  | 'higher_severity';
export type Approval = Static<typeof Approval>;

export const EvaluateResult = Type.Object({
  evaluationRunId: Uuid,
  outcome: Outcome,
  enforcementAction: EnforcementAction,
  severity: Nullable(Severity),
  violations: Type.Array(Violation),
  dataTags: Type.Array(Type.String()),
  sessionId: Nullable(Uuid),
  reviewRequestId: Nullable(Uuid),
  pollUrl: Nullable(Type.String()),
  correlationId: Nullable(Type.String()),
  policiesEvaluated: Type.Integer({ minimum: 0, description: 'how many ACTIVE policies took part' }),
  labels: Type.Optional(
    Type.Array(Type.String(), {
      description: 'labels that the session has from now on; left out when there are none',
    }),
  ),
  approval: Type.Optional(Approval),
  grants: Type.Optional(
    Type.Array(UsedGrant, {
      description: 'of earlier approvals, that let the action through; only when there are any',
    }),
  ),
  redactedInput: Type.Optional(JsonObject),
  replayed: Type.Optional(Replayed),
});
export type EvaluateResult = Static<typeof EvaluateResult>;

/** The fields of a request that are scanned. */
export const detectionSources = ['input', 'targetKey', 'targetMetadata', 'callbackUrl'] as const;

export const Detection = Type.Object({
  type: Type.String(),
  in: Type.Unsafe<(typeof detectionSources)[number]>({
    type: 'string',
    enum: [...detectionSources],
    description: 'the field of the request',
  }),
  path: Type.String({ description: 'JSON Pointer of the text in that field' }),
  start: Type.Integer({ minimum: 0 }),
  end: Type.Integer({ minimum: 0 }),
  more: Type.Optional(
    Type.Integer({
      minimum: 1,
      description:
        'so many more of this type in this field, whose places are not kept: those of one evaluation have at most 256 KB. `path` and the offsets say nothing then',
    }),
  ),
});
export type Detection = Static<typeof Detection>;

export const PolicyReference = Type.Object({ policyId: Uuid, version: Type.Integer({ minimum: 1 }) });

const recorded = {
  evaluationRunId: Uuid,
  sessionId: Nullable(Uuid),
  seq: Nullable(
    Type.Integer({
      minimum: 1,
      description: 'position among the actions of the session; null for other phases',
    }),
  ),
  phase: Phase,
  resultOf: Nullable(Uuid),
  status: Nullable(Type.Unsafe<ResultStatus>({ ...ResultStatus, description: 'of a RESULT' })),
  cost: Nullable(Cost),
  identity: Nullable(VerifiedIdentity),
  tool: Nullable(Type.String()),
  targetKey: Nullable(Type.String()),
  targetMetadata: Nullable(JsonObject),
  correlationId: Nullable(Type.String()),
  traceId: Nullable(
    Type.String({ description: 'of the `traceparent` header that the request had (W3C Trace Context)' }),
  ),
  outcome: Outcome,
  enforcementAction: EnforcementAction,
  severity: Nullable(Severity),
  violations: Type.Array(Violation),
  dataTags: Type.Array(Type.String()),
  labels: Type.Array(Type.String(), { description: 'labels that its rules gave the session' }),
  detections: Type.Array(Detection),
  reviewRequestId: Nullable(Uuid),
  input: Nullable(JsonObject),
  policies: Type.Array(PolicyReference, { description: 'the policy versions that decided' }),
  createdAt: Timestamp,
};
export const Evaluation = Type.Object({
  ...recorded,
  integrationId: Uuid,
  grants: Type.Array(UsedGrant, { description: 'of earlier approvals, that let the action through' }),
  explanation: Type.Optional(Explanation),
});
export type Evaluation = Static<typeof Evaluation>;

export const ListedEvaluation = Type.Object({ ...recorded, omitted: Omitted });
export type ListedEvaluation = Static<typeof ListedEvaluation>;

/** As operators see it, who see those of all integrations. */
export const RecordedEvaluation = Type.Object({ ...ListedEvaluation.properties, integrationId: Uuid });
export type RecordedEvaluation = Static<typeof RecordedEvaluation>;

/** The pagination of a search, whose whole result is not counted where that takes long. */
export const SearchPagination = Type.Object({
  ...Pagination.properties,
  totalIsExact: Type.Boolean({ description: 'false: there are at least `total`' }),
  next: Nullable(Type.String({ description: 'send it as `before` to continue; null at the end' })),
});
export type SearchPagination = Static<typeof SearchPagination>;
