import { BARE } from '../kinds/kind.ts';
import { tagId } from '../kinds/taxonomy.ts';
import type { Label } from '../labels/classifier.ts';
import { QUOTE } from '../labels/labels.ts';
import { isThing } from '../labels/plain-words.ts';
import { isLabelled } from '../labels/value-gates.ts';
import type { Pass } from '../pass.ts';
import { byteAt, setOf } from '../text/bytes.ts';
import * as Char from '../text/chars.ts';
import { isAmongPeople } from './people-nearby.ts';

const PERSON = tagId('PERSON');
export const PERSON_LABEL: Label = { tag: PERSON, kind: 'person' };
const MAX_NAME = 80;
/** Two words or more with capitals, or the family name first with a comma. */
const FULL_NAME = /^\p{Lu}[\p{L}\p{M}.'\u2019-]*,? .*\p{Lu}[\p{L}\p{M}.'\u2019-]+$/u;
const ONE_WORD = /^(?:\p{Lu}[\p{Ll}\p{M}]{2,}(?:['\u2019-]\p{Lu}?[\p{Ll}\p{M}]+)?|\p{Lu}{3,})$/u;
/** Names of types, which code writes behind the names of members. */
const TYPE =
  /^(?:string|text|char|varchar\d?|nvarchar|clob|boolean|bool|integer|number|int|long|float|double|decimal|date|datetime|uuid|object|array|list|map|any|null|none|nil|true|false|unknown|optional|required|nullable|faker|value|todo|tbd|yes|no|first|last|middle|full|given|family|vorname|nachname|fullname|user|name|names)$/i;
/** Names in scripts that part no words. */
const NATIVE = /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\u30fb\u00b7]{2,10}$/u;
/** The words of forms in place of a name in such scripts, and the beginnings of such a text. */
const NATIVE_RULES = new Set(
  '必填 必须 必須 任意 选填 可选 필수 선택 未設定 未填 なし 不明 名前 氏名 姓名 이름'.split(' '),
);
const NATIVE_REQUESTS = ['请输入', '입력'];

/** A type before the literal of a member, and what makes a vector of one: `name: String = "…"`, `name = c("…")`. */
const WRAPPED = /^(?:[A-Z][\w.]*(?:\[\w*\])?\??\s*=\s*|(?:c|list|Some)\()(?=["'])/;
const MAX_WRAP = 32;

/** Bytes that may stand before a label which is only called a name. */
const OPENING = setOf('\0\n\r\t{([,;-.:@*|>&?#');

/** Bytes between a label and a name: signs, and emphasis. */
const BETWEEN = setOf(' =:>*');

/** Whether a label may begin at `from`: behind a quote, a bracket, the mark of a list, at the beginning of a line. */
export function opensLabel(b: Uint8Array, from: number): boolean {
  let before = from;
  while (from - before < 3 && (QUOTE[byteAt(b, before - 1)] === 1 || b[before - 1] === Char.BLANK)) before--;
  if (OPENING[byteAt(b, before - 1)] === 1) return true;
  if (b[before - 1] === Char.SLASH) return b[before] === Char.BLANK && b[before - 2] === Char.BLANK; // Guest: … / Cell: …
  return before < from && QUOTE[byteAt(b, from - 1)] === 1;
}

/** The full name under a label that is only called a name, from `labelFrom` on, beside what people have; returns its end, or 0. */
export function namedPerson(pass: Pass, labelFrom: number, at: number): number {
  const b = pass.text.bytes;
  if (!opensLabel(b, labelFrom)) return 0;
  let from = at + 1;
  while (from - at < 6 && BETWEEN[byteAt(b, from)] === 1) from++;
  if (QUOTE[byteAt(b, from)] !== 1 && (b[at] === Char.COLON_SIGN || b[at] === Char.EQUALS_SIGN))
    from += WRAPPED.exec(pass.slice(from, Math.min(from + MAX_WRAP, pass.text.end)))?.[0].length ?? 0;
  const quote = QUOTE[byteAt(b, from)] === 1 ? byteAt(b, from) : 0;
  if (quote !== 0) from++;
  const c = byteAt(b, from);
  // most names of things have no capital
  if (!(c >= Char.UPPER_A && c <= Char.UPPER_Z) && c < 0x80) return 0;
  let to = from;
  while (to - from < MAX_NAME && !endsName(byteAt(b, to), quote)) to++;
  while (b[to - 1] === Char.BLANK) to--;
  if (quote === 0) to = nameEnd(pass, from, to);
  if (to - from < 5 || to > pass.text.end || !pass.isOn(PERSON)) return 0;
  if (!isFullName(pass, from, to, pass.slice(from, to))) return 0;
  return pass.found(PERSON, BARE, from, to);
}

/** Whether a text is a full name beside what people have. What is between `from` and `to` is not looked at. */
export function isFullName(pass: Pass, from: number, to: number, text: string): boolean {
  if (!FULL_NAME.test(text) || isThing(text)) return false;
  return isLabelled('person', text, true) && isAmongPeople(pass, from, to);
}

/** Bytes that end a name without quotes. */
const ENDS = setOf(',;|()}]<>/"');

function endsName(c: number, quote: number): boolean {
  return c < Char.BLANK || (quote === 0 ? ENDS[c] === 1 : c === quote);
}

/** The end of a name without quotes: a bracket that closes, the next member of a list, a number. */
const NEXT = /\s*(?:[)\]}]|\s\p{L}[\p{L}\d_]*[:=]|\s[+(]?\d|\s[/\u2013\u2014-]\s)/u;

/** Where a name ends before what follows it in its line: `holder=Jane Doe)`, `Name:Jane Doe Email:…`. */
export function nameEnd(pass: Pass, from: number, to: number): number {
  const next = pass.slice(from, to).search(NEXT);
  return next > 0 ? from + next : to;
}

/** The end of a clause in scripts that part no words. */
const CLAUSE = /[\uff0c\u3001\u3002\uff1b\uff08]/;

/** Where a name in such a script ends: at the end of its clause. */
export function nativeEnd(pass: Pass, from: number, to: number): number {
  const clause = pass.slice(from, to).search(CLAUSE);
  return clause > 0 ? from + clause : to;
}

/** Whether one word without quotes under the label of a part of a name is one: beside what people have, no type and no label. */
export function isOneName(pass: Pass, to: number, text: string): boolean {
  if (NATIVE.test(text))
    return !NATIVE_RULES.has(text) && !NATIVE_REQUESTS.some((request) => text.startsWith(request));
  if (!ONE_WORD.test(text) || TYPE.test(text) || isThing(text) || pass.setting.keys.get(text).label !== null)
    return false;
  const c = byteAt(pass.text.bytes, to);
  if (c === Char.LEFT_PARENTHESIS || c === Char.LEFT_BRACKET || c === Char.LEFT_BRACE || c === Char.LESS_THAN)
    return false;
  return isAmongPeople(pass, pass.labelStart, to);
}

const MAX_GIVEN_NAME = 64;

/**
 * The name that a method is given whose own name is the label that ends at `to`, or that is the name before it:
 * `setFirstName("Jane")`, `put("firstName", "Jane")`. Returns its end, or 0.
 */
export function givenName(pass: Pass, label: Label, to: number): number {
  const b = pass.text.bytes;
  let at = to + 1;
  // without a space they are the arguments of a call only in parentheses: "firstName","Department" may be heads of columns
  const isPair =
    QUOTE[byteAt(b, to)] === 1 &&
    b[at] === Char.COMMA &&
    (b[at + 1] === Char.BLANK || b[pass.labelStart - 2] === Char.LEFT_PARENTHESIS);
  if (isPair) at = skipBlanks(b, at + 1);
  else if (b[to] !== Char.LEFT_PARENTHESIS) return 0;
  const quote = byteAt(b, at);
  if (QUOTE[quote] !== 1 || !pass.isOn(label.tag)) return 0;
  const from = at + 1;
  let end = from;
  while (end - from < MAX_GIVEN_NAME && byteAt(b, end) >= Char.BLANK && b[end] !== quote) end++;
  const text = pass.slice(from, end);
  if (b[end] !== quote || !isLabelled('person', text, true) || pass.setting.keys.get(text).label !== null)
    return 0;
  return pass.found(label.tag, BARE, from, end);
}

function skipBlanks(b: Uint8Array, at: number): number {
  let i = at;
  while (b[i] === Char.BLANK && i - at < 4) i++;
  return i;
}
