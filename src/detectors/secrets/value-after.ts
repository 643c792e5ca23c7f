import type { Pass } from '../pass.ts';
import {
  ASTERISK,
  BACKSLASH,
  BACKTICK,
  BLANK,
  CARRIAGE_RETURN,
  COLON_SIGN,
  COMMA,
  EQUALS_SIGN,
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
import { ALNUM, ALPHA, CLASS, IDEOGRAPH, SYMBOL } from '../text/bytes.ts';
import { isAt } from '../text/read.ts';
import { assigned, MAX_GAP, typed } from './assigned-value.ts';
import type { Label } from './label-rules.ts';
import { isStrong } from './label-value.ts';
import { isVerb, QUOTE } from './labels.ts';
import {
  annotated,
  attribute,
  attributeBefore,
  element,
  elementWithAttributes,
  isQuote,
  literal,
  nextElement,
  skipSpace,
} from './markup-value.ts';
import { secretValue } from './secret-value.ts';
import { isCapital, isVariable, sentenceValue, stated } from './stated-value.ts';
import { tableColumn } from './table-columns.ts';

/** Bytes of operators between a label and its value. */
const OPERATOR = new Uint8Array(256);
for (const c of ':=?.|+<>!-&') OPERATOR[c.charCodeAt(0)] = 1;
const MAX_REMARK = 32;
/** Names of functions that take something else than the secret: they read or check it. */
const READS =
  /(?:^|[._-])(?:get|is|has|check|validate|find|read|fetch|load|verify|compare|match|expect|assert|parse|decode|ask|prompt|reset|forgot|no|by|test|require)_?[A-Z_]/i;

/** The secret behind the label between `from` and `to`, whatever the language puts between them. Returns its end, or 0. */
export function valueAfter(pass: Pass, label: Label, from: number, to: number): number {
  const b = pass.text.bytes;
  const before = attributeBefore(pass, label, from) || annotated(pass, label, from, to);
  if (before !== 0) return before;
  let i = to;
  const particles = i;
  while (i - particles < 3 && (CLASS[b[i] as number] as number) & IDEOGRAPH) i++;
  const particle = i > particles && b[i] === BLANK ? i + 1 : i;
  if (i > particles && (CLASS[b[particle] as number] as number) & ALNUM)
    return secretValue(pass, label, particle, 'sentence');
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
  if (isWeak && OPERATOR[c] === 0) return elementWithAttributes(pass, label, from, i);
  if (c === COMMA)
    return isQuoted
      ? b[from - 1] !== BACKTICK && i === to + 1
        ? argument(pass, label, from, to)
        : 0
      : defined(pass, label, from, i);
  if (c === LINE_FEED || c === CARRIAGE_RETURN) return ownLine(pass, label, from, i);
  if (c === LEFT_PARENTHESIS && i > gap) {
    const remark = remarkEnd(b, i);
    if (remark !== 0) return assigned(pass, label, from, gap, remark - 1, remark);
  }
  if (c === LEFT_PARENTHESIS)
    return i !== to || READS.test(pass.slice(from, to))
      ? 0
      : isCapital(b, from, to)
        ? constant(pass, label, i + 1)
        : literal(pass, label, i + 1);
  if (c === GREATER_THAN && b[i - 1] !== BLANK) return element(pass, label, i + 1);
  if (c === LESS_THAN && b[i + 1] === SLASH) return nextElement(pass, label, i);
  if (c === VERTICAL_BAR && isQuoted && b[i + 1] === BLANK) return 0; // a type: "password" | "text"
  if (OPERATOR[c] === 1) {
    const end = operatorEnd(b, i);
    if (end !== 0) return assigned(pass, label, from, gap, i, end);
    if (c === HYPHEN) return b[i + 1] === BLANK && i > gap ? sentenceValue(pass, label, i + 2) : 0;
  }
  if (c === SYMBOL && b[i + 1] === BLANK && i > gap) return sentenceValue(pass, label, i + 2); // an arrow
  if (i === gap) return 0;
  return (
    attribute(pass, label, i) ||
    elementWithAttributes(pass, label, from, i) ||
    typed(pass, label, i) ||
    stated(pass, label, from, to, i)
  );
}

/** The literal after the quoted name of a secret: `("DB_PASSWORD", "v")`; the name of a variable takes any text. */
function argument(pass: Pass, label: Label, from: number, to: number): number {
  const b = pass.text.bytes;
  const at = skipSpace(b, to + 2);
  const isConstant = isVariable(b, from, to) || isAt(b, from - 9, 'values (') || isAt(b, from - 8, 'values(');
  return isConstant ? constant(pass, label, at) : literal(pass, label, to + 2);
}

/** A literal that is no expression: any text counts. */
function constant(pass: Pass, label: Label, at: number): number {
  const i = skipSpace(pass.text.bytes, at);
  return isQuote(pass.text.bytes[i] as number) ? secretValue(pass, label, i, 'literal') : 0;
}

/** `define(name, "v")` */
function defined(pass: Pass, label: Label, from: number, at: number): number {
  return isAt(pass.text.bytes, from - 7, 'define(') ? constant(pass, label, at + 1) : 0;
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

/** Where the colon ends behind a remark in parentheses: `Password (temporary): …`; 0 when there is none. */
function remarkEnd(b: Uint8Array, at: number): number {
  let i = at + 1;
  while (i - at < MAX_REMARK && ((CLASS[b[i] as number] as number) & ALPHA || b[i] === BLANK)) i++;
  return i > at + 1 && b[i] === RIGHT_PARENTHESIS && b[i + 1] === COLON_SIGN ? i + 2 : 0;
}

/** A random value alone in the line after its label. */
function ownLine(pass: Pass, label: Label, from: number, at: number): number {
  const b = pass.text.bytes;
  const i = skipSpace(b, at);
  let end = i;
  while ((b[end] as number) > BLANK && end - i < 128) end++;
  const isShort =
    label.kind === 'password'
      ? !isStrong(b, i) || (b[from - 1] !== LINE_FEED && from > pass.text.start)
      : end - i < 16;
  if (isShort || ((b[end] as number) > 13 && end < pass.text.end)) return 0;
  if (isPath(b, i, end)) return 0;
  const sure = label.kind === 'password' ? 'line' : 'code';
  return from >= pass.text.start ? secretValue(pass, label, i, sure) : 0;
}

/** Whether the token is the path of a file: it has slashes, and dots or low lines. */
function isPath(b: Uint8Array, from: number, to: number): boolean {
  let slashes = 0;
  let others = 0;
  for (let i = from; i < to; i++) {
    if (b[i] === SLASH) slashes++;
    else if (b[i] === FULL_STOP || b[i] === LOW_LINE_SIGN) others++;
  }
  return slashes > 0 && others > 0;
}
