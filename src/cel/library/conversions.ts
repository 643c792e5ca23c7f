import { isNestedDeeper } from '../../json/members.ts';
import { tryParseStrictly } from '../../json/parse.ts';
import { type Budget, MESSAGE, spend } from '../budget.ts';
import { A, global, globalExact, type Overload } from '../environment.ts';
import { CelError, OVERFLOW, SPENT, TOO_DEEP } from '../error.ts';
import { asInt, type CelNumber, isInt, isNumber } from '../number.ts';
import {
  createTimestamp,
  Duration,
  formatDuration,
  formatTimestamp,
  parseDuration,
  parseTimestamp,
  Timestamp,
} from '../time.ts';
import { types } from '../type.ts';
import { isMap, Optional, type TypeValue, typeOfValue, typeValues } from '../value.ts';

const { bool, double, duration, dyn, int, string, timestamp, type } = types;

const unreadable = (name: string, wanted: string): CelError =>
  new CelError('invalid_argument', `${name}: the text is not ${wanted}`);
const NOT_BOOL = unreadable('bool', 'true or false');
const NOT_INT = unreadable('int', 'a whole number');
const NOT_DOUBLE = unreadable('double', 'a number');
const NOT_DURATION = unreadable('duration', 'a duration such as "1h30m"');
const NOT_TIMESTAMP = unreadable('timestamp', 'a timestamp such as "2026-01-31T00:00:00Z"');
const NOT_IN_RANGE = new CelError('overflow', 'timestamp: outside the years 1 to 9999');

// The texts that Go's strconv.ParseBool reads, which the CEL specification names.
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

/** Charges for a text that is made of a value. */
const writing =
  <Value>(write: (value: Value) => string, steps = MESSAGE) =>
  (budget: Budget, value: Value): unknown =>
    spend(budget, steps) ? write(value) : SPENT;

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
  globalExact('string', [int], string, writing<CelNumber>(String)),
  global('string', [double], string, writing<number>(String)),
  global('string', [timestamp], string, writing(formatTimestamp, 6 * MESSAGE)),
  global('string', [duration], string, writing(formatDuration, 3 * MESSAGE)),
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

const NOT_JSON = new CelError(
  'invalid_argument',
  'json: the text is not JSON, or has a key twice in an object',
);
const NOT_BASE64 = new CelError(
  'invalid_argument',
  'base64.decode: the text is not base64 (RFC 4648) of a UTF-8 text',
);
const TOO_LONG = new CelError('budget_spent', 'a text of more than 65536 characters is not decoded');

const LONGEST = 65_536;
/** As deep as values are compared. */
const DEEPEST = 64;
// Measured: the slowest documents and texts take about 200 ns a character.
const STEPS_A_CHARACTER = 10;

const decoding =
  (decode: (text: string) => unknown) =>
  (budget: Budget, text: string): unknown => {
    if (text.length > LONGEST) return TOO_LONG;
    return spend(budget, STEPS_A_CHARACTER * text.length) ? decode(text) : SPENT;
  };

function json(text: string): unknown {
  if (isNestedDeeper(text, DEEPEST)) return TOO_DEEP;
  const value = tryParseStrictly(text);
  return value === undefined ? NOT_JSON : value;
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const BASE64_URL = /^[A-Za-z0-9_-]*={0,2}$/;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES: ReadonlyMap<string, number> = new Map([
  ...[...ALPHABET].map((char, value) => [char, value] as const),
  ['-', 62],
  ['_', 63],
]);

/** In either alphabet, padded or not. Values that are no text are refused, because this profile has no bytes. */
function base64(text: string): string | CelError {
  const digits = text.replace(/={1,2}$/, '');
  const isPadded = digits.length < text.length;
  if (!BASE64.test(text) && !BASE64_URL.test(text)) return NOT_BASE64;
  if (digits.length % 4 === 1 || (isPadded && text.length % 4 !== 0)) return NOT_BASE64;
  let escaped = '';
  let bits = 0;
  let held = 0;
  for (const char of digits) {
    held = ((held << 6) | (VALUES.get(char) as number)) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    escaped += `%${((held >> bits) & 255).toString(16).padStart(2, '0')}`;
  }
  try {
    return decodeURIComponent(escaped);
  } catch {
    return NOT_BASE64;
  }
}

/** Texts inside of texts: agents pass JSON in strings, and hide addresses in base64. */
export const decodings: readonly Overload[] = [
  global('json', [string], dyn, decoding(json)),
  global('base64.decode', [string], string, decoding(base64)),
];

/** An optional is what it contains, so that `isString(input.?to)` asks about the field; an empty one is nothing. */
const test = (name: string, holds: (value: unknown) => boolean): Overload =>
  global(name, [A], bool, (_: Budget, value: unknown) =>
    value instanceof Optional ? value.present && holds(value.value) : holds(value),
  );

export const typeTests: readonly Overload[] = [
  global('type', [int], type, () => typeValues.get('int')),
  global('type', [double], type, () => typeValues.get('double')),
  global('type', [A], type, (_: Budget, value: unknown) => typeOfValue(value)),
  test('isBool', (value) => typeof value === 'boolean'),
  test('isInt', isInt),
  test('isNumber', isNumber),
  test('isString', (value) => typeof value === 'string'),
  test('isList', Array.isArray),
  test('isMap', isMap),
  test('isNull', (value) => value === null),
  test('isTimestamp', (value) => value instanceof Timestamp),
  test('isDuration', (value) => value instanceof Duration),
];
