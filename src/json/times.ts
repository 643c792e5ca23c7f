const dayMs = 86_400_000;
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
