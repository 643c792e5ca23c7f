import type { Pass } from '../pass.ts';
import {
  ASTERISK,
  BACKSLASH,
  BACKTICK,
  BLANK,
  CARRIAGE_RETURN,
  COLON_SIGN,
  COMMA,
  DOLLAR,
  EQUALS_SIGN,
  EXCLAMATION_MARK,
  FULL_STOP,
  GREATER_THAN,
  HYPHEN,
  LEFT_PARENTHESIS,
  LESS_THAN,
  LINE_FEED,
  LOW_LINE_SIGN,
  RIGHT_BRACKET,
  RIGHT_PARENTHESIS,
  SEMICOLON,
  SLASH,
  TAB,
  VERTICAL_BAR,
} from '../text/ascii.ts';
import {
  ALNUM,
  ALPHA,
  CLASS,
  DIGIT,
  IDEOGRAPH,
  LETTER,
  LOWER,
  LOWERED,
  SPACE,
  UNDERSCORE,
  UPPER,
} from '../text/bytes.ts';
import type { Label } from './label-rules.ts';
import { isVerb, QUOTE } from './labels.ts';
import { type Certainty, secretValue } from './secret-value.ts';
import { tableColumn } from './table-columns.ts';

/** How far a value may stand behind its label: types, tags and alignment stand between them. */
const MAX_TYPE = 48;
const MAX_GAP = 32;
const MAX_TAG = 80;

/** Bytes of operators between a label and its value. */
const OPERATOR = new Uint8Array(256);
for (const c of ':=?.|+<>!-&') OPERATOR[c.charCodeAt(0)] = 1;
/** Names of functions that take something else than the secret: they read or check it. */
const READS =
  /(?:^|[._-])(?:get|is|has|check|validate|find|read|fetch|load|verify|compare|match|expect|assert|parse|decode|ask|prompt|reset|forgot|no|by|test|require)_?[A-Z_]/i;
const OPENING_WORD = new Set([
  'from',
  'of',
  'some',
  'just',
  'string',
  'str',
  'secret',
  'secretstr',
  'bytes',
  'b',
  'new',
]);

/** The secret behind the label between `from` and `to`, whatever the language puts between them. Returns its end, or 0. */
export function valueAfter(pass: Pass, label: Label, from: number, to: number): number {
  const b = pass.text.bytes;
  let i = to;
  const particles = i;
  while (i - particles < 3 && (CLASS[b[i] as number] as number) & IDEOGRAPH) i++;
  if (i > particles && (CLASS[b[i] as number] as number) & ALNUM)
    return secretValue(pass, label, i, 'sentence');
  if (b[i] === BACKSLASH && QUOTE[b[i + 1] as number] === 1) i++;
  const isQuoted = QUOTE[b[i] as number] === 1 && isQuote(b[from - 1] as number);
  if (QUOTE[b[i] as number] === 1) i++;
  if (b[i] === RIGHT_BRACKET) i++;
  while (b[i] === ASTERISK && i - to < 6) i++;
  if (QUOTE[b[i] as number] === 1 && i > to && b[i - 1] === ASTERISK) i++;
  const gap = i;
  while ((b[i] === BLANK || b[i] === TAB) && i - gap < MAX_GAP) i++;
  const c = b[i] as number;
  const isWeak = isVerb(b, from, to);
  const mayHead =
    c === LINE_FEED ||
    c === CARRIAGE_RETURN ||
    c === COMMA ||
    c === SEMICOLON ||
    c === VERTICAL_BAR ||
    c === RIGHT_PARENTHESIS;
  const column =
    !isWeak && (mayHead || b[gap] === TAB) ? tableColumn(pass, from, b[gap] === TAB ? gap : i) : 0;
  if (column !== 0) return column;
  if (isWeak && OPERATOR[c] === 0) return 0;
  if (c === COMMA)
    return isQuoted && b[from - 1] !== BACKTICK && i === to + 1 ? literal(pass, label, i + 1) : 0;
  if (c === LINE_FEED || c === CARRIAGE_RETURN) return ownLine(pass, label, from, i);
  if (c === LEFT_PARENTHESIS)
    return i === to && !READS.test(pass.slice(from, to)) ? literal(pass, label, i + 1) : 0;
  if (c === GREATER_THAN && b[i - 1] !== BLANK) return element(pass, label, i + 1);
  if (c === LESS_THAN && b[i + 1] === SLASH) return nextElement(pass, label, i);
  if (OPERATOR[c] === 1) {
    const end = operatorEnd(b, i);
    if (end !== 0) return assigned(pass, label, from, gap, i, end);
    if (c === HYPHEN) return b[i + 1] === BLANK && i > gap ? sentenceValue(pass, label, i + 2) : 0;
  }
  if (i === gap) return 0;
  return attribute(pass, label, i) || typed(pass, label, i) || stated(pass, label, from, to, i);
}

