import { Type } from '@sinclair/typebox';
import { errorResponses, listOf, responseOf } from '../../../schemas/envelopes.ts';
import {
  BulkDecision,
  CommentReview,
  DecideReviews,
  ExtendReview,
  Review,
  ReviewComment,
  ReviewStatistics,
} from '../../../schemas/reviews.ts';
import { pageQuery, Timestamp, Uuid } from '../../../schemas/values.ts';
import type { ReviewQueue } from '../../../services/review-queue.ts';
import { withPage } from '../../page-query.ts';
import { operatorOf, operatorsWith } from '../../plugins/authenticate.ts';
import { envelope, pageEnvelope } from '../../responses.ts';
import type { Scope } from '../../scope.ts';

const params = Type.Object({ id: Uuid });
const tags = ['reviews'];
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
