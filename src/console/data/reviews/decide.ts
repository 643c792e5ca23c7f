import { signal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ListedReview, Review, ReviewReason } from '../../../features/reviews/schema.ts';
import { type ApiError, apiErrorOf, call } from '../api.ts';

export type Verb = 'approve' | 'reject';

/** Why, in words that the agent receives, and in one word for the statistics. */
export interface Grounds {
  comment: string;
  reason: ReviewReason | null;
  /** Approves without what the review grants to later actions. */
  once: boolean;
}

export type Decided =
  | { is: 'decided'; review: Review }
  /** An approval that counts, and others are needed. */
  | { is: 'counted'; review: Review }
  /** Somebody or something else decided it first. */
  | { is: 'lost'; review: Review }
  /** The agent tried the action again: other findings may be there now. */
  | { is: 'changed'; review: Review }
  | { is: 'failed'; id: string; error: ApiError };

/** Decides a review as it was read: when it is another one by now, nothing is decided, and it says who was faster. */
export async function decide(
  { id, evaluationRunId }: Pick<ListedReview, 'id' | 'evaluationRunId'>,
  verb: Verb,
  { comment, reason, once }: Grounds,
): Promise<Decided> {
  const json = {
    evaluationRunId,
    ...(comment && { comment }),
    ...(reason && { reason }),
    ...(verb === 'approve' && once && { once }),
  };
  try {
    const { data } = await call<Review>(`/v1/reviews/${id}/${verb}`, { method: 'POST', json });
    return { is: data.status === 'PENDING' ? 'counted' : 'decided', review: data };
  } catch (error) {
    const failure = apiErrorOf(error);
    if (failure.status !== 409) return { is: 'failed', id, error: failure };
    return conflict({ id, evaluationRunId }, failure);
  }
}

async function conflict(
  { id, evaluationRunId }: Pick<ListedReview, 'id' | 'evaluationRunId'>,
  failure: ApiError,
): Promise<Decided> {
  try {
    const { data } = await call<Review>(`/v1/reviews/${id}`);
    if (data.status !== 'PENDING') return { is: 'lost', review: data };
    // The same findings: it is something else, such as a second approval of the same operator.
    if (data.evaluationRunId === evaluationRunId) return { is: 'failed', id, error: failure };
    return { is: 'changed', review: data };
  } catch {
    return { is: 'failed', id, error: failure };
  }
}

/** The part of the decision that an agent receives when it polls the review. */
export const receivedBy = (verb: Verb, { comment, reason }: Omit<Grounds, 'once'>): object => ({
  status: verb === 'approve' ? 'APPROVED' : 'REJECTED',
  comment: comment === '' ? null : comment,
  reason,
});

/** The reviews that are chosen for one decision. */
export const selection = signal<ReadonlySet<string>>(new Set());

/** The decision that is being written. */
export const deciding = signal<{ id: string; verb: Verb } | null>(null);

/** The name of what is typed for the decision of a review. */
export const draftOf = (reviewId: string): string => `decision of ${reviewId}`;

/** Reviews that another operator decided first. */
export const lost = signal<ReadonlySet<string>>(new Set());

export function toggle(id: string): void {
  const next = new Set(selection.value);
  if (!next.delete(id)) next.add(id);
  selection.value = next;
}

/** How far an element may be out of sight, in CSS pixels: its own padding. */
const slack = 8;

export interface Seen {
  /** Whether all of the element was in sight, from its top to its end. */
  isSeen: boolean;
  /** Brings the first part into sight that was not. */
  showNext(): void;
}

/**
 * Follows how far an element was read: the part from its top that was in the window, above `bar`. Jumping to its end leaves
 * what lies between unread. Another `key` begins anew.
 */
export function useSeen(
  element: RefObject<HTMLElement | null>,
  bar: RefObject<HTMLElement | null>,
  key: string,
): Seen {
  const [seen, setSeen] = useState({ key, isSeen: false });
  const reached = useRef({ key, pixels: 0 });
  const frame = () => {
    const top = element.current?.getBoundingClientRect().top ?? 0;
    return { top, end: Math.min(innerHeight, bar.current?.getBoundingClientRect().top ?? innerHeight) };
  };

  useLayoutEffect(() => {
    reached.current = { key, pixels: 0 };
    const look = () => {
      if (!element.current) return;
      const { top, end } = frame();
      const { pixels } = reached.current;
      if (-top <= pixels + slack) reached.current.pixels = Math.max(pixels, end - top);
      const isSeen = reached.current.pixels + slack >= element.current.offsetHeight;
      setSeen((before) => (before.key === key && before.isSeen === isSeen ? before : { key, isSeen }));
    };
    // A part that is folded out later, or comes late, must be read as well.
    const watch = new ResizeObserver(look);
    if (element.current) watch.observe(element.current);
    if (bar.current) watch.observe(bar.current);
    addEventListener('scroll', look, { capture: true, passive: true });
    addEventListener('resize', look);
    look();
    return () => {
      watch.disconnect();
      removeEventListener('scroll', look, { capture: true });
      removeEventListener('resize', look);
    };
  }, [key]);

  return {
    isSeen: seen.key === key && seen.isSeen,
    showNext() {
      const { top } = frame();
      scrollBy({ top: top + reached.current.pixels - slack * 4, behavior: 'instant' });
    },
  };
}
