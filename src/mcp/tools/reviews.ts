import { Type } from '@sinclair/typebox';
import { never } from '../../errors.ts';
import { ListedReview, Review, ReviewStatus } from '../../features/reviews/schema.ts';
import { defaultPage } from '../../http/page-query.ts';
import { Uuid } from '../../schemas/values.ts';
import { defineTool } from './tool.ts';

/** Longest wait of one call, in seconds: well below the timeouts of clients for a tool call (60 s is common). */
const longestWait = 20;
/** Seconds between two progress notifications. */
const progressEvery = 5;

export const listReviews = defineTool({
  name: 'list_reviews',
  title: 'List reviews',
  description:
    'The actions that were held for a human to approve, newest first. Only a human can decide them; no tool can.',
  readOnly: true,
  scope: 'read',
  input: Type.Object(
    {
      status: Type.Optional(ReviewStatus),
      sessionId: Type.Optional(Uuid),
      page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'default 1' })),
      size: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: 'default 50' })),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    data: Type.Array(ListedReview),
    pagination: Type.Object({ total: Type.Integer(), page: Type.Integer(), size: Type.Integer() }),
  }),
  async run(
    { page = defaultPage.page, size = defaultPage.size, sessionId, ...filter },
    { caller: { integration } },
    { reviews },
  ) {
    const listed = await reviews.list(
      {
        ...filter,
        ...(sessionId !== undefined && { sessionId: sessionId.toLowerCase() }),
        integrationId: integration.id,
      },
      { page, size },
    );
    const { total } = listed.pagination;
    const lines = listed.data.map(({ id, status, tool }) => `${id} ${status} ${tool ?? '(no tool)'}`);
    return {
      text: [`${total} ${total === 1 ? 'review' : 'reviews'}${lines.length > 0 ? ':' : '.'}`, ...lines].join(
        '\n',
      ),
      json: JSON.stringify(listed),
    };
  },
});

export const awaitReview = defineTool({
  name: 'await_review',
  title: 'Wait for the decision of a review',
  description: `Waits up to ${longestWait} seconds for a human to decide the review, and returns the review. Call it again while it is PENDING. It cannot decide the review.`,
  readOnly: true,
  scope: 'read',
  input: Type.Object(
    {
      id: Type.String({ ...Uuid, description: 'the reviewRequestId returned by evaluate' }),
      wait: Type.Optional(
        Type.Integer({ minimum: 0, maximum: longestWait, description: `seconds; default ${longestWait}` }),
      ),
    },
    { additionalProperties: false },
  ),
  output: Review,
  async run({ id, wait = longestWait }, { caller: { integration }, signal, progress }, { reviews }) {
    let waited = 0;
    const reader = { integrationId: integration.id, decides: false };
    let review = await reviews.read(reader, id);
    while (review.status === 'PENDING' && waited < wait && !signal.aborted) {
      await progress(waited, wait, 'waiting for a human to decide');
      const slice = Math.min(progressEvery, wait - waited);
      review = await reviews.await(reader, id, slice * 1_000, signal);
      waited += slice;
    }
    return { text: whatToDo(review), json: JSON.stringify(review) };
  },
});

function whatToDo({ id, status, comment, sessionId }: Review): string {
  const use = JSON.stringify({ reviewRequestId: id, ...(sessionId !== null && { sessionId }) });
  const said = comment === null ? '' : ` The reviewer's comment: ${comment}`;
  switch (status) {
    case 'PENDING':
      return 'PENDING: nobody has decided yet. Do not do the action. Call await_review again.';
    case 'APPROVED':
      return `APPROVED: call evaluate again with the same arguments and ${use} added, and do the action once if the decision is ALLOW.${said}`;
    case 'REJECTED':
      return `REJECTED: do not do the action, and tell the user.${said}`;
    case 'EXPIRED':
      return 'EXPIRED: nobody decided in time. Do not do the action. Calling evaluate again opens a new review.';
    case 'CANCELLED':
      return 'CANCELLED: the session was over before anybody decided. Do not do the action.';
    case 'CONSUMED':
      return 'CONSUMED: the approval was used already. Calling evaluate again opens a new review.';
    default:
      return never(status);
  }
}
