import { Type } from '@sinclair/typebox';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { goneSignal } from '../../http/open-streams.ts';
import {
  callerMay,
  callerOf,
  operatorOf,
  operatorsWith,
  ownerFor,
  ownerInList,
} from '../../http/plugins/authenticate.ts';
import { envelope, pageEnvelope, withPage } from '../../http/responses.ts';
import type { Scope } from '../../http/scope.ts';
import { Severity } from '../../schemas/decisions.ts';
import { errorResponses, listOf, responseOf } from '../../schemas/envelopes.ts';
import { KeptText, OptionalBody, pageQuery, Timestamp, Uuid } from '../../schemas/values.ts';
import type { ReviewQueue } from './queue.ts';
import {
  ApproveReview,
  BulkDecision,
  CommentReview,
  DecideReview,
  DecideReviews,
  ExtendReview,
  ListedReview,
  ReadReview,
  Review,
  ReviewComment,
  ReviewStatistics,
  ReviewStatus,
} from './schema.ts';
import type { Reviews } from './service.ts';

const params = Type.Object({ id: Uuid });
const tags = ['reviews'];

/** Longest wait of a long poll, in seconds: below the idle limits of common proxies. */
const longestWait = 30;

export function reviewRoutes(app: Scope, { reviews }: { reviews: Reviews }): void {
  app.get(
    '/reviews',
    {
      config: { callers: 'any', permission: 'reviews:read', scope: 'read' },
      schema: {
        operationId: 'listReviews',
        summary: 'List reviews, newest first',
        description:
          'An integration sees its own reviews only; `integrationId` is for operators. Counting stops after 10,000: `total` is 10,001 when there are more.',
        tags,
        querystring: pageQuery({
          status: Type.Optional(ReviewStatus),
          sessionId: Type.Optional(Uuid),
          integrationId: Type.Optional(Uuid),
          tool: Type.Optional(KeptText(1_000)),
          severity: Type.Optional(Severity),
          assignee: Type.Optional(
            Type.String({
              pattern: '^(?:me|none|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$',
              description: 'id of an operator, `me`, or `none` for unclaimed reviews',
            }),
          ),
          from: Type.Optional(Type.String({ ...Timestamp, description: 'first held from this time on' })),
          to: Type.Optional(Type.String({ ...Timestamp, description: 'first held before this time' })),
        }),
        response: { 200: listOf(ListedReview), ...errorResponses },
      },
    },
    async (request) => {
      const { page, size, integrationId, assignee, ...filter } = withPage(request.query);
      const owner = ownerInList(request, integrationId);
      return pageEnvelope(
        await reviews.list(
          {
            ...filter,
            ...(owner !== null && { integrationId: owner }),
            ...(assignee !== undefined && { assignee: assigneeOf(request, assignee) }),
          },
          { page, size },
        ),
      );
    },
  );

  app.get(
    '/reviews/:id',
    {
      config: { callers: 'any', permission: 'reviews:read', scope: 'read', outsideLoad: true },
      schema: {
        operationId: 'readReview',
        summary: 'Read a review, or wait for its decision',
        description:
          'While the review is PENDING, an operator who may decide it sees `input`, `targetKey` and `targetMetadata` according to the setting `reviewInput`, whose `redacted` holds for every operator; everything else follows `contentRetention`.',
        tags,
        params,
        querystring: Type.Object(
          {
            wait: Type.Optional(
              Type.Integer({
                minimum: 0,
                maximum: longestWait,
                default: 0,
                description: 'seconds to wait while the review is PENDING',
              }),
            ),
          },
          { additionalProperties: false },
        ),
        response: { 200: responseOf(ReadReview), ...errorResponses },
      },
    },
    async (request, reply) => {
      const waitMs = (request.query.wait ?? 0) * 1_000;
      if (waitMs > 0) app.startWaiting(request, reply);
      const decides = callerMay(request, 'reviews:decide');
      const reader = { integrationId: ownerFor(request), decides };
      const review = await reviews.await(reader, request.params.id, waitMs, goneSignal(reply.raw));
      if (!decides || review.status !== 'PENDING') return envelope(200, review);
      const approvalRefusal = await reviews.approvalRefusal(operatorOf(request), review.id);
      return envelope(200, { ...review, approvalRefusal });
    },
  );

  for (const [verb, status] of [
    ['approve', 'APPROVED'],
    ['reject', 'REJECTED'],
  ] as const) {
    app.post(
      `/reviews/:id/${verb}`,
      {
        config: operatorsWith('reviews:decide'),
        schema: {
          operationId: `${verb}Review`,
          summary: verb === 'approve' ? 'Approve the held action once' : 'Reject the held action',
          tags,
          params,
          body: OptionalBody(verb === 'approve' ? ApproveReview : DecideReview),
          response: { 200: responseOf(Review), ...errorResponses },
        },
      },
      async (request) => {
        const body: ApproveReview = request.body ?? {};
        const { comment = null, evaluationRunId = null, reason = null, once = false } = body;
        const decision = { status, comment, evaluationRunId, reason, once };
        return envelope(200, await reviews.decide(operatorOf(request), request.params.id, decision));
      },
    );
  }
}

