import type { EvaluateResult } from '../schemas/evaluations.ts';
import type { AssizeClient } from './client.ts';

/** The session's part of a conversation, found by the `correlationId` that gates give to what they evaluate. */
export interface GateHistory {
  /** Whether the content was let through before. */
  hasPassed(content: string): Promise<boolean>;
  pass(content: string): void;
  /** The newest review of the action that is PENDING or APPROVED; null when there is none. */
  reviewOf(action: string): Promise<string | null>;
  hold(action: string, reviewRequestId: string | null): void;
}

/** A page, and how many are read at most: what lies further back is evaluated again. */
const [pageSize, mostPages] = [200, 5] as const;
/** Names of content that are kept: what was let through longer ago is evaluated again. */
const mostPassed = 10_000;

/** `find` resolves with the session's id; null when there is none yet, or when the gate opened it for itself. */
export function createGateHistory(client: AssizeClient, find: () => Promise<string | null>): GateHistory {
  const passed = new Set<string>();
  const reviews = new Map<string, string>();
  const pass = (content: string) => {
    passed.add(content);
    for (const oldest of passed) {
      if (passed.size <= mostPassed) break;
      passed.delete(oldest);
    }
  };

  async function loadPassed(): Promise<void> {
    const id = await find();
    for (let page = 1; id !== null && page <= mostPages; page++) {
      const { data, pagination } = await client.sessions.evaluations(id, { page, size: pageSize });
      for (const evaluation of data) {
        const { phase, correlationId } = evaluation;
        if (phase !== 'ACTION' && correlationId !== null && isLetThrough(evaluation)) pass(correlationId);
      }
      if (page * pageSize >= pagination.total) return;
    }
  }

  async function loadReviews(): Promise<void> {
    const id = await find();
    const settled = new Set<string>();
    for (let page = 1; id !== null && page <= mostPages; page++) {
      const { data, pagination } = await client.reviews.list({ sessionId: id, page, size: pageSize });
      for (const { id: review, status, correlationId } of data) {
        // Newest first: an older review means nothing once a newer one of the same action exists.
        if (correlationId === null || settled.has(correlationId)) continue;
        settled.add(correlationId);
        if (status === 'PENDING' || status === 'APPROVED') reviews.set(correlationId, review);
      }
      if (page * pageSize >= pagination.total) return;
    }
  }

  const passedOnce = retried(loadPassed);
  const reviewsOnce = retried(loadReviews);

  return {
    async hasPassed(content) {
      await passedOnce();
      return passed.has(content);
    },
    pass,
    async reviewOf(action) {
      await reviewsOnce();
      return reviews.get(action) ?? null;
    },
    hold(action, reviewRequestId) {
      if (reviewRequestId === null) reviews.delete(action);
      else reviews.set(action, reviewRequestId);
    },
  };
}

/** The review that an action waits for. The service knows what was rejected: whoever named it would never ask again. */
export const heldBy = ({ enforcementAction, reviewRequestId }: EvaluateResult): string | null =>
  enforcementAction === 'APPROVAL_REQUIRED' ? reviewRequestId : null;

export const isLetThrough = ({ enforcementAction }: Pick<EvaluateResult, 'enforcementAction'>): boolean =>
  enforcementAction === 'ALLOW' || enforcementAction === 'WARN';

/** Runs the work once, and again only if it failed. */
export function retried<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= work().catch((error) => {
      running = undefined;
      throw error;
    });
    return running;
  };
}