function isQuote(c: number): boolean {
  return QUOTE[c] === 1;
}

/** Where the operator at `i` ends (`=`, `:`, `:=`, `?=`, `.=`, `||=`, `=>`, `<-`, `:::=`); 0 when there is none. */
function operatorEnd(b: Uint8Array, i: number): number {
  let end = i;
  let assigns = false;
  while (end - i < 4 && OPERATOR[b[end] as number] === 1) {
    const c = b[end] as number;
    if (c === EQUALS_SIGN || c === COLON_SIGN) assigns = true;
    else if (assigns && c !== GREATER_THAN) break;
    end++;
  }
  if (assigns) return end;
  if (b[i] === LESS_THAN && b[i + 1] === HYPHEN) return i + 2;
  // a pair: (name . "value"), a table without a frame: name | value
  return (b[i] === FULL_STOP || b[i] === VERTICAL_BAR) && b[i - 1] === BLANK && b[i + 1] === BLANK
    ? i + 1
    : 0;
}

/** What stands behind an operator that ends at `at`. */
function assigned(pass: Pass, label: Label, from: number, gap: number, operator: number, at: number): number {
  const b = pass.text.bytes;
  let i = at;
  while ((b[i] === BLANK || b[i] === TAB) && i - at < MAX_GAP) i++;
  const isColon = b[at - 1] === COLON_SIGN;
  if (isColon && b[from - 1] === DOLLAR) return 0; // a variable is read: -v $PWD:/app
  if (isColon) {
    // the end of a literal such as "password:", the branch of a conditional: a ? "password" : "text"
    const opening = b[from - 1] as number;
    if (
      i === at &&
      isQuote(b[at] as number) &&
      !isQuote(b[gap - 1] as number) &&
      (opening === b[at] || closesLiteral(b, from, b[at] as number))
    )
      return 0;
    if (isQuote(b[from - 1] as number) && isBranch(b, from - 1)) return 0;
    if (b[i] === EXCLAMATION_MARK && (CLASS[b[i + 1] as number] as number) & ALPHA) return 0; // !vault, !Ref
    const value = typeEnd(b, i) || blockValue(b, i);
    if (value !== 0) return secretValue(pass, label, value, 'literal');
  }
  if (isColon && b[i] === LINE_FEED) return 0;
  const tight = gap === operator && i === at && !isColon;
  const isLiteral = isQuote(b[i] as number) || isQuote(b[i + 1] as number);
  const sure = isLiteral ? 'literal' : certainty(pass, from, tight, isColon);
  return secretValue(pass, label, i, sure) || fallback(pass, label, i);
}

/** How much of the value's form its surroundings vouch for. */
function certainty(pass: Pass, from: number, tight: boolean, isColon: boolean): Certainty {
  if (tight) return 'setting';
  return isColon || startsLine(pass, from) ? 'line' : 'code';
}

