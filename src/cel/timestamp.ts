import { type CivilDate, civilFromDays, daysFromCivil, daysInMonth } from './civil.ts';

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
export const NANOS_PER_SECOND = 1_000_000_000;
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
export function formatFraction(nanos: number): string {
  return nanos === 0 ? '' : `.${String(nanos).padStart(9, '0').replace(/0+$/, '')}`;
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');
