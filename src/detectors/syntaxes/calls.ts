import { secretWord, skipBlanks, wordEnd } from '../commands/command-flags.ts';
import type { Label } from '../labels/classifier.ts';
import { isCapital, isVariable } from '../labels/labels.ts';
import { mayBePlainPassword } from '../labels/plain-words.ts';
import { secretValue } from '../labels/secret-value.ts';
import type { Pass } from '../pass.ts';
import { ALNUM, byteAt, is, isAt, LOWER, SPACE, UNDERSCORE } from '../text/bytes.ts';
import * as Char from '../text/chars.ts';
import { isQuote, literal, skipSpace } from './markup.ts';

/** Names of functions that take something else than the secret: they read or check it. */
const READS =
  /(?:^|[._-])(?:get|is|has|check|validate|find|read|fetch|load|verify|compare|match|expect|assert|parse|decode|ask|prompt|reset|forgot|no|by|test|require)_?[A-Z_]/i;

/** Names of functions that take the secret, and of those that take a name and a value. */
const WRITES = /(?:^|[._-])(?:set|with|use|change|update|store|save|put)_?[A-Z_]/i;
const PUTS = (
  'put set setproperty setenv setheader addheader setitem set_item store save add append header field param addparam setparam queryparam ' +
  'setfield fill type'
).split(' ');
const MAX_FUNCTION = 12;

/** The literal in the call of a function that the label from `from` to `to` names: `set_password("v")`, `PASSWORD('v')`. */
export function callArgument(pass: Pass, label: Label, from: number, to: number): number {
  const name = pass.slice(from, to);
  if (READS.test(name)) return 0;
  if (isCapital(pass.text.bytes, from, to)) return constant(pass, label, to + 1);
  const isSetter = WRITES.test(name) || pass.text.bytes[from - 1] === Char.FULL_STOP || name.includes('_');
  return literal(pass, label, to + 1) || (isSetter ? givenWord(pass, label, to + 1) : 0);
}

/** What names the argument of parsers of command lines: `add_argument("--password", default="v")`. */
const DEFAULT = 'default=';

/** The literal after the quoted name of a secret: `("DB_PASSWORD", "v")`; the name of a variable takes any text. */
export function secondArgument(pass: Pass, label: Label, from: number, to: number): number {
  const b = pass.text.bytes;
  if (b[from - 1] === Char.BACKTICK || b[to + 1] !== Char.COMMA) return 0;
  let at = skipSpace(b, to + 2);
  if (isAt(b, at, DEFAULT)) at += DEFAULT.length;
  if (isListed(b, from - 2) && b[wordEnd(b, at)] !== Char.RIGHT_PARENTHESIS) return 0;
  const isConstant = isVariable(b, from, to) || isAt(b, from - 9, 'values (') || isAt(b, from - 8, 'values(');
  if (isConstant) return constant(pass, label, at);
  return literal(pass, label, at) || (isPut(b, from - 2) ? givenWord(pass, label, at) : 0);
}

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
  while (i - to < 4 && (isQuote(byteAt(b, i)) || b[i] === Char.RIGHT_BRACKET)) i++;
  if (i === to) return 0;
  if (b[i] === Char.COMMA) {
    const isField =
      b[from - 1] === Char.HASH_SIGN ||
      b[isQuote(byteAt(b, from - 1)) ? from - 2 : from - 1] === Char.EQUALS_SIGN;
    return isField ? constant(pass, label, i + 1) : 0;
  }
  let end = i;
  while (end - i < 2 && b[end] === Char.RIGHT_PARENTHESIS) end++;
  const method = end === i ? undefined : TYPES.find((name) => isAt(b, end, name));
  return method === undefined ? 0 : constant(pass, label, end + method.length);
}

/** Whether a literal stands before the quote of the label, and a comma between: "md5", "password", "scram". */
function isListed(b: Uint8Array, at: number): boolean {
  let i = at;
  while (is(b, i, SPACE)) i--;
  if (b[i] !== Char.COMMA) return false;
  i--;
  while (is(b, i, SPACE)) i--;
  return isQuote(byteAt(b, i));
}

/** Whether the parenthesis at `at` opens the arguments of a function that takes a name and a value: `.put("password", "v")`. */
function isPut(b: Uint8Array, at: number): boolean {
  if (b[at] !== Char.LEFT_PARENTHESIS) return false;
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
  while (is(b, to, LOWER) || b[to] === Char.HYPHEN) to++;
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

/** Functions that take a user and a password as literals, and how many arguments stand before the password. */
const CALLS: readonly (readonly [name: string, before: number])[] = [
  ['login(', 1],
  ['auth(', 1],
  ['getconnection(', 2],
  ['new pdo(', 2],
  ['wifi.begin(', 1],
  ['mysqli(', 2],
  ['mysql.connect(', 2],
  ['mysqli_connect(', 2],
  ['dbi->connect(', 2],
  ['jwt.sign(', 1],
  ['jwt.encode(', 1],
  ['jwt.verify(', 1],
  ['jwt.decode(', 1],
  ['hmac(', 1],
  ['ftp(', 2],
];
const WRAPPED = 'some(';
/** 1 for the bytes that begin the name of one, in any case. */
const OPENS = new Uint8Array(256);
for (const [name] of CALLS)
  for (const c of [name.charAt(0), name.charAt(0).toUpperCase()]) OPENS[c.charCodeAt(0)] = 1;

/** The password among the literals of `login("bob", "v")`, `new PDO(url, 'bob', 'v')`, whose name is at `word`; the name's end, or 0. */
export function loginCall(pass: Pass, word: number): number {
  const b = pass.text.bytes;
  if (byteAt(OPENS, byteAt(b, word)) === 0) return 0;
  const call = CALLS.find(([name]) => isAt(b, word, name));
  if (call === undefined) return 0;
  let at = skipBlanks(b, word + call[0].length);
  for (let argument = 0; argument < call[1]; argument++) {
    at = argumentEnd(b, at);
    if (b[at] !== Char.COMMA) return 0;
    at = skipBlanks(b, at + 1);
  }
  if (isAt(b, at, WRAPPED)) at += WRAPPED.length;
  // the user before the password is read as well
  return isQuote(byteAt(b, at)) && secretWord(pass, at, null) !== 0 ? word + call[0].length : 0;
}

const MAX_ARGUMENT = 160;

/** Where an argument that is a literal or a name ends; the position itself for anything else. */
function argumentEnd(b: Uint8Array, at: number): number {
  if (b[at] === Char.LEFT_BRACE) return objectEnd(b, at);
  if (b[at] === Char.DOUBLE_QUOTE || b[at] === Char.SINGLE_QUOTE) return wordEnd(b, at);
  let i = at;
  while (i - at < MAX_ARGUMENT && byteAt(b, i) >= 46 && b[i] !== Char.LEFT_PARENTHESIS) i++;
  return i;
}

/** Where the object ends that begins at `at`, in one line; the position itself when it does not. */
function objectEnd(b: Uint8Array, at: number): number {
  for (let i = at; i - at < MAX_ARGUMENT && b[i] !== Char.LINE_FEED && b[i] !== 0; i++)
    if (b[i] === Char.RIGHT_BRACE) return i + 1;
  return at;
}
