import { followsAccount } from '../commands/account-files.ts';
import { answer } from '../commands/login-commands.ts';
import { tagId } from '../kinds/taxonomy.ts';
import type { Label } from '../labels/classifier.ts';
import { schemeLength } from '../labels/labels.ts';
import { type Certainty, secretValue } from '../labels/secret-value.ts';
import { isStrong } from '../labels/value-gates.ts';
import type { Pass } from '../pass.ts';
import {
  ALNUM,
  ALPHA,
  byteAt,
  classAt,
  classOf,
  DIGIT,
  endOf,
  is,
  isAt,
  LOWER,
  LOWERED,
  UNDERSCORE,
} from '../text/bytes.ts';
import * as Char from '../text/chars.ts';
import { givenWord } from './calls.ts';
import { afterTag, isQuote, MAX_TAG, skipSpace } from './markup.ts';

/** Functions and types that take the secret itself, and words between a label and its value. */
const OPENING_WORD = new Set(
  (
    'from of some just string str secret secretstr bytes b new make hash hashsync bcrypt encode encrypt digest sha1 sha256 sha512 md5 ' +
    'make_password hash_password password_hash generate_password_hash hashpassword hashpw unsafeplaintext plaintext quote trim value valueof'
  ).split(' '),
);

/** Functions whose second argument stands in when the variable that the first one names is not set. */
const WITH_DEFAULT = new Set(
  'getenv get getordefault getproperty env fetch config get_env getstring string'.split(' '),
);

/** Encodings are arguments, not secrets: `password.encode('utf-8')`. */
const ENCODING =
  /^(?:utf-?(?:7|8|16|32)(?:-?[bl]e|-sig)?|(?:us-)?ascii|latin-?1|iso-?8859-\d{1,2}|cp\d{3,4}|windows-\d{4}|hex|base64(?:url)?|binary)$/i;

/** The literal that stands in when a reference has no value (`env.X || "v"`), or that a call wraps: `String::from("v")`. */
function fallback(pass: Pass, label: Label, at: number): number {
  if (at < pass.fallbackEnd) return 0;
  pass.fallbackEnd = at + MAX_TAG;
  const b = pass.text.bytes;
  let word = '';
  let i = at;
  for (; i - at < MAX_TAG; i++) {
    const c = byteAt(b, i);
    if (c < Char.BLANK || c === Char.SEMICOLON || c === Char.COMMA) return 0;
    if (c === Char.LEFT_PARENTHESIS && isQuote(byteAt(b, i + 1))) {
      if (OPENING_WORD.has(word) && !isEncoding(pass, i + 1))
        return secretValue(pass, label, i + 1, 'code') || givenWord(pass, label, i + 1);
      if (WITH_DEFAULT.has(word)) {
        const second = secondLiteral(b, i + 1);
        return second === 0 ? 0 : secretValue(pass, label, second, 'code') || givenWord(pass, label, second);
      }
    }
    if (isQuote(c) && b[i - 1] === Char.BLANK) {
      const isOr =
        (b[i - 2] === Char.VERTICAL_BAR && b[i - 3] === Char.VERTICAL_BAR) ||
        (b[i - 2] === Char.QUESTION_MARK && b[i - 3] === Char.QUESTION_MARK) ||
        (b[i - 2] === Char.LOWER_R && b[i - 3] === Char.LOWER_O && b[i - 4] === Char.BLANK);
      if (isOr) return secretValue(pass, label, i, 'code') || givenWord(pass, label, i);
    }
    word = classOf(c) & (ALNUM | UNDERSCORE) ? word + String.fromCharCode(byteAt(LOWERED, c)) : '';
  }
  return 0;
}

/** Whether the literal at `at` is the name of an encoding. */
function isEncoding(pass: Pass, at: number): boolean {
  const to = literalEnd(pass.text.bytes, at);
  return to !== 0 && ENCODING.test(pass.slice(at + 1, to));
}

/** Where the closing quote of the short literal at `at` is; 0 for none. */
function literalEnd(b: Uint8Array, at: number): number {
  let to = at + 1;
  while (to - at < MAX_NAME && byteAt(b, to) >= Char.BLANK && b[to] !== b[at]) to++;
  return b[to] === b[at] ? to : 0;
}

