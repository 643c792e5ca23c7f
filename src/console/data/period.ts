import { now } from './clock.ts';
import { choiceInUrl, query } from './route.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const periodsMs = { hour: hourMs, day: dayMs, week: 7 * dayMs, month: 30 * dayMs } as const;
export type Period = keyof typeof periodsMs;
export const periods = Object.keys(periodsMs) as Period[];

/** Times of the API, of what is shown. */
export interface TimeRange {
  from?: string | undefined;
  to?: string | undefined;
}

/** A time that the address names, when it is one. */
function timeInUrl(name: string): string | undefined {
  const at = Date.parse(query.value.get(name) ?? '');
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}

/** By the minute: what is shown moves once a minute, not every second. */
const minuteBefore = (ms: number): string =>
  new Date(Math.floor(now.value / 60_000) * 60_000 - ms).toISOString();

/** The period in the address: one up to now, or two times. */
export function rangeInUrl(): TimeRange {
  const period = choiceInUrl('period', periods);
  if (period) return { from: minuteBefore(periodsMs[period]) };
  return { from: timeInUrl('from'), to: timeInUrl('to') };
}
