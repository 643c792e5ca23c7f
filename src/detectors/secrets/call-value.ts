import type { Pass } from '../pass.ts';
import {
  BACKTICK,
  BLANK,
  COMMA,
  EQUALS_SIGN,
  FULL_STOP,
  HASH_SIGN,
  HYPHEN,
  LEFT_PARENTHESIS,
  RIGHT_BRACKET,
  RIGHT_PARENTHESIS,
} from '../text/ascii.ts';
import { ALNUM, LOWER, SPACE, UNDERSCORE } from '../text/bytes.ts';
import { byteAt, is, isAt } from '../text/read.ts';
import type { Label } from './classifier.ts';
import { wordEnd } from './command-words.ts';
import { isCapital, isVariable } from './label-case.ts';
import { isQuote, literal, skipSpace } from './markup-value.ts';
import { mayBePlainPassword } from './plain-words.ts';
import { secretValue } from './secret-value.ts';

/** Names of functions that take something else than the secret: they read or check it. */
const READS =
  /(?:^|[._-])(?:get|is|has|check|validate|find|read|fetch|load|verify|compare|match|expect|assert|parse|decode|ask|prompt|reset|forgot|no|by|test|require)_?[A-Z_]/i;

/** Names of functions that take the secret, and of those that take a name and a value. */
const WRITES = /(?:^|[._-])(?:set|with|use|change|update|store|save|put)_?[A-Z_]/i;
const PUTS = [
  'put',
  'set',
  'setproperty',
  'setenv',
  'setheader',
  'addheader',
  'setitem',
  'set_item',
  'store',
  'save',
  'add',
  'append',
  'header',
  'field',
  'param',
  'addparam',
  'setparam',
  'queryparam',
  'setfield',
  'fill',
  'type',
];
const MAX_FUNCTION = 12;

/** The literal in the call of a function that the label from `from` to `to` names: `set_password("v")`, `PASSWORD('v')`. */
export function callArgument(pass: Pass, label: Label, from: number, to: number): number {
  const name = pass.slice(from, to);
  if (READS.test(name)) return 0;
  if (isCapital(pass.text.bytes, from, to)) return constant(pass, label, to + 1);
  const isSetter = WRITES.test(name) || pass.text.bytes[from - 1] === FULL_STOP || name.includes('_');
  return literal(pass, label, to + 1) || (isSetter ? givenWord(pass, label, to + 1) : 0);
}

/** What names the argument of parsers of command lines: `add_argument("--password", default="v")`. */
const DEFAULT = 'default=';

/** The literal after the quoted name of a secret: `("DB_PASSWORD", "v")`; the name of a variable takes any text. */
export function secondArgument(pass: Pass, label: Label, from: number, to: number): number {
  const b = pass.text.bytes;
  if (b[from - 1] === BACKTICK || b[to + 1] !== COMMA) return 0;
  let at = skipSpace(b, to + 2);
  if (isAt(b, at, DEFAULT)) at += DEFAULT.length;
  if (isListed(b, from - 2) && b[wordEnd(b, at)] !== RIGHT_PARENTHESIS) return 0;
  const isConstant = isVariable(b, from, to) || isAt(b, from - 9, 'values (') || isAt(b, from - 8, 'values(');
  if (isConstant) return constant(pass, label, at);
  return literal(pass, label, at) || (isPut(b, from - 2) ? givenWord(pass, label, at) : 0);
}

/** The names of arguments of Swift that give the name behind the value. */
const KEYED = [', forhttpheaderfield: "', ', forkey: "'];

/** The literal before the name in `setValue("v", forHTTPHeaderField: "X-API-Key")`. Returns `from`, or 0. */
export function keyedArgument(pass: Pass, label: Label, from: number): number {
  const b = pass.text.bytes;
  const name = KEYED.find((text) => isAt(b, from - text.length, text));
  if (name === undefined) return 0;
  const end = from - name.length - 1;
  let at = end - 1;
  while (end - at < MAX_LITERAL && b[at] !== b[end] && byteAt(b, at) >= BLANK) at--;
  return isQuote(byteAt(b, end)) && b[at] === b[end] && secretValue(pass, label, at, 'literal') !== 0
    ? from
    : 0;
}

const MAX_LITERAL = 160;

/** Methods that type a text into the field of a form that a selector finds. */
const TYPES = ['.fill(', '.type(', '.send_keys(', '.sendkeys(', '.presssequentially(', '.setvalue('];

/**
 * What a test types into the field of a form whose selector is or ends with the label: `fill('#password', 'v')`,
 * `getByLabel('Password').fill('v')`, `get('input[name=password]').type('v')`; the label's quote or bracket is at `to`.
 * Returns where it ends, or 0.
 */
export function typedText(pass: Pass, label: Label, from: number, to: number): number {
  const b = pass.text.bytes;
  let i = to;
  while (i - to < 4 && (isQuote(byteAt(b, i)) || b[i] === RIGHT_BRACKET)) i++;
  if (i === to) return 0;
  if (b[i] === COMMA) {
    const isField =
      b[from - 1] === HASH_SIGN || b[isQuote(byteAt(b, from - 1)) ? from - 2 : from - 1] === EQUALS_SIGN;
    return isField ? constant(pass, label, i + 1) : 0;
  }
  let end = i;
  while (end - i < 2 && b[end] === RIGHT_PARENTHESIS) end++;
  const method = end === i ? undefined : TYPES.find((name) => isAt(b, end, name));
  return method === undefined ? 0 : constant(pass, label, end + method.length);
}

/** Whether a literal stands before the quote of the label, and a comma between: "md5", "password", "scram". */
function isListed(b: Uint8Array, at: number): boolean {
  let i = at;
  while (is(b, i, SPACE)) i--;
  if (b[i] !== COMMA) return false;
  i--;
  while (is(b, i, SPACE)) i--;
  return isQuote(byteAt(b, i));
}

/** Whether the parenthesis at `at` opens the arguments of a function that takes a name and a value: `.put("password", "v")`. */
function isPut(b: Uint8Array, at: number): boolean {
  if (b[at] !== LEFT_PARENTHESIS) return false;
  let start = at;
  while (at - start <= MAX_FUNCTION && is(b, start - 1, ALNUM | UNDERSCORE)) start--;
  return PUTS.some((name) => at - start === name.length && isAt(b, start, name));
}

/** A literal that is a plain word: the name of the function says that it is the value. */
export function givenWord(pass: Pass, label: Label, at: number): number {
  const b = pass.text.bytes;
  const from = skipSpace(b, at) + 1;
  if (!isQuote(byteAt(b, from - 1))) return 0;
  let to = from;
  while (is(b, to, LOWER) || b[to] === HYPHEN) to++;
  return b[to] === b[from - 1] && mayBePlainPassword(pass.slice(from, to))
    ? secretValue(pass, label, from - 1, 'literal')
    : 0;
}

/** A literal that is no expression: any text counts. */
function constant(pass: Pass, label: Label, at: number): number {
  const i = skipSpace(pass.text.bytes, at);
  return isQuote(byteAt(pass.text.bytes, i)) ? secretValue(pass, label, i, 'literal') : 0;
}

const COPIES = ['define(', 'strcpy(', 'strncpy(', 'strlcpy('];

/** `define(name, "v")`, `strcpy(name, "v")` */
export function defined(pass: Pass, label: Label, from: number, at: number): number {
  return COPIES.some((name) => isAt(pass.text.bytes, from - name.length, name))
    ? constant(pass, label, at + 1)
    : 0;
}
