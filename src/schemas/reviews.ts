import { type Static, Type } from '@sinclair/typebox';
import { Severity, Violation } from './decisions.ts';
import { JsonObject, KeptText, Nullable, Omitted, Timestamp, Uuid } from './values.ts';

export const reviewStatuses = ['PENDING', 'APPROVED', 'REJECTED', 'EXPIRED', 'CONSUMED'] as const;
export const ReviewStatus = Type.Unsafe<(typeof reviewStatuses)[number]>({
  type: 'string',
  enum: [...reviewStatuses],
});
export type ReviewStatus = Static<typeof ReviewStatus>;

export const DecideReview = Type.Object(
  {
    comment: Type.Optional(KeptText(2_000)),
    evaluationRunId: Type.Optional(
      Type.String({
        ...Uuid,
        description:
          'that of the review as it was read: 409 when the action was tried again since, because the review may now show other findings',
      }),
    ),
  },
  { additionalProperties: false },
);
export type DecideReview = Static<typeof DecideReview>;

export const ReviewCallback = Type.Object({
  status: Type.Unsafe<'WAITING' | 'PENDING' | 'DELIVERED' | 'FAILED'>({
    type: 'string',
    enum: ['WAITING', 'PENDING', 'DELIVERED', 'FAILED'],
    description: 'WAITING for a decision, then PENDING until DELIVERED or given up',
  }),
  url: Type.String(),
  attemptCount: Type.Integer({ minimum: 0 }),
  nextAttemptAt: Nullable(Timestamp),
  deliveredAt: Nullable(Timestamp),
  lastError: Nullable(Type.String()),
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
  severity: Nullable(Severity),
  violations: Type.Array(Violation),
  dataTags: Type.Array(Type.String()),
  input: Nullable(JsonObject),
  decidedBy: Nullable(
    Type.Object({
      id: Type.String({
        description: 'of the operator; `local` on the command line of the database file',
      }),
      name: Type.String(),
    }),
  ),
  comment: Nullable(Type.String()),
  createdAt: Timestamp,
  expiresAt: Timestamp,
  decidedAt: Nullable(Timestamp),
  consumedAt: Nullable(Timestamp),
  callback: Nullable(ReviewCallback),
});
export type Review = Static<typeof Review>;

export const ListedReview = Type.Object({ ...Review.properties, omitted: Omitted });
export type ListedReview = Static<typeof ListedReview>;
