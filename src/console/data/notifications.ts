import { effect, signal } from '@preact/signals';
import { words } from '../strings/index.ts';
import { waiting } from './reviews-waiting.ts';
import { go, to } from './route.ts';
import { visibleText } from './visible-text.ts';

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
  const notification = new Notification(words.peek().reviews.notifyTitle, { body, tag: review.id });
  notification.onclick = () => {
    focus();
    go(`${to('reviews')}?id=${review.id}`);
    notification.close();
  };
});
