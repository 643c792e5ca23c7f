import { signal } from '@preact/signals';
import type { ListedReview } from '../../features/reviews/schema.ts';
import { call } from './api.ts';
import { oneAtATime, whenHappens } from './live.ts';

/** The newest pending reviews, and how many there are; null until they were read once. */
export const waiting = signal<{ reviews: readonly ListedReview[]; total: number } | null>(null);

/** A tab out of sight has no connection, and still notifies: it asks so often, in milliseconds. */
const hiddenEveryMs = 2_000;

/** Keeps `waiting` up to date until the returned function is called. */
export function watchReviews(): () => void {
  const ended = new AbortController();
  const read = oneAtATime(() => readWaiting(ended.signal));
  const stop = whenHappens(['reviews'], read);
  const timer = setInterval(() => document.hidden && read(), hiddenEveryMs);
  read();
  return () => {
    ended.abort();
    stop();
    clearInterval(timer);
  };
}

export async function readWaiting(signal?: AbortSignal): Promise<void> {
  const query = { status: 'PENDING', size: 200 };
  try {
    const { data, pagination } = await call<ListedReview[]>('/v1/reviews', {
      query,
      background: true,
      signal,
    });
    waiting.value = { reviews: data, total: pagination.total };
  } catch {
    // What was known stays; the pages say that the service cannot be reached.
  }
}
