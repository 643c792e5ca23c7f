import { AppError } from '../../errors.ts';
import { dayMs, minuteMs } from '../../schemas/durations.ts';
import { type OperatorCaller, personOf } from '../../services/access/authentication.ts';
import { type ResponsePage, responsePage } from '../../services/list-entries.ts';
import { notFoundBy } from '../../services/refusals.ts';
import { isoTime, parseTime } from '../../services/times.ts';
import type { PageRequest, Queued, Store, StoredReview, StoredReviewComment } from '../../store/store.ts';
import { reviewEvent } from './events.ts';
import type { BulkDecision, Review, ReviewComment, ReviewStatistics } from './schema.ts';
import type { Decision, Reviews } from './service.ts';

type Actor = Pick<OperatorCaller, 'operator'>;

/** The operators' handling of reviews before they decide them, and of several at once. */
export interface ReviewQueue {
  claim(caller: Actor, id: string): Promise<Review>;
  release(caller: Actor, id: string): Promise<Review>;
  comment(caller: Actor, id: string, text: string): Promise<ReviewComment>;
  listComments(id: string, page: PageRequest): Promise<ResponsePage<ReviewComment>>;
  extend(caller: Actor, id: string, minutes: number): Promise<Review>;
  /** Decides each for itself: what one is refused with leaves the others. In the order of the ids. */
  decideAll(caller: Actor, ids: readonly string[], decision: Decision): Promise<BulkDecision[]>;
  stats(query: { integrationId?: string; from?: string }): Promise<ReviewStatistics>;
}

/** The longest time from the first hold of an action to the expiry of its review: an approval must not outlive its reasons. */
const longestMs = 7 * dayMs;
/** Days that statistics cover when no start is given. */
const usualDays = 7;
/** Reviews that statistics look at: what is read stays quick on any amount of data. */
const mostCounted = 10_000;

export function createReviewQueue(deps: {
  store: Store;
  now: () => number;
  newId: () => string;
  reviews: Reviews;
}): ReviewQueue {
  const { store, now, newId, reviews } = deps;

  function settled<Refusal extends string>(result: Queued | Refusal): StoredReview | Refusal {
    if (result === 'no_review') throw notFoundBy('id', 'review');
    if (typeof result === 'string') return result;
    if ('notPending' in result) throw reviews.alreadyDecided(result.notPending);
    if ('assignedTo' in result) throw claimed(result.assignedTo);
    return result;
  }

  return {
    async claim(caller, id) {
      const at = now();
      const { operator } = caller;
      const result = await store.reviewQueue.claim(id, operator.id, at, (review) =>
        reviewEvent('review.claimed', review, { at, actor: caller, newId }, { assignee: named(operator) }),
      );
      return reviews.show(settled(result) as StoredReview);
    },

    async release(caller, id) {
      const at = now();
      const { operator } = caller;
      // Somebody is away: an owner gives their review back.
      const anybodys = operator.roles.includes('OWNER');
      const result = await store.reviewQueue.release(
        id,
        { operatorId: operator.id, anybodys },
        at,
        (review) => reviewEvent('review.released', review, { at, actor: caller, newId }),
      );
      return reviews.show(settled(result) as StoredReview);
    },

    async comment(caller, id, text) {
      const at = now();
      const comment = { id: newId(), author: caller.operator.id, text, createdAt: at };
      const result = await store.reviewQueue.comment(id, comment, (review) =>
        reviewEvent('review.commented', review, { at, actor: caller, newId }, { commentId: comment.id }),
      );
      if (result === 'no_review') throw notFoundBy('id', 'review');
      return shownComment({ ...comment, authorName: caller.operator.name });
    },

    async listComments(id, page) {
      const comments = await store.reviewQueue.listComments(id, page);
      if (!comments) throw notFoundBy('id', 'review');
      return responsePage(comments, page, shownComment);
    },

    async extend(caller, id, minutes) {
      const at = now();
      const result = settled(
        await store.reviewQueue.extend(id, { ms: minutes * minuteMs, longestMs }, at, (review) =>
          reviewEvent('review.extended', review, { at, actor: caller, newId }),
        ),
      );
      if (typeof result !== 'string') return reviews.show(result);
      if (result === 'outlasts_session') {
        const message = 'the review would wait for longer than its session lasts';
        throw new AppError('invalid', message, { path: '/minutes' });
      }
      throw new AppError('invalid', 'the review would wait for more than 7 days', { path: '/minutes' });
    },

    async decideAll(caller, ids, decision) {
      const results: BulkDecision[] = [];
      for (const id of ids) {
        // An operator who approves many at once has not looked at what each would grant.
        results.push(
          await reviews.decide(caller, id, { ...decision, once: true }).then(
            ({ status }): BulkDecision => ({ id, decided: true, status, error: null }),
            (error: unknown): BulkDecision => {
              if (!(error instanceof AppError)) throw error;
              const { code, message } = error;
              return { id, decided: false, status: null, error: { code, message } };
            },
          ),
        );
      }
      return results;
    },

    async stats({ integrationId, from }) {
      const at = now();
      const since = from === undefined ? at - usualDays * dayMs : parseTime(from, '/from');
      const { decisionTimesMs, ...counts } = await store.reviewQueue.stats(
        integrationId ?? null,
        since,
        at,
        mostCounted,
      );
      const times = Float64Array.from(decisionTimesMs).sort();
      const share = (part: number) => times[Math.ceil(part * times.length) - 1] ?? null;
      return {
        from: isoTime(since),
        ...counts,
        timeToDecisionMs: { p50: share(0.5), p90: share(0.9), max: share(1) },
      };
    },
  };
}

const named = ({ id, name }: Actor['operator']) => ({ id, name });

const claimed = ({ assignee, assigneeName }: StoredReview): AppError =>
  new AppError('conflict', `the review is claimed by ${personOf(assignee ?? '', assigneeName).name}`);

const shownComment = ({ id, author, authorName, text, createdAt }: StoredReviewComment): ReviewComment => ({
  id,
  author: personOf(author, authorName),
  text,
  createdAt: isoTime(createdAt),
});
