import type { Label } from '../labels/classifier.ts';
import { isVerb } from '../labels/labels.ts';
import { secretValue } from '../labels/secret-value.ts';
import { isStrong } from '../labels/value-gates.ts';
import type { Pass } from '../pass.ts';
import { tableColumn } from '../tables/table-columns.ts';
import { ALNUM, ALPHA, byteAt, classAt, endOf, IDEOGRAPH, is, SYMBOL, setOf } from '../text/bytes.ts';
import * as Char from '../text/chars.ts';
import { looksChosen } from '../tokens/randomness.ts';
import { assigned, MAX_GAP, typed } from './assigned-value.ts';
import { callArgument, defined, secondArgument, typedText } from './calls.ts';
import {
  annotated,
  attribute,
  attributeBefore,
  element,
  elementWithAttributes,
  isQuote,
  isTag,
  nextElement,
  skipSpace,
} from './markup.ts';
import { sentenceValue, stated } from './stated-value.ts';

/** Bytes of operators between a label and its value. */
const OPERATOR = setOf(':=?.|+<>!-&');
/** Bytes that may end the head of a column. */
const HEAD_END = setOf('\n\r,;|)');
const MAX_REMARK = 32;
const MAX_TEMPLATE = 80;
/** A label in its text, and what stands behind it. */
interface Place {
  readonly from: number;
  readonly to: number;
  /** Where the label ends, its quotes, bracket and emphasis included. */
  readonly gap: number;
  /** The first byte behind it that is no space. */
  readonly at: number;
  readonly isQuoted: boolean;
}

/** The secret behind the label between `from` and `to`, whatever the language puts between them. Returns its end, or 0. */
export function valueAfter(pass: Pass, label: Label, from: number, to: number): number {
  const b = pass.text.bytes;
  const before = attributeBefore(pass, label, from) || annotated(pass, label, from, to);
  if (before !== 0) return before;
  const particles = particlesEnd(b, to);
  const particle = particles > to && b[particles] === Char.BLANK ? particles + 1 : particles;
  if (particles > to && is(b, particle, ALNUM)) return secretValue(pass, label, particle, 'sentence');
  const quote =
    b[particles] === Char.BACKSLASH && isQuote(byteAt(b, particles + 1)) ? particles + 1 : particles;
  const isQuoted = isQuote(byteAt(b, quote)) && isQuote(byteAt(b, from - 1));
  const typedIn =
    isQuote(byteAt(b, quote)) || b[quote] === Char.RIGHT_BRACKET ? typedText(pass, label, from, quote) : 0;
  if (typedIn !== 0) return typedIn;
  const gap = labelEnd(b, quote, to);
  const at = gapEnd(b, gap);
  if (isVerb(b, from, to)) {
    if (OPERATOR[byteAt(b, at)] === 0)
      return elementWithAttributes(pass, label, from, at) || chosenWord(pass, label, gap, at);
  } else {
    const column = headedColumn(pass, from, gap, at);
    if (column !== 0) return column;
  }
  return separated(pass, label, { from, to, gap, at, isQuoted });
}

/** A word behind "pass" that is made up as passwords are: SSID Attic, pass Lak3house-guest. */
function chosenWord(pass: Pass, label: Label, gap: number, at: number): number {
  const b = pass.text.bytes;
  let to = at;
  while (byteAt(b, to) > Char.BLANK && to - at < MAX_REMARK + MAX_GAP) to++;
  while (b[to - 1] === Char.COMMA || b[to - 1] === Char.FULL_STOP) to--;
  return at > gap && looksChosen(b, at, to) ? secretValue(pass, label, at, 'bare') : 0;
}

/** The end of at most three ideographs behind a label: particles. */
function particlesEnd(b: Uint8Array, at: number): number {
  const i = endOf(b, at, IDEOGRAPH, 3);
  return i;
}

/** Where the quote, bracket and emphasis at `at`, which close the label, end. */
function labelEnd(b: Uint8Array, at: number, to: number): number {
  let i = at;
  if (isQuote(byteAt(b, i))) i++;
  if (b[i] === Char.RIGHT_BRACKET) i++;
  if (b[i] === Char.RIGHT_BRACE && b[i + 1] === Char.BLANK && b[i + 2] === Char.BLANK) i++; // ${PASSWORD}    v
  while (b[i] === Char.ASTERISK && i - to < 6) i++;
  if (isQuote(byteAt(b, i)) && i > to && b[i - 1] === Char.ASTERISK) i++;
  return i;
}

function gapEnd(b: Uint8Array, at: number): number {
  let i = at;
  while ((b[i] === Char.BLANK || b[i] === Char.TAB) && i - at < MAX_GAP) i++;
  return i;
}

/** The value in the column of a table whose head is the label: a tab, or a byte that may end a head, follows it. */
function headedColumn(pass: Pass, from: number, gap: number, at: number): number {
  const b = pass.text.bytes;
  if (b[gap] === Char.TAB) return tableColumn(pass, from, gap);
  return HEAD_END[byteAt(b, at)] === 1 ? tableColumn(pass, from, at) : 0;
}