/** Where the literal begins behind the literal at `at` and a comma; 0 for none. */
function secondLiteral(b: Uint8Array, at: number): number {
  const end = literalEnd(b, at);
  if (end === 0 || b[end + 1] !== Char.COMMA) return 0;
  const second = end + (b[end + 2] === Char.BLANK ? 3 : 2);
  return isQuote(byteAt(b, second)) ? second : 0;
}

/** Characters of a line before a label that are read. */
const REACH = 100;

/** Whether a quote before this byte rather ends a text than begins one: read -p "Password: " PW. */
function closesPrompt(next: number): boolean {
  return (
    next <= Char.BLANK || next === Char.RIGHT_PARENTHESIS || next === Char.COMMA || next === Char.SEMICOLON
  );
}

/** Whether a quote of this kind is open in the line before `from`, so that the next one closes it. */
function closesLiteral(b: Uint8Array, from: number, quote: number): boolean {
  let start = from;
  while (from - start < REACH && b[start - 1] !== Char.LINE_FEED && byteAt(b, start - 1) !== 0) start--;
  let open = 0;
  for (let i = start; i < from; i++) {
    const c = byteAt(b, i);
    if (open === 0 ? isQuote(c) && !isApostrophe(b, i) : c === open) open = open === 0 ? c : 0;
  }
  return open === quote;
}

/** Whether the quote stands inside a word: don't. */
function isApostrophe(b: Uint8Array, at: number): boolean {
  return is(b, at - 1, ALNUM) && is(b, at + 1, ALNUM);
}

/** Whether the label, whose opening quote is at `quote`, is a branch of a conditional: a ? "password" : "text". */
function isBranch(b: Uint8Array, quote: number): boolean {
  let i = quote - 1;
  while (b[i] === Char.BLANK) i--;
  return b[i] === Char.QUESTION_MARK;
}

/** How far a value may stand behind its label: types, tags and alignment stand between them. */
const MAX_TYPE = 48;
/** How far before a label the head of its section may stand. */
const MAX_SECTION = 240;

export const MAX_GAP = 32;

/** What stands behind an operator that ends at `at`. */
export function assigned(
  pass: Pass,
  label: Label,
  from: number,
  gap: number,
  operator: number,
  at: number,
): number {
  const b = pass.text.bytes;
  let i = at;
  while (b[i] === Char.ASTERISK && i - at < 3) i++; // **Password:** …
  if (b[i] !== Char.BLANK && i > at) i = at;
  while ((b[i] === Char.BLANK || b[i] === Char.TAB) && i - at < MAX_GAP) i++;
  const isColon = b[at - 1] === Char.COLON_SIGN;
  const shown = isColon ? emphasized(b, i) : 0;
  if (shown !== 0) return secretValue(pass, label, shown, 'setting');
  if (isColon && isVerdict(pass, from, gap, i)) return 0;
  if (isColon && isVariable(b, from, gap, i)) return 0;
  if (isColon) {
    // the end of a literal such as "password:", the branch of a conditional: a ? "password" : "text"
    const opening = byteAt(b, from - 1);
    if (
      (i === at || closesPrompt(byteAt(b, i + 1))) &&
      isQuote(byteAt(b, i)) &&
      !isQuote(byteAt(b, gap - 1)) &&
      (opening === b[i] || closesLiteral(b, from, byteAt(b, i)))
    )
      return opening === Char.DOUBLE_QUOTE ? answer(pass, i + 1) : 0;
    if (isQuote(byteAt(b, from - 1)) && isBranch(b, from - 1)) return 0;
    if (b[i] === Char.EXCLAMATION_MARK && classAt(b, i + 1) & ALPHA) return 0; // !vault, !Ref
    const value = typeEnd(b, i) || blockValue(b, i) || heldValue(b, i);
    if (value !== 0) return secretValue(pass, label, value, 'literal');
  }
  if (isColon && b[i] === Char.LINE_FEED) return 0;
  if (b[i] === Char.LEFT_BRACKET && schemeLength(b, i + 1) > 0) i++; // authorization=[Bearer …]
  const second = pairSecret(pass, from, gap, i);
  if (second !== 0) return second;
  const tight = gap === operator && i === at && !isColon;
  const isLiteral = isQuote(byteAt(b, i)) || isQuote(byteAt(b, i + 1));
  const sure = isLiteral ? 'literal' : certainty(pass, from, tight, isColon);
  return secretValue(pass, label, i, sure) || fallback(pass, label, i);
}