/** Whether only indentation, a list mark or words of prose stand before the label in its line. */
function startsLine({ text: { bytes: b, start } }: Pass, from: number): boolean {
  for (let i = from - 1; i >= start && from - i < 60; i--) {
    const c = b[i] as number;
    if (c === LINE_FEED) return false;
    if (c !== BLANK) return false;
  }
  return from === start;
}

/** Where the value begins behind a type and an equals sign: `: &str = "…"`, `: Optional[str] = "…"`; 0 for none. */
function typeEnd(b: Uint8Array, from: number): number {
  let i = from;
  if (b[i] === EXCLAMATION_MARK && b[i + 1] === EXCLAMATION_MARK) {
    while ((b[i] as number) > BLANK) i++;
    return b[i] === BLANK ? i + 1 : 0;
  }
  if (!isTypeByte(b[i] as number)) return 0;
  while (i - from < MAX_TYPE && isTypeByte(b[i] as number)) i++;
  if (i === from || b[i] !== EQUALS_SIGN || b[i - 1] !== BLANK || b[i + 1] !== BLANK) return 0;
  return i + 2;
}

function isTypeByte(c: number): boolean {
  // & ' * , . < > ? [ ] and |
  return ((CLASS[c] as number) & (ALNUM | UNDERSCORE)) !== 0 || TYPE_SIGNS.includes(c);
}
const TYPE_SIGNS: readonly number[] = [..." &'*,.<>?[]|:"].map((c) => c.charCodeAt(0));

/** Where the first line of a YAML block (`|`, `>-`) begins; 0 for none. */
function blockValue(b: Uint8Array, at: number): number {
  if (b[at] !== VERTICAL_BAR && b[at] !== GREATER_THAN) return 0;
  let i = at + 1;
  while (b[i] === HYPHEN || (CLASS[b[i] as number] as number) & DIGIT) i++;
  return b[i] === LINE_FEED || b[i] === CARRIAGE_RETURN ? skipSpace(b, i) : 0;
}

function skipSpace(b: Uint8Array, at: number): number {
  let i = at;
  while ((CLASS[b[i] as number] as number) & SPACE && i - at < MAX_TAG) i++;
  return i;
}

/** Whether a quote of this kind is open in the line before `from`, so that the next one closes it. */
function closesLiteral(b: Uint8Array, from: number, quote: number): boolean {
  let open = false;
  for (let i = from - 1; from - i < 100 && b[i] !== LINE_FEED && b[i] !== 0; i--)
    if (b[i] === quote) open = !open;
  return open;
}

function isBranch(b: Uint8Array, quote: number): boolean {
  let i = quote - 1;
  while (b[i] === BLANK) i--;
  return b[i] === 63;
}

/** A literal after a bracket or comma: `("v")`, `"name", "v"`. */
function literal(pass: Pass, label: Label, at: number): number {
  const b = pass.text.bytes;
  let i = at;
  while (b[i] === BLANK && i - at < 4) i++;
  return isQuote(b[i] as number) ? secretValue(pass, label, i, 'code') : 0;
}

/** The value of an element: `<x>v</x>`, over several lines too, or in CDATA. */
function element(pass: Pass, label: Label, at: number): number {
  const b = pass.text.bytes;
  let i = skipSpace(b, at);
  if (isAt(b, i, '<![cdata[')) i = skipSpace(b, i + 9);
  return b[i] === LESS_THAN ? 0 : secretValue(pass, label, i, 'setting');
}

/** The value in the element after the one that holds its name: `<key>x</key> <string>v</string>`. */
function nextElement(pass: Pass, label: Label, at: number): number {
  const b = pass.text.bytes;
  let i = at;
  while (b[i] !== GREATER_THAN && i - at < MAX_TAG && b[i] !== 0) i++;
  i = skipSpace(b, i + 1);
  if (b[i] !== LESS_THAN || !((CLASS[b[i + 1] as number] as number) & ALPHA)) return 0;
  while (b[i] !== GREATER_THAN && i - at < 2 * MAX_TAG && b[i] !== 0) i++;
  return b[i] === GREATER_THAN ? element(pass, label, i + 1) : 0;
}

