import { type Budget, spend } from '../budget.ts';
import { A, global, globalExact, type Overload } from '../declaration.ts';
import { type Duration, formatDuration, parseDuration } from '../duration.ts';
import { CelError, OVERFLOW, SPENT } from '../error.ts';
import { asInt, type CelNumber } from '../number.ts';
import { createTimestamp, formatTimestamp, parseTimestamp, type Timestamp } from '../timestamp.ts';
import { types } from '../type.ts';
import type { TypeValue } from '../type-value.ts';

const { bool, double, duration, dyn, int, string, timestamp, type } = types;

const unreadable = (name: string, wanted: string): CelError =>
  new CelError('invalid_argument', `${name}: the text is not ${wanted}`);
const NOT_BOOL = unreadable('bool', 'true or false');
const NOT_INT = unreadable('int', 'a whole number');
const NOT_DOUBLE = unreadable('double', 'a number');
const NOT_DURATION = unreadable('duration', 'a duration such as "1h30m"');
const NOT_TIMESTAMP = unreadable('timestamp', 'a timestamp such as "2026-01-31T00:00:00Z"');
const NOT_IN_RANGE = new CelError('overflow', 'timestamp: outside the years 1 to 9999');

// What Go's strconv.ParseBool reads, which the CEL specification names.
const BOOLS = new Map<string, boolean>([
  ...['1', 't', 'T', 'true', 'TRUE', 'True'].map((text) => [text, true] as const),
  ...['0', 'f', 'F', 'false', 'FALSE', 'False'].map((text) => [text, false] as const),
]);

const INT = /^([+-]?)0*(\d+)$/;
/** Digits of the largest integers. */
const MOST_DIGITS = 19;
const DOUBLE = /^[+-]?(?:\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)$/;
const SPECIAL_DOUBLE = /^([+-]?)(?:(nan)|inf(?:inity)?)$/i;

function parseInteger(text: string): CelNumber | CelError {
  const parts = INT.exec(text);
  if (parts === null) return NOT_INT;
  const [, sign, digits = ''] = parts;
  if (digits.length > MOST_DIGITS) return OVERFLOW;
  return asInt(BigInt(sign === '-' ? `-${digits}` : digits));
}

function parseDouble(text: string): number | CelError {
  if (DOUBLE.test(text)) return Number(text);
  const special = SPECIAL_DOUBLE.exec(text);
  if (special === null) return NOT_DOUBLE;
  if (special[2] !== undefined) return Number.NaN;
  return special[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

/** Charges the length of a text that is read; durations, the slowest, take about ten steps per character. */
const reading =
  (read: (text: string) => unknown) =>
  (budget: Budget, text: string): unknown =>
    spend(budget, text.length * 10) ? read(text) : SPENT;

const same = (_: Budget, value: unknown): unknown => value;

export const conversions: readonly Overload[] = [
  global('bool', [bool], bool, same),
  global(
    'bool',
    [string],
    bool,
    reading((text) => BOOLS.get(text) ?? NOT_BOOL),
  ),
  globalExact('int', [int], int, same),
  global('int', [double], int, (_: Budget, value: number) => asInt(Math.trunc(value))),
  global('int', [string], int, reading(parseInteger)),
  global('int', [timestamp], int, (_: Budget, value: Timestamp) => value.seconds),
  global('double', [double], double, same),
  global('double', [int], double, same),
  global('double', [string], double, reading(parseDouble)),
  global('string', [string], string, same),
  global('string', [type], string, (_: Budget, value: TypeValue) => value.name),
  global('string', [bool], string, (_: Budget, value: boolean) => String(value)),
  globalExact('string', [int], string, (_: Budget, value: CelNumber) => String(value)),
  global('string', [double], string, (_: Budget, value: number) => String(value)),
  global('string', [timestamp], string, (_: Budget, value: Timestamp) => formatTimestamp(value)),
  global('string', [duration], string, (_: Budget, value: Duration) => formatDuration(value)),
  global('timestamp', [timestamp], timestamp, same),
  global(
    'timestamp',
    [string],
    timestamp,
    reading((text) => parseTimestamp(text) ?? NOT_TIMESTAMP),
  ),
  global(
    'timestamp',
    [int],
    timestamp,
    (_: Budget, seconds: number) => createTimestamp(seconds, 0) ?? NOT_IN_RANGE,
  ),
  global('duration', [duration], duration, same),
  global(
    'duration',
    [string],
    duration,
    reading((text) => parseDuration(text) ?? NOT_DURATION),
  ),
  global('dyn', [A], dyn, same),
];