/** Whether a variable is read: -v $PWD:/app, and PASSWORD :'app_password' in psql, whose name is written as a literal. */
function isVariable(b: Uint8Array, from: number, gap: number, at: number): boolean {
  if (b[from - 1] === Char.DOLLAR) return true;
  if (b[gap] !== Char.BLANK || b[at - 1] !== Char.COLON_SIGN || b[at] !== Char.SINGLE_QUOTE) return false;
  const i = endOf(b, at + 1, LOWER | UNDERSCORE);
  return b[i] === Char.SINGLE_QUOTE;
}

/**
 * Whether the label is the verdict of a test in a line of its own: `PASS: gdb.base/a.exp: up`, `PASS: align`. A strong value
 * is none, nor any below the line that names the user.
 */
function isVerdict({ text: { bytes: b } }: Pass, from: number, to: number, at: number): boolean {
  if (
    to - from !== 4 ||
    b[from] !== Char.UPPER_P ||
    b[from + 1] !== Char.UPPER_A ||
    !(b[from - 1] === Char.LINE_FEED || b[from - 1] === 0)
  )
    return false;
  let end = at;
  while (byteAt(b, end) > Char.BLANK && b[end] !== Char.SLASH) end++;
  return b[end] === Char.SLASH || b[end] === Char.BLANK || !(isStrong(b, at) || followsAccount(b, from - 1));
}

const PASSWORD: Label = { tag: tagId('PASSWORD'), kind: 'password' };
const MAX_NAME = 64;

/** The second of two literals under `auth`: `auth=('bob', 'secret')`. Returns where it ends, or 0. */
function pairSecret(pass: Pass, from: number, to: number, at: number): number {
  const b = pass.text.bytes;
  if (b[at] !== Char.LEFT_PARENTHESIS && b[at] !== Char.LEFT_BRACKET) return 0;
  const size = isQuote(byteAt(b, to - 1)) ? to - 1 - from : to - from;
  if (size !== AUTH.length || !isAt(b, from, AUTH) || !isQuote(byteAt(b, at + 1))) return 0;
  let i = at + 2;
  while (i - at < MAX_NAME && byteAt(b, i) >= Char.BLANK && b[i] !== b[at + 1]) i++;
  if (b[i] !== b[at + 1] || b[i + 1] !== Char.COMMA) return 0;
  i += b[i + 2] === Char.BLANK ? 3 : 2;
  return isQuote(byteAt(b, i)) && pass.isOn(PASSWORD.tag) ? secretValue(pass, PASSWORD, i, 'literal') : 0;
}

const AUTH = 'auth';

/** How much of the value's form its surroundings vouch for. */
function certainty(pass: Pass, from: number, tight: boolean, isColon: boolean): Certainty {
  if (tight) return 'setting';
  if (isColon && pass.text.bytes[from - 1] === Char.SLASH) return 'flag'; // /password:…
  if (isColon && isHeader(pass.text.bytes, from)) return 'setting';
  return isColon || startsLine(pass, from) ? 'line' : 'code';
}

/** Whether the label is the name of a header in a literal: `-H "X-Db-Password: …"`. */
function isHeader(b: Uint8Array, from: number): boolean {
  return isQuote(byteAt(b, from - 1)) && b[from + 1] === Char.HYPHEN && isAt(b, from, 'x-');
}

/** Whether only indentation, a list mark or words of prose stand before the label in its line. */
function startsLine({ text: { bytes: b, start } }: Pass, from: number): boolean {
  for (let i = from - 1; i >= start && from - i < 60; i--) {
    const c = byteAt(b, i);
    if (c === Char.LINE_FEED) return isSection(b, i);
    if (c !== Char.BLANK) return false;
  }
  return from === start;
}

