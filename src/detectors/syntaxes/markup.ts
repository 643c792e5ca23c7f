import type { Label } from '../labels/classifier.ts';
import { QUOTE } from '../labels/labels.ts';
import { secretValue } from '../labels/secret-value.ts';
import type { Pass } from '../pass.ts';
import { ALNUM, ALPHA, byteAt, classAt, classOf, isAt, SPACE, UNDERSCORE } from '../text/bytes.ts';
import * as Char from '../text/chars.ts';

export const MAX_TAG = 80;

export function isQuote(c: number): boolean {
  return QUOTE[c] === 1;
}

export function skipSpace(b: Uint8Array, at: number): number {
  let i = at;
  while (classAt(b, i) & SPACE && i - at < MAX_TAG) i++;
  return i;
}

/** A literal after a bracket or comma: `("v")`, `"name", "v"`. */
export function literal(pass: Pass, label: Label, at: number): number {
  const b = pass.text.bytes;
  let i = at;
  while (b[i] === Char.BLANK && i - at < 4) i++;
  return isQuote(byteAt(b, i)) ? secretValue(pass, label, i, 'code') : 0;
}

/** Whether the name with the label at `from` begins a tag: <password>, <wsse:Password>; not <struct pwd>, nor B<pass> of Perl's pages. */
export function isTag(b: Uint8Array, from: number): boolean {
  let i = from;
  while (from - i < MAX_TAG && isName(byteAt(b, i - 1))) i--;
  // PASS=<password>, pass: <password>: it stands for a value
  const before = b[i - 2] === Char.BLANK ? byteAt(b, i - 3) : byteAt(b, i - 2);
  if (before === Char.EQUALS_SIGN || before === Char.COLON_SIGN) return false;
  return b[i - 1] === Char.LESS_THAN && !(classAt(b, i - 2) & ALNUM);
}

function isName(c: number): boolean {
  return (
    (classOf(c) & (ALNUM | UNDERSCORE)) !== 0 ||
    c === Char.COLON_SIGN ||
    c === Char.HYPHEN ||
    c === Char.FULL_STOP
  );
}

/** The value of an element: `<x>v</x>`, over several lines too, or in CDATA. */
export function element(pass: Pass, label: Label, at: number): number {
  const b = pass.text.bytes;
  let i = skipSpace(b, at);
  if (isAt(b, i, '<![cdata[')) i = skipSpace(b, i + 9);
  if (isAt(b, i, '<value>')) i = skipSpace(b, i + 7);
  return b[i] === Char.LESS_THAN || !isClosed(b, i) ? 0 : secretValue(pass, label, i, 'setting');
}

/** Where the text behind a tag of emphasis at `at`, and blanks behind it, begins; `at` when there is none. */
export function afterTag(b: Uint8Array, at: number): number {
  let i = at + 1;
  if (b[i] === Char.SLASH) i++;
  const name = i;
  while (i - name <= MAX_EMPHASIS && classAt(b, i) & ALPHA) i++;
  if (i === name || i - name > MAX_EMPHASIS || b[i] !== Char.GREATER_THAN) return at;
  return skipSpace(b, i + 1);
}

/** Letters of the longest tag of emphasis: strong. */
const MAX_EMPHASIS = 6;

/** Whether the text from `at` on ends with its line or at a tag, and has no words behind the first one: the <pass> column. */
function isClosed(b: Uint8Array, at: number): boolean {
  let i = at;
  while (i - at < MAX_TEXT && byteAt(b, i) > Char.BLANK && b[i] !== Char.LESS_THAN) i++;
  while (b[i] === Char.BLANK) i++;
  return byteAt(b, i) < Char.BLANK || b[i] === Char.LESS_THAN || b[i] === Char.RIGHT_BRACKET;
}

const MAX_TEXT = 256;

/** The value of an element whose name is the label, behind its attributes: `<pass encoding="base64">v</pass>`. */
export function elementWithAttributes(pass: Pass, label: Label, from: number, at: number): number {
  const b = pass.text.bytes;
  if (!isTag(b, from)) return 0;
  let i = at;
  while (i - at < MAX_TAG && b[i] !== Char.GREATER_THAN && byteAt(b, i) >= Char.BLANK) i++;
  return b[i] === Char.GREATER_THAN && b[i - 1] !== Char.SLASH ? element(pass, label, i + 1) : 0;
}

