import type { ApproveReview, DecideReview, Review, ReviewStatus } from '../features/reviews/schema.ts';
import { AssizeError } from './error.ts';
import { type Http, path } from './http.ts';
import { atLeast, type CallOptions } from './options.ts';
import { type Page, type PageRequest, pageOf } from './response.ts';
import { deadlineOf, pause } from './retry.ts';

export interface ReviewFilter extends PageRequest {
  status?: ReviewStatus;
  sessionId?: string;
  /** For operators. An integration sees only its own reviews. */
  integrationId?: string;
}

export interface WaitOptions {
  /** Ends the wait, and rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Milliseconds after which the wait rejects with the code `timeout`; default: while the review is PENDING. */
  timeoutMs?: number | undefined;
}

export interface Reviews {
  get(id: string, options?: CallOptions): Promise<Review>;
  /** Newest first. */
  list(filter?: ReviewFilter, options?: CallOptions): Promise<Page<Review>>;
  /** Resolves when the review is decided or has expired. Survives a restart of the service. */
  waitFor(id: string, options?: WaitOptions): Promise<Review>;
  /**
   * Needs an operator's key, as `reject` does: an integration cannot approve its own actions. `once` approves this action alone,
   * without the grants of the review.
   */
  approve(id: string, decision?: ApproveReview, options?: CallOptions): Promise<Review>;
  reject(id: string, decision?: DecideReview, options?: CallOptions): Promise<Review>;
}

/** Seconds of one long poll, below the idle timeouts of common proxies. */
const pollSeconds = 20;
/** Retries of one poll: with their growing delays they survive a restart. */
const pollRetries = 6;
/** A poll that returns PENDING early was cut short; the next one starts this many milliseconds after it. */
const leastPollMs = 1_000;

export function createReviews(http: Http, timeoutMs: number): Reviews {
  async function poll(id: string, seconds: number, signal: AbortSignal | undefined): Promise<Review> {
    const request = { method: 'GET', path: path`/v1/reviews/${id}`, query: { wait: seconds } } as const;
    const options = { signal, timeoutMs: seconds * 1_000 + timeoutMs, retries: pollRetries };
    return (await http.send<Review>(request, options)).data;
  }

  const decide =
    (verb: 'approve' | 'reject'): Reviews['approve'] =>
    async (id, decision = {}, options) => {
      const at = `${path`/v1/reviews/${id}`}/${verb}`;
      return (await http.send<Review>({ method: 'POST', path: at, json: decision }, options)).data;
    };

  return {
    async get(id, options) {
      return (await http.send<Review>({ method: 'GET', path: path`/v1/reviews/${id}` }, options)).data;
    },

    async list(filter = {}, options) {
      const call = { method: 'GET', path: '/v1/reviews', query: { ...filter } } as const;
      return pageOf(await http.send<Review[]>(call, options));
    },

    async waitFor(id, { signal, timeoutMs } = {}) {
      const deadline = deadlineOf(
        timeoutMs === undefined ? undefined : atLeast(1, timeoutMs, 'timeoutMs'),
        signal,
      );
      try {
        for (;;) {
          const from = Date.now();
          const review = await poll(id, pollSeconds, deadline.signal);
          if (review.status !== 'PENDING') return review;
          await pause(Math.max(0, from + leastPollMs - Date.now()), deadline.signal);
        }
      } catch (error) {
        if (!deadline.passed() || signal?.aborted) throw error;
        throw new AssizeError('timeout', `the review was not decided within ${timeoutMs} ms`, {
          cause: error,
        });
      } finally {
        deadline.clear();
      }
    },

    approve: decide('approve'),
    reject: decide('reject'),
  };
}