/** The value by the byte that separates it from its label. */
function separated(pass: Pass, label: Label, place: Place): number {
  const b = pass.text.bytes;
  const { from, gap, at, isQuoted } = place;
  switch (byteAt(b, at)) {
    case Char.COMMA:
      return isQuoted ? secondArgument(pass, label, place.from, place.to) : defined(pass, label, from, at);
    case Char.LINE_FEED:
    case Char.CARRIAGE_RETURN:
      return ownLine(pass, label, from, at);
    case Char.RIGHT_PARENTHESIS:
      return 0;
    case Char.LEFT_PARENTHESIS:
      return parenthesized(pass, label, place);
    case Char.GREATER_THAN:
      if (b[at - 1] !== Char.BLANK) return isQuoted || isTag(b, from) ? element(pass, label, at + 1) : 0;
      break;
    case Char.LESS_THAN:
      if (b[at + 1] === Char.SLASH) return nextElement(pass, label, at);
      break;
    case Char.VERTICAL_BAR:
      if (isQuoted && b[at + 1] === Char.BLANK) return 0; // a type: "password" | "text"
      if (isInTemplate(b, from)) return 0;
  }
  const end = OPERATOR[byteAt(b, at)] === 1 ? operatorEnd(b, at) : 0;
  return end !== 0 ? assigned(pass, label, from, gap, at, end) : following(pass, label, place);
}

/** The value without an operator: behind a dash or an arrow, or behind spaces alone. */
function following(pass: Pass, label: Label, { from, to, gap, at }: Place): number {
  const b = pass.text.bytes;
  const isSeparate = b[at + 1] === Char.BLANK && at > gap;
  if (at - gap > 1 && (b[from - 1] === Char.HYPHEN || b[from] === Char.HYPHEN) && isRemark(b, at)) return 0;
  if (b[at] === Char.HYPHEN) return isSeparate ? sentenceValue(pass, label, at + 2) : 0;
  if (b[at] === SYMBOL && isSeparate) return sentenceValue(pass, label, at + 2);
  if (at === gap) return 0;
  return (
    attribute(pass, label, at) ||
    elementWithAttributes(pass, label, from, at) ||
    typed(pass, label, at) ||
    stated(pass, label, from, to, at)
  );
}

/** Whether a label stands in a template, which pipes the value on: {{ .Values.password | b64enc }}. */
function isInTemplate(b: Uint8Array, from: number): boolean {
  for (let i = from - 1; from - i < MAX_TEMPLATE && byteAt(b, i) >= Char.BLANK; i--)
    if (b[i] === Char.LEFT_BRACE && (b[i - 1] === Char.LEFT_BRACE || b[i + 1] === Char.PERCENT)) return true;
  return false;
}

/** Whether words behind a flag and spaces say what it is for, as in the help of a program: --password   force password prompt. */
function isRemark(b: Uint8Array, at: number): boolean {
  const i = endOf(b, at, ALPHA);
  return i > at && b[i] === Char.BLANK && is(b, i + 1, ALPHA);
}

/** Behind a parenthesis: what follows a remark and a colon, or the argument of a call. */
function parenthesized(pass: Pass, label: Label, { from, to, gap, at }: Place): number {
  const b = pass.text.bytes;
  const remark = at > gap ? remarkEnd(b, at) : 0;
  if (remark !== 0) return assigned(pass, label, from, gap, remark - 1, remark);
  return at === to ? callArgument(pass, label, from, to) : 0;
}

/** Where the operator at `i` ends (`=`, `:`, `:=`, `?=`, `.=`, `||=`, `=>`, `<-`, `:::=`); 0 when there is none. */
function operatorEnd(b: Uint8Array, i: number): number {
  let end = i;
  let assigns = false;
  while (end - i < 4 && OPERATOR[byteAt(b, end)] === 1) {
    const c = byteAt(b, end);
    if (c === Char.EQUALS_SIGN || c === Char.COLON_SIGN) assigns = true;
    else if (assigns && c !== Char.GREATER_THAN) break;
    end++;
  }
  if (assigns) return end;
  if (b[i] === Char.LESS_THAN && b[i + 1] === Char.HYPHEN) return i + 2;
  // a pair: (name . "value"), a table without a frame: name | value
  return (b[i] === Char.FULL_STOP || b[i] === Char.VERTICAL_BAR) &&
    b[i - 1] === Char.BLANK &&
    b[i + 1] === Char.BLANK
    ? i + 1
    : 0;
}

/** Where the colon ends behind a remark in parentheses: `Password (temporary): …`; 0 when there is none. */
function remarkEnd(b: Uint8Array, at: number): number {
  let i = at + 1;
  while (i - at < MAX_REMARK && (classAt(b, i) & ALPHA || b[i] === Char.BLANK)) i++;
  return i > at + 1 && b[i] === Char.RIGHT_PARENTHESIS && b[i + 1] === Char.COLON_SIGN ? i + 2 : 0;
}

/** A random value alone in the line after its label. */
function ownLine(pass: Pass, label: Label, from: number, at: number): number {
  const b = pass.text.bytes;
  const i = skipSpace(b, at);
  let end = i;
  while (byteAt(b, end) > Char.BLANK && end - i < 128) end++;
  const isShort =
    label.kind === 'password'
      ? !isStrong(b, i) || (b[from - 1] !== Char.LINE_FEED && from > pass.text.start)
      : end - i < 16;
  if (isShort || (byteAt(b, end) > 13 && end < pass.text.end)) return 0;
  if (isPath(b, i, end)) return 0;
  const sure = label.kind === 'password' ? 'line' : 'code';
  return from >= pass.text.start ? secretValue(pass, label, i, sure) : 0;
}

/** Whether the token is the path of a file: it has slashes, and dots or low lines. */
function isPath(b: Uint8Array, from: number, to: number): boolean {
  let slashes = 0;
  let others = 0;
  for (let i = from; i < to; i++) {
    if (b[i] === Char.SLASH) slashes++;
    else if (b[i] === Char.FULL_STOP || b[i] === Char.LOW_LINE_SIGN) others++;
  }
  return slashes > 0 && others > 0;
}
