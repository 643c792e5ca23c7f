import type { Budget } from '../budget.ts';
import { member, type Overload } from '../environment.ts';
import { CelError } from '../error.ts';
import {
  civilFromDays,
  type Duration,
  daysFromCivil,
  SECONDS_PER_DAY,
  type Timestamp,
  zoneOffset,
} from '../time.ts';
import { types } from '../type.ts';

const { duration, int, string, timestamp } = types;

/** A moment as a wall clock shows it: days since 1970-01-01 and seconds of the day, in some zone. */
interface LocalTime {
  readonly days: number;
  readonly second: number;
  readonly nanos: number;
}

const UNKNOWN_ZONE = new CelError(
  'invalid_argument',
  'unknown time zone: write "UTC", an offset such as "+02:00", or a name such as "Europe/Berlin"',
);

function localTime(moment: Timestamp, offset: number): LocalTime {
  const seconds = moment.seconds + offset;
  const days = Math.floor(seconds / SECONDS_PER_DAY);
  return { days, second: seconds - days * SECONDS_PER_DAY, nanos: moment.nanos };
}

const dayOfYear = (days: number): number =>
  days - daysFromCivil({ year: civilFromDays(days).year, month: 1, day: 1 });

// 1970-01-01 was a Thursday, day 4 of a week that starts with Sunday as 0.
const dayOfWeek = (days: number): number => (((days + 4) % 7) + 7) % 7;

const FIELDS: Readonly<Record<string, (time: LocalTime) => number>> = {
  getFullYear: ({ days }) => civilFromDays(days).year,
  getMonth: ({ days }) => civilFromDays(days).month - 1,
  getDayOfMonth: ({ days }) => civilFromDays(days).day - 1,
  getDate: ({ days }) => civilFromDays(days).day,
  getDayOfYear: ({ days }) => dayOfYear(days),
  getDayOfWeek: ({ days }) => dayOfWeek(days),
  getHours: ({ second }) => Math.floor(second / 3600),
  getMinutes: ({ second }) => Math.floor(second / 60) % 60,
  getSeconds: ({ second }) => second % 60,
  getMilliseconds: ({ nanos }) => Math.floor(nanos / 1_000_000),
};

const LENGTHS: Readonly<Record<string, (length: Duration) => number>> = {
  getHours: ({ seconds }) => Math.trunc(seconds / 3600) + 0,
  getMinutes: ({ seconds }) => Math.trunc(seconds / 60) + 0,
  getSeconds: ({ seconds }) => seconds,
  getMilliseconds: ({ nanos }) => Math.trunc(nanos / 1_000_000) + 0,
};

export const times: readonly Overload[] = [
  ...Object.entries(FIELDS).flatMap(([name, field]) => [
    member(name, [timestamp], int, (_: Budget, moment: Timestamp) => field(localTime(moment, 0))),
    member(name, [timestamp, string], int, (budget: Budget, moment: Timestamp, zone: string) => {
      const offset = zoneOffset(zone, moment, budget);
      if (offset instanceof CelError) return offset;
      return offset === null ? UNKNOWN_ZONE : field(localTime(moment, offset));
    }),
  ]),
  ...Object.entries(LENGTHS).map(([name, field]) =>
    member(name, [duration], int, (_: Budget, length: Duration) => field(length)),
  ),
];
