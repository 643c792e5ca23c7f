import { ALLOCATION, type Budget, MESSAGE, spend } from '../budget.ts';
import { compareText } from '../comparison.ts';
import { global, listOfA, member, type Overload } from '../environment.ts';
import { CelError, isError, OUT_OF_RANGE, SPENT, TOO_DEEP } from '../error.ts';
import { type CelNumber, isInt, isNumber } from '../number.ts';
import { charactersBefore, codePointLength, unitsOf } from '../text-units.ts';
import { Duration, formatTimestamp, Timestamp } from '../time.ts';
import { types } from '../type.ts';
import { isMap, keysOf, lookup, Opaque } from '../value.ts';

const { bool, int, string } = types;

type OnText = (budget: Budget, text: string, ...rest: never[]) => unknown;

/** Charges the length of the receiver first: every function here reads its text once. */
const onText = (name: string, params: readonly (typeof string | typeof int)[], run: OnText): Overload =>
  member(name, [string, ...params], string, charged(run));

const charged =
  <Rest extends unknown[]>(run: (budget: Budget, text: string, ...rest: Rest) => unknown) =>
  (budget: Budget, text: string, ...rest: Rest): unknown =>
    spend(budget, text.length + ALLOCATION) ? run(budget, text, ...rest) : SPENT;

const lower = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
const upper = (text: string): string => text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());

