import { type Budget, spend } from './budget.ts';
import { type CelError, SPENT } from './error.ts';

// Dates of the proleptic Gregorian calendar as day numbers, without the host's clock classes. The arithmetic is the
// era method of H. Hinnant, "chrono-Compatible Low-Level Date Algorithms": an era is 400 years of 146,097 days.

interface CivilDate {
  year: number;
  /** 1 to 12. */
  month: number;
  /** 1 to 31. */
  day: number;
}

const DAYS_PER_ERA = 146_097;
// Days from 0000-03-01 to 1970-01-01.
const EPOCH_SHIFT = 719_468;

/** Days since 1970-01-01. */
export function daysFromCivil({ year, month, day }: CivilDate): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * DAYS_PER_ERA + dayOfEra - EPOCH_SHIFT;
}

export function civilFromDays(days: number): CivilDate {
  const shifted = days + EPOCH_SHIFT;
  const era = Math.floor(shifted / DAYS_PER_ERA);
  const dayOfEra = shifted - era * DAYS_PER_ERA;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day };
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeap(year) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

/** A moment of UTC: whole seconds since 1970-01-01T00:00:00Z, and nanoseconds from 0 to 999,999,999 on top. */
export class Timestamp {
  readonly seconds: number;
  readonly nanos: number;
  constructor(seconds: number, nanos: number) {
    this.seconds = seconds;
    this.nanos = nanos;
  }
}

export const SECONDS_PER_DAY = 86_400;
const NANOS_PER_SECOND = 1_000_000_000;
// 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z: what the CEL specification lets a timestamp be.
const FIRST_SECOND = -62_135_596_800;
const LAST_SECOND = 253_402_300_799;

/** A timestamp of seconds and any integer of nanoseconds, or null outside the years 1 to 9999. */
export function createTimestamp(seconds: number, nanos: number): Timestamp | null {
  const carry = Math.floor(nanos / NANOS_PER_SECOND);
  const whole = seconds + carry;
  if (!(whole >= FIRST_SECOND && whole <= LAST_SECOND)) return null;
  return new Timestamp(whole, nanos - carry * NANOS_PER_SECOND);
}

/** For hosts that have milliseconds since 1970, as clocks of JavaScript give; null outside the years 1 to 9999. */
export function timestampFromEpochMs(ms: number): Timestamp | null {
  const seconds = Math.floor(ms / 1000);
  return createTimestamp(seconds, Math.round((ms - seconds * 1000) * 1_000_000));
}

// RFC 3339, section 5.6. The groups are the fields in order; the zone is `Z` or an offset.
const RFC_3339 =
  /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/** Reads RFC 3339 text such as `2026-11-20T10:00:00.5Z`; null when it is not. */
export function parseTimestamp(text: string): Timestamp | null {
  const match = RFC_3339.exec(text);
  if (match === null) return null;
  const field = (index: number): number => Number(match[index] ?? 0);
  const date: CivilDate = { year: field(1), month: field(2), day: field(3) };
  const monthFits = date.month >= 1 && date.month <= 12;
  if (!monthFits || date.day < 1 || date.day > daysInMonth(date.year, date.month)) return null;
  if (field(4) > 23 || field(5) > 59 || field(6) > 59 || field(9) > 23 || field(10) > 59) return null;
  const offset = (match[8] === '-' ? -1 : 1) * (field(9) * 3600 + field(10) * 60);
  const timeOfDay = field(4) * 3600 + field(5) * 60 + field(6);
  const nanos = Number((match[7] ?? '').padEnd(9, '0'));
  return createTimestamp(daysFromCivil(date) * SECONDS_PER_DAY + timeOfDay - offset, nanos);
}

/** RFC 3339 in UTC with as many decimals as the value has: none, or as needed. */
export function formatTimestamp({ seconds, nanos }: Timestamp): string {
  const days = Math.floor(seconds / SECONDS_PER_DAY);
  const { year, month, day } = civilFromDays(days);
  const rest = seconds - days * SECONDS_PER_DAY;
  const time = [Math.floor(rest / 3600), Math.floor(rest / 60) % 60, rest % 60].map(twoDigits).join(':');
  const date = `${String(year).padStart(4, '0')}-${twoDigits(month)}-${twoDigits(day)}`;
  return `${date}T${time}${formatFraction(nanos)}Z`;
}

/** `.5` for 500,000,000 nanoseconds, nothing for none. */
function formatFraction(nanos: number): string {
  return nanos === 0 ? '' : `.${String(nanos).padStart(9, '0').replace(/0+$/, '')}`;
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** A length of time. `seconds` and `nanos` have the same sign, and `nanos` is below a second in size. */
export class Duration {
  readonly seconds: number;
  readonly nanos: number;
  constructor(seconds: number, nanos: number) {
    this.seconds = seconds;
    this.nanos = nanos;
  }
}

// The range of a signed 64-bit count of nanoseconds, as in cel-go: about 292 years either way.
const LONGEST_SECONDS = 9_223_372_036;

/** A duration of seconds and any integer of nanoseconds, or null when longer than about 292 years. */
export function createDuration(seconds: number, nanos: number): Duration | null {
  const carry = Math.trunc(nanos / NANOS_PER_SECOND);
  let whole = seconds + carry;
  let rest = nanos - carry * NANOS_PER_SECOND;
  if (whole > 0 && rest < 0) {
    whole -= 1;
    rest += NANOS_PER_SECOND;
  } else if (whole < 0 && rest > 0) {
    whole += 1;
    rest -= NANOS_PER_SECOND;
  }
  if (!(Math.abs(whole) <= LONGEST_SECONDS)) return null;
  // Adding zero turns -0 into 0, which prints and compares as people expect.
  return new Duration(whole + 0, rest + 0);
}

const NANOS_PER_UNIT: Readonly<Record<string, number>> = {
  h: 3600 * NANOS_PER_SECOND,
  m: 60 * NANOS_PER_SECOND,
  s: NANOS_PER_SECOND,
  ms: 1_000_000,
  us: 1000,
  µs: 1000,
  ns: 1,
};
const WHOLE = /^([+-]?)((?:\d+(?:\.\d*)?|\.\d+)(?:h|ms|m|us|\u00b5s|ns|s))+$|^[+-]?0$/;
const PART = /(\d*)\.?(\d*)(h|ms|m|us|\u00b5s|ns|s)/g;

/** Reads what Go's time.ParseDuration reads: `90s`, `1h30m`, `-1.5h`; null when it is not one. */
export function parseDuration(text: string): Duration | null {
  if (!WHOLE.test(text)) return null;
  const sign = text.startsWith('-') ? -1 : 1;
  let seconds = 0;
  let nanos = 0;
  for (const [, whole = '', fraction = '', unit = ''] of text.matchAll(PART)) {
    const size = NANOS_PER_UNIT[unit] as number;
    // Seconds and nanoseconds apart: hours in nanoseconds would leave the exact range of a double.
    if (size >= NANOS_PER_SECOND) seconds += Number(whole) * (size / NANOS_PER_SECOND);
    else nanos += Number(whole) * size;
    nanos += Math.trunc(Number(`0.${fraction}`) * size);
  }
  return createDuration(sign * seconds, sign * nanos);
}

/** Seconds with as many decimals as needed: `90s`, `-1.5s`. */
export function formatDuration({ seconds, nanos }: Duration): string {
  const sign = seconds < 0 || nanos < 0 ? '-' : '';
  return `${sign}${Math.abs(seconds)}${formatFraction(Math.abs(nanos))}s`;
}

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