function assigneeOf(request: FastifyRequest, assignee: string): string | null {
  if (assignee === 'none') return null;
  if (assignee !== 'me') return assignee;
  const caller = callerOf(request);
  if (caller.kind === 'operator') return caller.operator.id;
  throw new AppError('invalid', 'integrations cannot claim reviews: name an operator', { path: '/assignee' });
}

const decides = operatorsWith('reviews:decide');
const reads = operatorsWith('reviews:read');

export function reviewQueueRoutes(app: Scope, { reviewQueue }: { reviewQueue: ReviewQueue }): void {
  app.get(
    '/reviews/stats',
    {
      config: reads,
      schema: {
        operationId: 'readReviewStatistics',
        summary: 'Count reviews and measure decision times',
        description: 'Covers the newest 10,000 reviews opened since `from`, by default 7 days ago.',
        tags,
        querystring: Type.Object(
          {
            from: Type.Optional(Type.String({ ...Timestamp, description: 'opened from this time on' })),
            integrationId: Type.Optional(Uuid),
          },
          { additionalProperties: false },
        ),
        response: { 200: responseOf(ReviewStatistics), ...errorResponses },
      },
    },
    async (request) => envelope(200, await reviewQueue.stats(request.query)),
  );

  app.post(
    '/reviews/decide',
    {
      config: decides,
      schema: {
        operationId: 'decideReviews',
        summary: 'Approve or reject several reviews',
        description:
          'Each review is decided independently; the response lists the results in the order of `ids`.',
        tags,
        body: DecideReviews,
        response: { 200: responseOf(Type.Array(BulkDecision)), ...errorResponses },
      },
    },
    async (request) => {
      const { ids, decision, comment = null, reason = null } = request.body;
      const status = decision === 'APPROVE' ? 'APPROVED' : 'REJECTED';
      return envelope(
        200,
        await reviewQueue.decideAll(operatorOf(request), ids, { status, comment, reason }),
      );
    },
  );

  for (const [verb, summary] of [
    ['claim', 'Take a review, so that others see who looks at it'],
    ['release', 'Give a review back'],
  ] as const) {
    app.post(
      `/reviews/:id/${verb}`,
      {
        config: decides,
        schema: {
          operationId: `${verb}Review`,
          summary,
          description:
            verb === 'claim'
              ? 'A 409 response names the operator who claimed it. A claim does not prevent others from deciding.'
              : 'An owner may give back what another operator claimed.',
          tags,
          params,
          response: { 200: responseOf(Review), ...errorResponses },
        },
      },
      async (request) => envelope(200, await reviewQueue[verb](operatorOf(request), request.params.id)),
    );
  }

  app.post(
    '/reviews/:id/extend',
    {
      config: decides,
      schema: {
        operationId: 'extendReview',
        summary: 'Extend the expiry of a review',
        tags,
        params,
        body: ExtendReview,
        response: { 200: responseOf(Review), ...errorResponses },
      },
    },
    async (request) =>
      envelope(200, await reviewQueue.extend(operatorOf(request), request.params.id, request.body.minutes)),
  );

  app.post(
    '/reviews/:id/comments',
    {
      config: decides,
      schema: {
        operationId: 'commentReview',
        summary: 'Comment on a review, for other operators',
        description: 'The agent never sees this comment; it only sees the comment of the decision.',
        tags,
        params,
        body: CommentReview,
        response: { 201: responseOf(ReviewComment, 201), ...errorResponses },
      },
    },
    async (request, reply) => {
      const comment = await reviewQueue.comment(operatorOf(request), request.params.id, request.body.text);
      return reply.code(201).send(envelope(201, comment));
    },
  );

  app.get(
    '/reviews/:id/comments',
    {
      config: reads,
      schema: {
        operationId: 'listReviewComments',
        summary: 'List the comments of a review, oldest first',
        tags,
        params,
        querystring: pageQuery({}),
        response: { 200: listOf(ReviewComment), ...errorResponses },
      },
    },
    async (request) =>
      pageEnvelope(await reviewQueue.listComments(request.params.id, withPage(request.query))),
  );
}