/** Whether the line before the line break at `at`, or one before that, is the head of a section of an INI file: [client]. */
function isSection(b: Uint8Array, at: number): boolean {
  let end = at;
  for (let i = at; at - i < MAX_SECTION && b[i] !== 0; i--) {
    if (b[i - 1] !== Char.LINE_FEED && b[i - 1] !== 0) continue;
    if (b[i] === Char.LEFT_BRACKET && b[i + 1] !== Char.LEFT_BRACKET && b[end - 1] === Char.RIGHT_BRACKET)
      return true;
    end = i - 1;
  }
  return false;
}

/** Where the value begins behind a type and an equals sign: `: &str = "…"`, `: Optional[str] = "…"`; 0 for none. */
function typeEnd(b: Uint8Array, from: number): number {
  let i = from;
  if (b[i] === Char.EXCLAMATION_MARK && b[i + 1] === Char.EXCLAMATION_MARK) {
    while (byteAt(b, i) > Char.BLANK) i++;
    return b[i] === Char.BLANK ? i + 1 : 0;
  }
  if (!isTypeByte(byteAt(b, i))) return 0;
  while (i - from < MAX_TYPE && isTypeByte(byteAt(b, i))) i++;
  if (i === from || b[i] !== Char.EQUALS_SIGN || b[i - 1] !== Char.BLANK || b[i + 1] !== Char.BLANK) return 0;
  return i + 2;
}

function isTypeByte(c: number): boolean {
  // & ' * , . < > ? [ ] and |
  return (classOf(c) & (ALNUM | UNDERSCORE)) !== 0 || TYPE_SIGNS.includes(c);
}

const TYPE_SIGNS: readonly number[] = [..." &'*,.<>?[]|:"].map((c) => c.charCodeAt(0));

/** Where the first line of a YAML block (`|`, `>-`) begins; 0 for none. */
function blockValue(b: Uint8Array, at: number): number {
  if (b[at] !== Char.VERTICAL_BAR && b[at] !== Char.GREATER_THAN) return 0;
  let i = at + 1;
  while (b[i] === Char.HYPHEN || classAt(b, i) & DIGIT) i++;
  return b[i] === Char.LINE_FEED || b[i] === Char.CARRIAGE_RETURN ? skipSpace(b, i) : 0;
}

/** Where the text behind a closing tag of emphasis at `at` begins: <b>Password:</b> …; 0 for none. */
function emphasized(b: Uint8Array, at: number): number {
  if (b[at] !== Char.LESS_THAN || b[at + 1] !== Char.SLASH) return 0;
  const text = afterTag(b, at);
  return text > at ? text : 0;
}

/** Where the only value begins that an object at `at` holds: `"adminPassword": {"value": "v"}`; 0 for none. */
function heldValue(b: Uint8Array, at: number): number {
  if (b[at] !== Char.LEFT_BRACE) return 0;
  let i = skipSpace(b, at + 1);
  const isNamed = isQuote(byteAt(b, i));
  if (isNamed) i++;
  const size = isAt(b, i, 'value') ? 5 : isAt(b, i, 'default') ? 7 : 0;
  if (size === 0 || isQuote(byteAt(b, i + size)) !== isNamed) return 0;
  i += isNamed ? size + 1 : size;
  if (b[i] !== Char.COLON_SIGN) return 0;
  i = skipSpace(b, i + 1);
  return isQuote(byteAt(b, i)) ? i : 0;
}

/** `name type = "v"`, as in Go. */
export function typed(pass: Pass, label: Label, at: number): number {
  const b = pass.text.bytes;
  let i = isAt(b, at, 'as ') ? at + 3 : at;
  while (i - at < MAX_TYPE && (classAt(b, i) & ALNUM || b[i] === Char.ASTERISK || b[i] === Char.FULL_STOP))
    i++;
  if (i === at || b[i] !== Char.BLANK || b[i + 1] !== Char.EQUALS_SIGN || b[i + 2] !== Char.BLANK) return 0;
  return isQuote(byteAt(b, i + 3)) ? secretValue(pass, label, i + 3, 'literal') : 0;
}
