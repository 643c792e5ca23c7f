import { effect, signal } from '@preact/signals';
import type { ListedReview } from '../../../features/reviews/schema.ts';
import { words } from '../../strings/index.ts';
import { call } from '../api.ts';
import { oneAtATime, whenHappens } from '../live.ts';
import { go, to } from '../route.ts';
import { visibleText } from '../visible-text.ts';

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
    // The known reviews stay; the pages say that the service cannot be reached.
  }
}

export const notifying = signal(typeof Notification !== 'undefined' && Notification.permission === 'granted');

export async function startNotifying(): Promise<void> {
  if (typeof Notification === 'undefined') return;
  notifying.value = (await Notification.requestPermission()) === 'granted';
}

const seen = new Set<string>();
let isFirst = true;
const longestName = 80;

/** Says that an action waits, once each, while the console is not in sight. Never shows more of it than the tool. */
effect(() => {
  if (!waiting.value) return;
  const fresh = waiting.value.reviews.filter(({ id }) => !seen.has(id));
  for (const { id } of fresh) seen.add(id);
  const [review] = fresh;
  const tells = !isFirst && notifying.peek() && document.hidden;
  isFirst = false;
  if (!review || !tells) return;
  const body = visibleText(review.tool ?? review.targetKey ?? '').slice(0, longestName);
  const notification = new Notification(words.peek().now.notifyTitle, { body, tag: review.id });
  notification.onclick = () => {
    focus();
    go(`${to('reviews')}?id=${review.id}`);
    notification.close();
  };
});