/** The value in an attribute or a line after the name: `name="x" value="v"`, `{name: x, value: v}`, `"x" { default = "v"`. */
function attribute(pass: Pass, label: Label, at: number): number {
  const b = pass.text.bytes;
  for (let i = Math.max(at, pass.attributeRead); i - at < 2 * MAX_TAG; i++) {
    const c = b[i] as number;
    pass.attributeRead = i;
    if (c === GREATER_THAN || c === 0 || c === 125) return 0;
    if ((c !== 118 && c !== 100) || (CLASS[b[i - 1] as number] as number) & ALNUM) continue;
    const size = isAt(b, i, 'value') ? 5 : isAt(b, i, 'default') ? 7 : 0;
    if (size === 0) continue;
    let v = i + size;
    while (b[v] === BLANK && v - i < 16) v++;
    if (b[v] !== EQUALS_SIGN) continue;
    v = skipSpace(b, v + 1);
    return isQuote(b[v] as number) ? secretValue(pass, label, v, 'literal') : 0;
  }
  return 0;
}

function isAt(b: Uint8Array, at: number, word: string): boolean {
  for (let i = 0; i < word.length; i++) if (LOWERED[b[at + i] as number] !== word.charCodeAt(i)) return false;
  return true;
}

/** `name type = "v"`, as in Go. */
function typed(pass: Pass, label: Label, at: number): number {
  const b = pass.text.bytes;
  let i = at;
  while (
    i - at < MAX_TYPE &&
    ((CLASS[b[i] as number] as number) & ALNUM || b[i] === ASTERISK || b[i] === FULL_STOP)
  )
    i++;
  if (i === at || b[i] !== BLANK || b[i + 1] !== EQUALS_SIGN || b[i + 2] !== BLANK) return 0;
  return isQuote(b[i + 3] as number) ? secretValue(pass, label, i + 3, 'literal') : 0;
}

/** Words between a label and its value in sentences. */
const VERBS = new Set(
  'is was are are: being as lautet ist war est es era sera e è to zu to: będzie byl jest é foi becomes equals reads'.split(
    ' ',
  ),
);
const FILLING = new Set(
  'for of to the a on in fur pour para per voor dla do na von und set reset changed updated nueva neues new nuevo has been'.split(
    ' ',
  ),
);

/** For the first letter and the length of those words, 1: tells most words without a string. */
const LINKING = new Uint8Array(32 * 32);
for (const word of [...VERBS, ...FILLING]) LINKING[(word.charCodeAt(0) & 31) * 32 + word.length] = 1;

/** The word from `from` to `to` in lower case; empty for one that cannot be any of those. */
function linkingWord(b: Uint8Array, from: number, to: number): string {
  if (LINKING[((b[from] as number) & 31) * 32 + ((to - from) & 31)] === 0) return '';
  let word = '';
  for (let k = from; k < to; k++) word += String.fromCharCode(LOWERED[b[k] as number] as number);
  return word;
}

/** What a sentence or a command says the value is. */
function stated(pass: Pass, label: Label, from: number, to: number, at: number): number {
  const b = pass.text.bytes;
  if (isQuote(b[at] as number))
    return secretValue(pass, label, at, isCapital(b, from, to) || isFlag(b, from, at) ? 'literal' : 'quoted');
  let i = at;
  let linked = false;
  for (let words = 0; words < 7; words++) {
    const begin = i;
    while ((CLASS[b[i] as number] as number) & (ALPHA | LETTER | IDEOGRAPH)) i++;
    if (b[i] === 39 && (CLASS[b[i + 1] as number] as number) & ALPHA) i += 2; // d'accès
    if (i === begin || i - begin > 16) break;
    const isColon = b[i] === COLON_SIGN || (b[i] === BLANK && b[i + 1] === COLON_SIGN);
    const word = isColon ? '' : linkingWord(b, begin, i);
    const next = isColon ? (b[i] === BLANK ? i + 2 : i + 1) : i;
    if (b[next] !== BLANK) break;
    if (isColon || VERBS.has(word)) return sentenceValue(pass, label, next + 1);
    if (!FILLING.has(word) && words > 0 && !linked) break;
    if (FILLING.has(word)) linked = true;
    if (words === 0 && !linked) break;
    i++;
  }
  const isCertain = isFlag(b, from, at) || isAt(b, pass.text.start, 'machine ');
  return secretValue(pass, label, at, isCertain ? 'flag' : 'bare');
}

