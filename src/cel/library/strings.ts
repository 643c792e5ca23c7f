import { type Budget, spend } from '../budget.ts';
import { global, member, type Overload } from '../declaration.ts';
import { CelError, OUT_OF_RANGE, SPENT } from '../error.ts';
import { charactersBefore, codePointLength, unitsOf } from '../text-units.ts';
import { types } from '../type.ts';

const { bool, int, string } = types;

type OnText = (budget: Budget, text: string, ...rest: never[]) => unknown;

/** Charges the length of the receiver first: every function here reads its text once. */
const onText = (name: string, params: readonly (typeof string | typeof int)[], run: OnText): Overload =>
  member(name, [string, ...params], string, charged(run));

const charged =
  <Rest extends unknown[]>(run: (budget: Budget, text: string, ...rest: Rest) => unknown) =>
  (budget: Budget, text: string, ...rest: Rest): unknown =>
    spend(budget, text.length) ? run(budget, text, ...rest) : SPENT;

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
  return spend(budget, text.length + cut.length * (to.length + 1)) ? cut.join(to) : SPENT;
}

/** The first pieces, and the rest joined into the last one. */
const atMost = (pieces: readonly string[], count: number, by: string): readonly string[] =>
  pieces.length <= count ? pieces : [...pieces.slice(0, count - 1), pieces.slice(count - 1).join(by)];

function split(budget: Budget, text: string, by: string, limit = -1): readonly string[] | CelError {
  if (limit === 0) return [];
  const pieces = by === '' ? [...text] : text.split(by);
  if (!spend(budget, pieces.length * 4)) return SPENT;
  return limit < 0 ? pieces : atMost(pieces, limit, by);
}

function join(budget: Budget, list: readonly unknown[], by = ''): string | CelError {
  let length = 0;
  for (const piece of list) {
    if (typeof piece !== 'string') return NOT_TEXTS;
    length += piece.length + by.length;
  }
  return spend(budget, length + list.length) ? list.join(by) : SPENT;
}

const NOT_TEXTS = new CelError('invalid_argument', 'join: every element must be a string');

export const strings: readonly Overload[] = [
  member('contains', [string, string], bool, (budget: Budget, text: string, part: string) =>
    spend(budget, text.length + part.length) ? text.includes(part) : SPENT,
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
  onText('lowerAscii', [], (_: Budget, text: string) => lower(text)),
  onText('upperAscii', [], (_: Budget, text: string) => upper(text)),
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
    spend(budget, text.length * 2) ? quote(text) : SPENT,
  ),
];
