import type { AssizeClient } from '../client/index.ts';
import { isLetThrough } from './stopped-error.ts';

/** What a session already holds of a conversation, found by the `correlationId` that guards give to what they evaluate. */
export interface History {
  /** Whether the content was let through before. */
  hasPassed(content: string): Promise<boolean>;
  pass(content: string): void;
  /** The newest open or decided review of the action; null when there is none that still means anything. */
  reviewOf(action: string): Promise<string | null>;
  hold(action: string, reviewRequestId: string | null): void;
}

/** A page, and how many are read at most: what lies further back is evaluated again. */
const [pageSize, mostPages] = [200, 5] as const;

/** `sessionId` null: the session is the guard's own, and holds nothing from before. */
export function createHistory(client: AssizeClient, sessionId: string | null): History {
  const passed = new Set<string>();
  const reviews = new Map<string, string>();

  async function loadPassed(id: string): Promise<void> {
    for (let page = 1; page <= mostPages; page++) {
      const { data, pagination } = await client.sessions.evaluations(id, { page, size: pageSize });
      for (const evaluation of data) {
        const { phase, correlationId } = evaluation;
        if (phase !== 'ACTION' && correlationId !== null && isLetThrough(evaluation))
          passed.add(correlationId);
      }
      if (page * pageSize >= pagination.total) return;
    }
  }

  async function loadReviews(id: string): Promise<void> {
    const settled = new Set<string>();
    for (let page = 1; page <= mostPages; page++) {
      const { data, pagination } = await client.reviews.list({ sessionId: id, page, size: pageSize });
      for (const { id: review, status, correlationId } of data) {
        // Newest first: an older review means nothing once a newer one of the same action exists.
        if (correlationId === null || settled.has(correlationId)) continue;
        settled.add(correlationId);
        if (status !== 'CONSUMED' && status !== 'EXPIRED') reviews.set(correlationId, review);
      }
      if (page * pageSize >= pagination.total) return;
    }
  }

  const passedOnce = sessionId === null ? null : retried(() => loadPassed(sessionId));
  const reviewsOnce = sessionId === null ? null : retried(() => loadReviews(sessionId));

  return {
    async hasPassed(content) {
      await passedOnce?.();
      return passed.has(content);
    },
    pass: (content) => void passed.add(content),
    async reviewOf(action) {
      await reviewsOnce?.();
      return reviews.get(action) ?? null;
    },
    hold(action, reviewRequestId) {
      if (reviewRequestId === null) reviews.delete(action);
      else reviews.set(action, reviewRequestId);
    },
  };
}

/** Runs the work once, and again only if it failed. */
function retried(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= work().catch((error) => {
      running = undefined;
      throw error;
    });
    return running;
  };
}
