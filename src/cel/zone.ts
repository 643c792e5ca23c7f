import { type Budget, spend } from './budget.ts';
import { daysFromCivil } from './civil.ts';
import { type CelError, SPENT } from './error.ts';
import { SECONDS_PER_DAY, type Timestamp } from './timestamp.ts';

const OFFSET = /^([+-]?)(\d\d):(\d\d)$/;

// Measured: creating a formatter takes 60 µs, using one 5 µs. The creation is always charged, because the steps of a
// program must not depend on what ran before it.
const STEPS_A_ZONE = 2000;
// The names come from policies or data, so the cache is bounded: invented names must not fill the memory.
const MOST_FORMATTERS = 32;
const LONGEST_NAME = 64;
const formatters = new Map<string, Intl.DateTimeFormat>();

/** Seconds east of UTC in a zone at a moment; null for an unknown zone. */
export function zoneOffset(zone: string, moment: Timestamp, budget: Budget): number | null | CelError {
  const match = OFFSET.exec(zone);
  if (match !== null) {
    const [, sign, hours, minutes] = match;
    if (Number(hours) > 23 || Number(minutes) > 59) return null;
    return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60);
  }
  if (zone === 'UTC') return 0;
  // Intl also takes offsets in forms CEL does not know, and very long names are only there to be looked up.
  if (zone.length > LONGEST_NAME || !/^[A-Za-z]/.test(zone)) return null;
  if (!spend(budget, STEPS_A_ZONE)) return SPENT;
  const formatter = formatterOf(zone);
  return formatter === null ? null : offsetBy(formatter, moment);
}

function formatterOf(zone: string): Intl.DateTimeFormat | null {
  const known = formatters.get(zone);
  if (known !== undefined) return known;
  try {
    const made = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      calendar: 'gregory',
      hourCycle: 'h23',
      era: 'narrow',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    if (formatters.size >= MOST_FORMATTERS) formatters.clear();
    formatters.set(zone, made);
    return made;
  } catch {
    // RangeError: not a time zone.
    return null;
  }
}

function offsetBy(formatter: Intl.DateTimeFormat, moment: Timestamp): number {
  const parts = new Map(
    formatter.formatToParts(moment.seconds * 1000).map(({ type, value }) => [type, value]),
  );
  const field = (name: Intl.DateTimeFormatPartTypes): number => Number(parts.get(name));
  // Before year 1 the formatter counts years before Christ; the zones west of UTC reach it.
  const year = parts.get('era') === 'A' ? field('year') : 1 - field('year');
  const days = daysFromCivil({ year, month: field('month'), day: field('day') });
  const local = days * SECONDS_PER_DAY + field('hour') * 3600 + field('minute') * 60 + field('second');
  return local - moment.seconds;
}
