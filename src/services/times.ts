import { AppError } from '../errors.ts';
import { dayMs } from '../schemas/durations.ts';

/** Times end with its first millisecond (ECMA-262, "Time Values and Time Range"). */
const lastDay = 100_000_000;
const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));
/** Dates by days since 1970, as far as they were written lately: sessions and reviews are mostly of a few days. */
const dates = new Map<number, string>();
const mostDates = 1_000;

/** `Date.toISOString` of whole milliseconds, in a tenth of its time. Throws a RangeError for what is no time. */
export function isoTime(ms: number): string {
  const itsDay = Math.floor(ms / dayMs);
  let date = itsDay === lastDay ? undefined : dates.get(itsDay);
  if (date === undefined) {
    date = new Date(ms).toISOString().slice(0, -'00:00:00.000Z'.length);
    if (dates.size === mostDates) dates.clear();
    dates.set(itsDay, date);
  }
  const left = ms - itsDay * dayMs;
  const thousandths = left % 1_000;
  const seconds = (left - thousandths) / 1_000;
  const padding = thousandths < 10 ? '00' : thousandths < 100 ? '0' : '';
  return `${date}${twoDigits[Math.floor(seconds / 3_600)]}:${twoDigits[Math.floor(seconds / 60) % 60]}:${twoDigits[seconds % 60]}.${padding}${thousandths}Z`;
}
export const isoTimeOrNull = (ms: number | null): string | null => (ms === null ? null : isoTime(ms));

/** Reads an ISO 8601 time with a zone, as milliseconds. The pattern of the schema was checked; the calendar was not. */
export function parseTime(text: string, path: string): number {
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) {
    throw new AppError(
      'invalid',
      'must be an ISO 8601 date and time with a zone, like 2030-01-31T12:00:00Z',
      { path },
    );
  }
  return ms;
}

/** A moment that has not come yet. */
export function parseFutureTime(text: string, now: number, path: string): number {
  const ms = parseTime(text, path);
  if (ms <= now) throw new AppError('invalid', 'must be in the future', { path });
  return ms;
}
