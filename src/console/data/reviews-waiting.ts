import { signal } from '@preact/signals';
import type { ListedReview } from '../../schemas/reviews.ts';
import { ApiError, call } from './api.ts';

/** The newest pending reviews, and how many there are; null until they were read once. */
export const waiting = signal<{ reviews: readonly ListedReview[]; total: number } | null>(null);

const everyMs = 1_500;
const retryMs = 5_000;

/** Keeps `waiting` up to date until the returned function is called. */
export function watchReviews(): () => void {
  const ended = new AbortController();
  void watch(ended.signal);
  return () => ended.abort();
}

async function watch(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const pauseMs = await readWaiting(signal);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

export async function readWaiting(signal?: AbortSignal): Promise<number> {
  try {
    const query = { status: 'PENDING', size: 200 };
    const { data, pagination } = await call<ListedReview[]>('/v1/reviews', {
      query,
      background: true,
      signal,
    });
    waiting.value = { reviews: data, total: pagination.total };
    return everyMs;
  } catch (error) {
    return error instanceof ApiError ? retryMs : 0;
  }
}