// White_Space of Unicode. JavaScript's trim() also takes U+FEFF and leaves U+0085; an expression anchored at the end
// takes time in the square of a run of spaces.
const SPACE = /[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

function trim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && SPACE.test(text.charAt(start))) start += 1;
  while (end > start && SPACE.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

/** As a CEL literal; half a surrogate pair becomes U+FFFD. */
const quote = (text: string): string =>
  `"${Array.from(text.toWellFormed(), (char) => ESCAPES[char] ?? char).join('')}"`;

/** `text[start, end)` in characters. */
function substring(text: string, start: number, end: number): string | CelError {
  const length = codePointLength(text);
  if (start < 0 || end < start || end > length) return OUT_OF_RANGE;
  return text.slice(unitsOf(text, start), unitsOf(text, end));
}

function indexOf(budget: Budget, text: string, part: string, from = 0): number | CelError {
  if (from < 0 || from > codePointLength(text)) return OUT_OF_RANGE;
  if (!spend(budget, part.length)) return SPENT;
  const found = text.indexOf(part, unitsOf(text, from));
  return found < 0 ? -1 : charactersBefore(text, found);
}

function lastIndexOf(budget: Budget, text: string, part: string, from?: number): number | CelError {
  if (from !== undefined && (from < 0 || from > codePointLength(text))) return OUT_OF_RANGE;
  // JavaScript searches backwards naively: a crafted pair of strings costs the product of their lengths.
  if (!spend(budget, text.length * Math.min(part.length, 64))) return SPENT;
  const found = text.lastIndexOf(part, from === undefined ? text.length : unitsOf(text, from));
  return found < 0 ? -1 : charactersBefore(text, found);
}

function replace(budget: Budget, text: string, from: string, to: string, limit = -1): string | CelError {
  // An empty string is found before every character and at the end, as in Go's strings.Replace.
  const pieces = from === '' ? ['', ...text, ''] : text.split(from);
  const cut = limit < 0 ? pieces : atMost(pieces, limit + 1, from);
  return spend(budget, text.length + cut.length * (to.length + 4)) ? cut.join(to) : SPENT;
}

/** The first pieces, and the rest joined into the last one. */
const atMost = (pieces: readonly string[], count: number, by: string): readonly string[] =>
  pieces.length <= count ? pieces : [...pieces.slice(0, count - 1), pieces.slice(count - 1).join(by)];

function split(budget: Budget, text: string, by: string, limit = -1): readonly string[] | CelError {
  if (limit === 0) return [];
  const pieces = by === '' ? [...text] : text.split(by);
  if (!spend(budget, pieces.length * 4 + ALLOCATION)) return SPENT;
  return limit < 0 ? pieces : atMost(pieces, limit, by);
}

function join(budget: Budget, list: readonly unknown[], by = ''): string | CelError {
  let length = 0;
  for (const piece of list) {
    if (typeof piece !== 'string') return NOT_TEXTS;
    length += piece.length + by.length;
  }
  return spend(budget, length + list.length + ALLOCATION) ? list.join(by) : SPENT;
}

const NOT_TEXTS = new CelError('invalid_argument', 'join: every element must be a string');

export const strings: readonly Overload[] = [
  member('contains', [string, string], bool, (budget: Budget, text: string, part: string) =>
    spend(budget, 1 + ((text.length + part.length) >> 2)) ? text.includes(part) : SPENT,
  ),
  member('startsWith', [string, string], bool, (budget: Budget, text: string, part: string) =>
    spend(budget, part.length) ? text.startsWith(part) : SPENT,
  ),
  member('endsWith', [string, string], bool, (budget: Budget, text: string, part: string) =>
    spend(budget, part.length) ? text.endsWith(part) : SPENT,
  ),
  onText('charAt', [int], (_: Budget, text: string, at: number) =>
    at === codePointLength(text) ? '' : substring(text, at, at + 1),
  ),
  member('indexOf', [string, string], int, charged(indexOf)),
  member('indexOf', [string, string, int], int, charged(indexOf)),
  member('lastIndexOf', [string, string], int, charged(lastIndexOf)),
  member('lastIndexOf', [string, string, int], int, charged(lastIndexOf)),
  onText('lowerAscii', [], (budget: Budget, text: string) =>
    spend(budget, ALLOCATION) ? lower(text) : SPENT,
  ),
  onText('upperAscii', [], (budget: Budget, text: string) =>
    spend(budget, ALLOCATION) ? upper(text) : SPENT,
  ),
  onText('trim', [], (_: Budget, text: string) => trim(text)),
  onText('reverse', [], (_: Budget, text: string) => [...text].reverse().join('')),
  onText('substring', [int], (_: Budget, text: string, start: number) =>
    substring(text, start, codePointLength(text)),
  ),
  onText('substring', [int, int], (_: Budget, text: string, start: number, end: number) =>
    substring(text, start, end),
  ),
  onText('replace', [string, string], replace),
  onText('replace', [string, string, int], replace),
  member('split', [string, string], types.list(string), charged(split)),
  member('split', [string, string, int], types.list(string), charged(split)),
  member('join', [types.list(string)], string, join),
  member('join', [types.list(string), string], string, join),
  global('strings.quote', [string], string, (budget: Budget, text: string) =>
    spend(budget, text.length * 2 + 4 * MESSAGE) ? quote(text) : SPENT,
  ),
];

/**
 * A number with `digits` digits after the point. A tie goes to the even digit, as in Go and C; toFixed() rounds it away
 * from zero.
 */
function fixed(value: number, digits: number): string {
  const sign = value < 0 ? '-' : '';
  const size = Math.abs(value);
  // From 10^21 on, toFixed() writes an exponent; such numbers have no fraction.
  if (size >= 1e21) return sign + BigInt(size) + (digits === 0 ? '' : `.${'0'.repeat(digits)}`);
  const rounded = size.toFixed(digits);
  // The exact digits of a double: a tie is a 5 with nothing after it.
  const exact = size.toFixed(100);
  const cut = exact.indexOf('.') + digits + (digits === 0 ? 0 : 1);
  const kept = exact.slice(0, cut);
  const isTie = /^\.?50*$/.test(exact.slice(cut));
  return sign + (isTie && /[02468]$/.test(kept) ? kept : rounded);
}

/** With an exponent of at least two digits, as in Go and C. */
const scientific = (value: number, digits: number): string =>
  value.toExponential(digits).replace(/e([+-])(\d)$/, 'e$10$2');

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
  if (!spend(budget, template.length + MESSAGE)) return SPENT;
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
    if (!spend(budget, piece.length + MESSAGE)) return SPENT;
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
  if (!spend(budget, MESSAGE)) return SPENT;
  if (value instanceof Timestamp) return spend(budget, 6 * MESSAGE) ? formatTimestamp(value) : SPENT;
  if (value instanceof Duration) return `${value.seconds + value.nanos / 1e9}s`;
  if (value instanceof Opaque) return spend(budget, 20 * MESSAGE) ? String(value) : SPENT;
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
