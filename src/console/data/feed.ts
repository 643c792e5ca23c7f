import { signal } from '@preact/signals';
import type { RecordedEvaluation } from '../../schemas/evaluations.ts';
import { ApiError, call } from './api.ts';

/** Decisions as they are recorded, newest first. */
export const feed = signal<readonly RecordedEvaluation[]>([]);
export type FeedState = 'starting' | 'following' | 'paused' | 'interrupted';
export const feedState = signal<FeedState>('starting');

/** Most decisions that are shown; older ones are on the pages of their sessions. */
export const mostShown = 200;
const everyMs = 120;
const retryMs = 3_000;

/** Follows the decisions of all integrations until the returned function is called. */
export function followFeed(): () => void {
  const ended = new AbortController();
  void follow(ended.signal);
  return () => ended.abort();
}

async function follow(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const pauseMs = await next(signal);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

async function next(signal: AbortSignal): Promise<number> {
  if (feedState.value === 'paused' || document.hidden) return everyMs;
  try {
    const after = feed.value[0]?.evaluationRunId;
    const size = mostShown;
    const { data } = await call<RecordedEvaluation[]>('/v1/evaluations', {
      query: { after, size },
      background: true,
      signal,
    });
    if (signal.aborted) return 0;
    if (data.length > 0) feed.value = [...data.reverse(), ...feed.value].slice(0, mostShown);
    // A person may have paused it meanwhile.
    if ((feedState.value as FeedState) !== 'paused') feedState.value = 'following';
    return everyMs;
  } catch (error) {
    if (signal.aborted) return 0;
    feedState.value = 'interrupted';
    // The evaluation that it followed may be gone, when the database was replaced.
    if (error instanceof ApiError && error.status === 404) feed.value = [];
    return retryMs;
  }
}
