import { effect, signal } from '@preact/signals';
import type { RecordedEvaluation } from '../../schemas/evaluations.ts';
import { ApiError, call } from './api.ts';
import { oneAtATime, whenHappens } from './live.ts';

/** Decisions as they are recorded, newest first. */
export const feed = signal<readonly RecordedEvaluation[]>([]);
export type FeedState = 'starting' | 'following' | 'paused';
export const feedState = signal<FeedState>('starting');

/** Most decisions that are shown; older ones are on the pages of their sessions. */
export const mostShown = 200;

/** Follows the decisions of all integrations until the returned function is called. */
export function followFeed(): () => void {
  const ended = new AbortController();
  const read = oneAtATime(() => readNext(ended.signal));
  const stop = whenHappens(['evaluations'], read);
  const stopState = effect(() => {
    // What was missed while it was paused.
    if (feedState.value !== 'paused') read();
  });
  return () => {
    ended.abort();
    stop();
    stopState();
  };
}

async function readNext(signal: AbortSignal): Promise<void> {
  try {
    let found = mostShown;
    while (found === mostShown && feedState.value !== 'paused') {
      const after = feed.value[0]?.evaluationRunId;
      const query = { after, size: mostShown };
      const { data } = await call<RecordedEvaluation[]>('/v1/evaluations', {
        query,
        background: true,
        signal,
      });
      if (signal.aborted) return;
      found = after === undefined ? 0 : data.length;
      if (data.length > 0) feed.value = [...data.reverse(), ...feed.value].slice(0, mostShown);
    }
    if (feedState.value !== 'paused') feedState.value = 'following';
  } catch (error) {
    if (signal.aborted) return;
    // The evaluation that it followed may be gone, when the database was replaced.
    if (error instanceof ApiError && error.status === 404) feed.value = [];
  }
}
