import { type Budget, spend } from '../budget.ts';
import { listOfA, member, type Overload } from '../declaration.ts';
import { Duration } from '../duration.ts';
import { CelError, isError, SPENT, TOO_DEEP } from '../error.ts';
import { type CelNumber, isInt, isNumber } from '../number.ts';
import { Opaque } from '../opaque.ts';
import { compareText } from '../ordering.ts';
import { formatTimestamp, Timestamp } from '../timestamp.ts';
import { types } from '../type.ts';
import { isMap, keysOf, lookup } from '../value.ts';
import { fixed, scientific } from './decimals.ts';

type List = readonly unknown[];

const invalid = (message: string): CelError => new CelError('invalid_argument', `format: ${message}`);
const UNKNOWN = invalid('after % stands one of s, d, f, e, b, o, x, X or %');
const TOO_FEW = invalid('there are more places in the text than values');
const NOT_FITTING = invalid('a value does not fit its place');
const TOO_PRECISE = invalid('a precision has at most 20 digits');
const TOO_LONG = new CelError('budget_spent', 'format: a text of more than 65536 characters');

const LONGEST = 65_536;
const DEEPEST = 32;
const MOST_DIGITS = 20;
const DEFAULT_DIGITS = 6;

const PLACE = /%(?:\.(\d{1,4}))?([\s\S]?)/g;

/** The `format` of the strings extension, for the values of this profile. */
function format(budget: Budget, template: string, values: List): string | CelError {
  if (!spend(budget, template.length)) return SPENT;
  let text = '';
  let end = 0;
  let next = 0;
  for (const { 0: whole, 1: precision, 2: verb = '', index } of template.matchAll(PLACE)) {
    text += template.slice(end, index);
    end = index + whole.length;
    let piece: string | CelError = '%';
    if (verb !== '%' || precision !== undefined) {
      if (next >= values.length) return VERBS.has(verb) ? TOO_FEW : UNKNOWN;
      piece = one(budget, verb, values[next], precision);
      next += 1;
    }
    if (isError(piece)) return piece;
    if (!spend(budget, piece.length)) return SPENT;
    text += piece;
    if (text.length > LONGEST) return TOO_LONG;
  }
  return text + template.slice(end);
}

function one(budget: Budget, verb: string, value: unknown, precision: string | undefined): string | CelError {
  const write = VERBS.get(verb);
  if (write === undefined || (precision !== undefined && verb !== 'f' && verb !== 'e')) return UNKNOWN;
  const digits = precision === undefined ? DEFAULT_DIGITS : Number(precision);
  if (digits > MOST_DIGITS) return TOO_PRECISE;
  return write(value, digits, budget) ?? NOT_FITTING;
}

type Write = (value: unknown, digits: number, budget: Budget) => string | CelError | null;

/** An integer in another base, with its sign. */
const based =
  (base: number): Write =>
  (value) =>
    isInt(value) ? value.toString(base) : null;

const hex: Write = (value, digits, budget) => {
  if (typeof value !== 'string') return based(16)(value, digits, budget);
  if (!spend(budget, 10 * value.length)) return SPENT;
  const bytes = encodeURIComponent(value.toWellFormed()).replace(/%(..)|(.)/g, (_, byte, char: string) =>
    byte === undefined ? char.charCodeAt(0).toString(16).padStart(2, '0') : byte,
  );
  return bytes.toLowerCase();
};

const special = (value: CelNumber): string | null =>
  typeof value === 'number' && !Number.isFinite(value) ? String(value) : null;

const VERBS: ReadonlyMap<string, Write> = new Map<string, Write>([
  ['s', (value, _, budget) => plain(value, budget, 0)],
  ['d', (value) => (isInt(value) ? String(value) : isNumber(value) ? special(value) : null)],
  ['b', (value, ...rest) => based(2)(typeof value === 'boolean' ? Number(value) : value, ...rest)],
  ['o', based(8)],
  ['x', hex],
  [
    'X',
    (value, ...rest) => {
      const text = hex(value, ...rest);
      return typeof text === 'string' ? text.toUpperCase() : text;
    },
  ],
  ['f', (value, digits) => (isNumber(value) ? (special(value) ?? fixed(Number(value), digits)) : null)],
  ['e', (value, digits) => (isNumber(value) ? (special(value) ?? scientific(Number(value), digits)) : null)],
]);

/** A value as `%s` writes it: strings without quotes, at every depth. */
function plain(value: unknown, budget: Budget, depth: number): string | CelError | null {
  if (depth > DEEPEST) return TOO_DEEP;
  if (typeof value === 'string') return value;
  if (value === null || typeof value === 'boolean' || isNumber(value)) return String(value);
  if (value instanceof Timestamp) return formatTimestamp(value);
  if (value instanceof Duration) return `${value.seconds + value.nanos / 1e9}s`;
  if (value instanceof Opaque) return String(value);
  if (Array.isArray(value)) return joined('[', value, ']', budget, depth);
  if (!isMap(value)) return null;
  const keys = keysOf(value).map((key) => [String(key), key] as const);
  if (!spend(budget, 10 * keys.length)) return SPENT;
  const sorted = keys.sort(([left], [right]) => compareText(left, right));
  const entries = sorted.map(([name, key]) => ({ name, value: lookup(value, key) }));
  return joined('{', entries, '}', budget, depth);
}

function joined(
  open: string,
  items: List,
  close: string,
  budget: Budget,
  depth: number,
): string | CelError | null {
  if (!spend(budget, items.length)) return SPENT;
  const pieces: string[] = [];
  let length = 0;
  for (const item of items) {
    const entry = open === '{' ? (item as { name: string; value: unknown }) : null;
    const text = plain(entry === null ? item : entry.value, budget, depth + 1);
    if (typeof text !== 'string') return text;
    const piece = entry === null ? text : `${entry.name}: ${text}`;
    length += piece.length;
    if (length > LONGEST) return TOO_LONG;
    if (!spend(budget, piece.length)) return SPENT;
    pieces.push(piece);
  }
  return `${open}${pieces.join(', ')}${close}`;
}

export const formatting: readonly Overload[] = [
  member('format', [types.string, listOfA], types.string, format),
];
