import { now } from '../data/clock.ts';
import { countdown, dayAndTimeOf, fullTimeOf, timeOf, utcOf } from '../data/format.ts';
import { words } from '../strings/index.ts';

/** In the viewer's time zone; UTC on hover. */
export function Time({ at, show = 'day' }: { at: string; show?: 'day' | 'time' | 'full' }) {
  const formatted = { day: dayAndTimeOf, time: timeOf, full: fullTimeOf }[show](at);
  return (
    <time dateTime={at} title={utcOf(at)}>
      {formatted}
    </time>
  );
}

/** Below this the remaining time is shown as urgent. */
const urgentMs = 120_000;

export function Countdown({ until }: { until: string }) {
  const left = Date.parse(until) - now.value;
  if (left <= 0) return <span class="countdown over">{words.value.reviews.expired}</span>;
  return (
    <span class={left < urgentMs ? 'countdown urgent' : 'countdown'} title={utcOf(until)} role="timer">
      {words.value.reviews.left(countdown(left))}
    </span>
  );
}
