import { type Static, Type } from '@sinclair/typebox';
import { Severity, Violation } from '../../schemas/decisions.ts';
import { VerifiedIdentity } from '../../schemas/identities.ts';
import { ApprovalRequirement, ReviewGrant } from '../../schemas/review-terms.ts';
import { Cost, JsonObject, KeptText, Nullable, Omitted, Timestamp, Uuid } from '../../schemas/values.ts';
import { reviewReasons, reviewStatuses } from './words.ts';

export const ReviewStatus = Type.Unsafe<(typeof reviewStatuses)[number]>({
  type: 'string',
  enum: [...reviewStatuses],
});
export type ReviewStatus = Static<typeof ReviewStatus>;

export const ReviewReason = Type.Unsafe<(typeof reviewReasons)[number]>({
  type: 'string',
  enum: [...reviewReasons],
  description: 'reason as a code; `comment` can say more',
});
export type ReviewReason = Static<typeof ReviewReason>;

const decision = {
  comment: Type.Optional(KeptText(2_000)),
  reason: Type.Optional(ReviewReason),
  evaluationRunId: Type.Optional(
    Type.String({
      ...Uuid,
      description:
        'the `evaluationRunId` that the review showed: 409 when the action was tried again since, because the review may show other violations now',
    }),
  ),
};
export const DecideReview = Type.Object(decision, { additionalProperties: false });
export const ApproveReview = Type.Object(
  {
    ...decision,
    once: Type.Optional(
      Type.Boolean({ description: 'true approves only this action, without the `grants` of the review' }),
    ),
  },
  { additionalProperties: false },
);
export type DecideReview = Static<typeof DecideReview>;

export type ApproveReview = Static<typeof ApproveReview>;

export const ReviewCallback = Type.Object({
  status: Type.Unsafe<'WAITING' | 'PENDING' | 'DELIVERED' | 'FAILED'>({
    type: 'string',
    enum: ['WAITING', 'PENDING', 'DELIVERED', 'FAILED'],
    description: 'WAITING for a decision, then PENDING until DELIVERED or no longer retried',
  }),
  url: Type.String(),
  attemptCount: Type.Integer({ minimum: 0 }),
  nextAttemptAt: Nullable(Timestamp),
  deliveredAt: Nullable(Timestamp),
  lastError: Nullable(Type.String()),
});

const Person = Type.Object({
  id: Type.String({
    description: 'of the operator; `local` on the command line of the database file',
  }),
  name: Type.String(),
});

export const Review = Type.Object({
  id: Uuid,
  status: ReviewStatus,
  integrationId: Uuid,
  sessionId: Nullable(Uuid),
  evaluationRunId: Uuid,
  tool: Nullable(Type.String()),
  targetKey: Nullable(Type.String()),
  targetMetadata: Nullable(JsonObject),
  correlationId: Nullable(Type.String()),
  cost: Nullable(Cost),
  identity: Nullable(VerifiedIdentity),
  severity: Nullable(Severity),
  violations: Type.Array(Violation),
  dataTags: Type.Array(Type.String()),
  input: Nullable(JsonObject),
  requires: Type.Array(ApprovalRequirement, { description: 'requirements for approval; all must be met' }),
  notRequester: Type.Boolean({
    description: 'whether operators who may have requested the action are barred from approving it',
  }),
  grants: Type.Array(ReviewGrant, {
    description: 'later actions of the session that its approval permits or has permitted',
  }),
  approvals: Type.Array(Type.Object({ by: Person, comment: Nullable(Type.String()), at: Timestamp }), {
    description: 'given so far, oldest first',
  }),
  decidedBy: Nullable(Person),
  comment: Nullable(Type.String()),
  reason: Nullable(ReviewReason),
  assignee: Nullable(
    Type.Object({ id: Type.String(), name: Type.String() }, { description: 'the operator who claimed it' }),
  ),
  assignedAt: Nullable(Timestamp),
  createdAt: Timestamp,
  expiresAt: Timestamp,
  decidedAt: Nullable(Timestamp),
  consumedAt: Nullable(Timestamp),
  callback: Nullable(ReviewCallback),
});
export type Review = Static<typeof Review>;

export const ApprovalRefusal = Nullable(
  Type.Unsafe<'own_request' | 'not_in_group' | 'already_approved'>({
    type: 'string',
    enum: ['own_request', 'not_in_group', 'already_approved'],
    description:
      'of a PENDING review, for an operator who may decide reviews: why this one would refuse their approval; null when it counts',
  }),
);
export type ApprovalRefusal = Static<typeof ApprovalRefusal>;

/** As it is read alone. */
export const ReadReview = Type.Object({
  ...Review.properties,
  approvalRefusal: Type.Optional(ApprovalRefusal),
});
export type ReadReview = Static<typeof ReadReview>;

export const ListedReview = Type.Object({ ...Review.properties, omitted: Omitted });
export type ListedReview = Static<typeof ListedReview>;

export const ReviewComment = Type.Object({
  id: Uuid,
  author: Type.Object({ id: Type.String(), name: Type.String() }),
  text: Type.String(),
  createdAt: Timestamp,
});
export type ReviewComment = Static<typeof ReviewComment>;

export const CommentReview = Type.Object(
  { text: KeptText(2_000, { minLength: 1 }) },
  { additionalProperties: false },
);

export const ExtendReview = Type.Object(
  {
    minutes: Type.Integer({
      minimum: 1,
      maximum: 1_440,
      description: 'minutes by which the expiry is extended; a review waits for at most 7 days',
    }),
  },
  { additionalProperties: false },
);

export const DecideReviews = Type.Object(
  {
    ids: Type.Array(Uuid, { minItems: 1, maxItems: 100, uniqueItems: true }),
    decision: Type.Unsafe<'APPROVE' | 'REJECT'>({ type: 'string', enum: ['APPROVE', 'REJECT'] }),
    comment: Type.Optional(KeptText(2_000)),
    reason: Type.Optional(ReviewReason),
  },
  { additionalProperties: false },
);

export const BulkDecision = Type.Object({
  id: Uuid,
  decided: Type.Boolean(),
  status: Nullable(ReviewStatus),
  error: Nullable(Type.Object({ code: Type.String(), message: Type.String() })),
});
export type BulkDecision = Static<typeof BulkDecision>;

const count = Type.Integer({ minimum: 0 });
const milliseconds = Nullable(Type.Integer({ minimum: 0 }));
export const ReviewStatistics = Type.Object({
  from: Timestamp,
  reviewCount: count,
  pendingCount: count,
  approvedCount: count,
  rejectedCount: count,
  cancelledCount: Type.Integer({ minimum: 0, description: 'nobody decided before the session was over' }),
  expiredCount: Type.Integer({ minimum: 0, description: 'nobody decided in time' }),
  expiredUnseenCount: Type.Integer({
    minimum: 0,
    description: 'of these, reviews that no operator who may decide had read',
  }),
  timeToDecisionMs: Type.Object({ p50: milliseconds, p90: milliseconds, max: milliseconds }),
});
export type ReviewStatistics = Static<typeof ReviewStatistics>;
