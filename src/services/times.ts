import { AppError } from '../errors.ts';
import { isoTime } from '../json/times.ts';

export { isoTime };

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