function sentenceValue(pass: Pass, label: Label, at: number): number {
  const b = pass.text.bytes;
  let i = at;
  while (b[i] === BLANK && i - at < 4) i++;
  if (b[i] === COLON_SIGN && b[i + 1] === BLANK) i += 2;
  return secretValue(pass, label, i, isQuote(b[i] as number) ? 'quoted' : 'sentence');
}

/** Whether the label is a flag (`--password`, `-storepass`), a variable of a shell, or the keyword of a netrc. */
function isFlag(b: Uint8Array, from: number, at: number): boolean {
  if ((b[from - 1] === HYPHEN || b[from] === HYPHEN) && b[at - 1] === BLANK) return true;
  let capitals = false;
  for (let i = from; i < at - 1; i++) if (b[i] === LOW_LINE_SIGN) capitals = true;
  for (let i = from; i < at - 1; i++)
    if ((CLASS[b[i] as number] as number) & ALPHA && LOWERED[b[i] as number] === b[i]) capitals = false;
  return (
    capitals &&
    (CLASS[b[from] as number] as number) !== 0 &&
    ((CLASS[b[from] as number] as number) & UPPER) !== 0
  );
}

/** Whether the label has no small letter: PASSWORD in SQL, ADMINPASSWORD. */
function isCapital(b: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if ((CLASS[b[i] as number] as number) & LOWER) return false;
  return true;
}

/** A random value alone in the line after its label. */
function ownLine(pass: Pass, label: Label, from: number, at: number): number {
  const b = pass.text.bytes;
  const i = skipSpace(b, at);
  let end = i;
  while ((b[end] as number) > BLANK && end - i < 128) end++;
  if (label.kind === 'password' || end - i < 16 || ((b[end] as number) > 13 && end < pass.text.end)) return 0;
  return from >= pass.text.start ? secretValue(pass, label, i, 'code') : 0;
}

/** The literal that stands in when a reference has no value (`env.X || "v"`), or that a call wraps: `String::from("v")`. */
function fallback(pass: Pass, label: Label, at: number): number {
  if (at < pass.fallbackEnd) return 0;
  pass.fallbackEnd = at + MAX_TAG;
  const b = pass.text.bytes;
  let word = '';
  let i = at;
  for (; i - at < MAX_TAG; i++) {
    const c = b[i] as number;
    if (c < BLANK || c === SEMICOLON || c === COMMA) return 0;
    if (c === LEFT_PARENTHESIS && isQuote(b[i + 1] as number)) {
      if (OPENING_WORD.has(word)) return secretValue(pass, label, i + 1, 'code');
    }
    if (isQuote(c) && b[i - 1] === BLANK) {
      const isOr =
        (b[i - 2] === VERTICAL_BAR && b[i - 3] === VERTICAL_BAR) ||
        (b[i - 2] === 63 && b[i - 3] === 63) ||
        (b[i - 2] === 114 && b[i - 3] === 111 && b[i - 4] === BLANK);
      if (isOr) return secretValue(pass, label, i, 'code');
    }
    word = (CLASS[c] as number) & ALNUM ? word + String.fromCharCode(LOWERED[c] as number) : '';
  }
  return 0;
}