/** The value in the element after the one that holds its name: `<key>x</key> <string>v</string>`. */
export function nextElement(pass: Pass, label: Label, at: number): number {
  const b = pass.text.bytes;
  let i = at;
  while (b[i] !== Char.GREATER_THAN && i - at < MAX_TAG && b[i] !== 0) i++;
  i = skipSpace(b, i + 1);
  if (b[i] !== Char.LESS_THAN || !(classAt(b, i + 1) & ALPHA)) return 0;
  while (b[i] !== Char.GREATER_THAN && i - at < 2 * MAX_TAG && b[i] !== 0) i++;
  return b[i] === Char.GREATER_THAN ? element(pass, label, i + 1) : 0;
}

/** The value in an attribute or a line after the name: `name="x" value="v"`, `{name: x, value: v}`, `"x" { default = "v"`. */
export function attribute(pass: Pass, label: Label, at: number): number {
  const b = pass.text.bytes;
  for (let i = Math.max(at, pass.attributeRead); i - at < 2 * MAX_TAG; i++) {
    const c = byteAt(b, i);
    pass.attributeRead = i;
    if (c === Char.GREATER_THAN || c === 0 || c === 125 || c === Char.LEFT_BRACKET) return 0;
    if ((c !== 118 && c !== 100 && c !== 99) || classAt(b, i - 1) & ALNUM) continue;
    const size = isAt(b, i, 'value') ? 5 : isAt(b, i, 'default') || isAt(b, i, 'content') ? 7 : 0;
    if (size === 0) continue;
    let v = i + size;
    while (b[v] === Char.BLANK && v - i < 16) v++;
    if (b[v] !== Char.EQUALS_SIGN) continue;
    v = skipSpace(b, v + 1);
    return secretValue(pass, label, v, isQuote(byteAt(b, v)) ? 'literal' : 'setting');
  }
  return 0;
}

/**
 * The literal of an annotation before the label from `from` to `to` of a member: `@Value("v") private String password;`,
 * `@Value("v") val password: String`. Returns `from`, or 0.
 */
export function annotated(pass: Pass, label: Label, from: number, to: number): number {
  const b = pass.text.bytes;
  if (b[from - 1] !== Char.BLANK || !(b[to] === Char.SEMICOLON || b[to] === Char.COLON_SIGN)) return 0;
  let end = from;
  while (from - end < MAX_TAG && isDeclaration(byteAt(b, end - 1))) end--;
  const quote = byteAt(b, end - 2);
  if (b[end - 1] !== Char.RIGHT_PARENTHESIS || !isQuote(quote)) return 0;
  let at = end - 3;
  while (end - at < 2 * MAX_TAG && b[at] !== quote && byteAt(b, at) >= Char.BLANK) at--;
  if (b[at] !== quote || !(isAt(b, at - 7, '@value(') || isAt(b, at - 15, '@value(value = '))) return 0;
  return secretValue(pass, label, at, 'literal') === 0 ? 0 : from;
}

/** Bytes of modifiers and types: private final List<String>. */
function isDeclaration(c: number): boolean {
  return (
    (classOf(c) & (ALNUM | SPACE | UNDERSCORE)) !== 0 ||
    c === Char.LESS_THAN ||
    c === Char.GREATER_THAN ||
    c === Char.FULL_STOP
  );
}

/** The value of a field of a form whose type says that it is a password: `<input value="v" type="password">`. */
export function attributeBefore(pass: Pass, label: Label, from: number): number {
  const b = pass.text.bytes;
  const at = isQuote(byteAt(b, from - 1)) ? from - 6 : from - 5;
  if (!isAt(b, at, 'type=')) return 0;
  let i = at;
  while (at - i < 2 * MAX_TAG && b[i] !== Char.LESS_THAN && b[i] !== 0) i--;
  if (b[i] !== Char.LESS_THAN) return 0;
  for (; i < at; i++)
    if (isAt(b, i, ' value='))
      return secretValue(pass, label, i + 7, isQuote(byteAt(b, i + 7)) ? 'literal' : 'setting') === 0
        ? 0
        : from;
  return 0;
}
