import { BARE } from '../kinds/kind.ts';
import { isSecretKind, type Label } from '../labels/classifier.ts';
import { CLOSING, MAX_VALUE, QUOTE, schemeLength } from '../labels/labels.ts';
import { isCaption } from '../labels/plain-words.ts';
import { PATH } from '../labels/secret-value.ts';
import { isLabelled, isSecret } from '../labels/value-gates.ts';
import type { Pass } from '../pass.ts';
import { isOneName, nameEnd, nativeEnd } from '../people/person-value.ts';
import { afterBlanks, byteAt, classAt, endOf, SPACE, setOf, WORD } from '../text/bytes.ts';
import * as Char from '../text/chars.ts';
import { jwt } from '../tokens/private-keys.ts';
import { looksRandom } from '../tokens/randomness.ts';
import { seedPhrase, seedPhraseAt } from '../tokens/seed-phrase.ts';
import { vendorToken } from '../tokens/vendor-tokens.ts';

/** Parts of an address between commas that are read behind the first one, and their characters. */
const MAX_PARTS = 4;
const MAX_PART = 40;
const MAX_BEFORE = 6;
/** A part of an address: a town, the number of a house, a postcode; not what a label or the next words of a sentence begin. */
const PART =
  /^(?:(?:\p{Lu}|\p{N})[\p{L}\p{M}\p{N}.'\u2019/#\u00ba\u00b0\u00aa -]{0,38}|[\p{Script=Han}\p{Script=Hangul}].{0,30})$/u;
/** Bytes that end a part. */
const ENDS = new Uint8Array(256).fill(1, 0, Char.BLANK);
for (const c of ',:;=|<"(') ENDS[c.charCodeAt(0)] = 1;
/** Where a sentence ends inside of a part: behind a word that is no abbreviation. */
const SENTENCE_END = /[\p{L}\p{N}]{4,}\.(?= |$)/u;
/** Words that begin another member of a list. */
const LABEL = /^(?:phone|mobile|tel|cell|email|e-mail|dob|ssn|born|telefon|handy|mobil|fax|iban|plz|zip)\b/i;

/** Where an address ends that goes on behind the comma at `to`: `12 Main Street, Springfield, IL 62704`. */
function addressEnd(pass: Pass, from: number, to: number): number {
  const b = pass.text.bytes;
  if (to - from < MAX_BEFORE || b[to] !== Char.COMMA) return to;
  let end = to;
  for (let parts = 0; parts < MAX_PARTS && b[end] === Char.COMMA; parts++) {
    const begin = afterBlanks(b, end + 1);
    let stop = begin;
    while (stop - begin < MAX_PART && stop < pass.text.end && ENDS[byteAt(b, stop)] === 0) stop++;
    const part = pass.slice(begin, stop).trimEnd();
    const sentence = SENTENCE_END.exec(part);
    const size = sentence === null ? part.length : sentence.index + sentence[0].length - 1;
    const text = part.slice(0, size);
    if (!PART.test(text) || LABEL.test(text)) return end;
    end = begin + size;
    if (sentence !== null) return end;
  }
  return end;
}

/** Characters of the shortest session that is found in a cookie. */
const MIN_SESSION = 16;

/** The values that look drawn by chance in a header of cookies, between two places: `theme=dark; session=…`. Returns whether there are any. */
function cookieValues(pass: Pass, label: Label, from: number, to: number): boolean {
  const b = pass.text.bytes;
  let isFound = false;
  for (let at = from; at < to; ) {
    let end = at;
    while (end < to && b[end] !== Char.SEMICOLON) end++;
    let value = at;
    while (value < end && b[value] !== Char.EQUALS_SIGN) value++;
    value++;
    if (end - value >= MIN_SESSION && looksRandom(b, value, end)) {
      pass.found(label.tag, BARE, value, end);
      isFound = true;
    }
    at = end + 1;
    while (at < to && byteAt(b, at) <= Char.BLANK) at++;
  }
  return isFound;
}

/** Bytes between a label and its value. */
const OPERATOR = setOf(' =>:\t');
const MAX_TAGS = 4;
const MAX_TAG = 80;

/** Letters that may stand before the quote of a literal: N'…' in SQL, @"…", u'…'. */
const PREFIX = setOf('NnuUrRbBfF@$');

/** The value that begins after a label and its operator; returns where it ends, or 0. */
export function labelledValue(pass: Pass, label: Label, at: number): number {
  const b = pass.text.bytes;
  let from = skipTags(b, skipOperator(b, at));
  if (QUOTE[byteAt(b, from + 1)] === 1 && PREFIX[byteAt(b, from)] === 1) from++;
  const quoted = QUOTE[byteAt(b, from)] === 1;
  const quote = byteAt(b, from);
  if (quoted) from++;
  from += schemeLength(b, from);
  if (label.kind === 'seed') return seedPhraseAt(pass, from);
  const known = vendorToken(pass, from) || jwt(pass, from);
  if (known !== 0) return known;
  const isAddress = label.kind === 'address' || label.kind === 'place';
  const isText = label.kind === 'person' || isAddress;
  let to = from;
  while (to - from < MAX_VALUE && !closesValue(byteAt(b, to), quoted, quote, isText)) to++;
  pass.valueEnd = to;
  const isNative = label.kind === 'person' && byteAt(b, from) >= 0x80;
  if (to - from < (isNative ? 2 : 3) || to > pass.text.end) return 0;
  if (isText && !quoted) to = parameterEnd(b, from, to);
  to = trimmed(b, from, to, quoted, isText);
  if (isAddress && !quoted) to = addressEnd(pass, from, to);
  if (isNative) to = nativeEnd(pass, from, to);
  else if (label.kind === 'person' && !quoted) to = nameEnd(pass, from, to);
  const text = pass.slice(from, to);
  if (!isLabelled(label.kind, text, quoted) && !(label.kind === 'person' && isOneName(pass, to, text)))
    return 0;
  if (isSecretKind(label) && (b[to] === Char.LEFT_PARENTHESIS || !isSecret(label.kind, b, from, to, quoted)))
    return 0;
  if (quoted && isWords(label.kind) && pass.setting.keys.get(text).label !== null) return 0;
  return pass.found(label.tag, BARE, from, to);
}

/** Where the next parameter of a form begins in a text: Jane&phone=…; `to` when there is none. */
function parameterEnd(b: Uint8Array, from: number, to: number): number {
  for (let i = from; i < to; i++) {
    if (b[i] !== Char.AMPERSAND) continue;
    const name = endOf(b, i + 1, WORD);
    if (name > i + 1 && b[name] === Char.EQUALS_SIGN) return i;
  }
  return to;
}

/** Whether values of this kind are words, as what forms call them is: `"username": "Benutzername"`. */
function isWords(kind: Label['kind']): boolean {
  return kind === 'username' || kind === 'person';
}

/** The byte behind an operator of at most six bytes: `=`, `:`, `=>`, with spaces. */
function skipOperator(b: Uint8Array, at: number): number {
  let i = at;
  while (i - at < 6 && OPERATOR[byteAt(b, i)] === 1) i++;
  return i;
}

/** Behind tags of emphasis and of the next cell, and signs of emphasis: `<b>Name:</b> <i>Jane Doe</i>`, `**Name:** Jane Doe`. */
function skipTags(b: Uint8Array, at: number): number {
  let i = at;
  while (b[i] === Char.ASTERISK && i - at < 3) i++;
  if (i > at && b[i] === Char.BLANK) i++;
  for (let tags = 0; tags < MAX_TAGS && b[i] === Char.LESS_THAN && i - at < 2 * MAX_TAG; tags++) {
    while (b[i] !== Char.GREATER_THAN && byteAt(b, i) >= Char.BLANK && i - at < 2 * MAX_TAG) i++;
    if (b[i] !== Char.GREATER_THAN) return at;
    i = endOf(b, i + 1, SPACE, MAX_TAG);
  }
  return i;
}

/** The end of a value without what only follows it: a full stop, spaces. */
function trimmed(b: Uint8Array, from: number, end: number, quoted: boolean, isText: boolean): number {
  let to = end;
  if (!quoted && b[to - 1] === Char.FULL_STOP) to--;
  if (isText) while (to > from && classAt(b, to - 1) & SPACE) to--;
  return to;
}

/** Bytes that end a name or an address without quotes, beside line breaks. */
const ENDS_TEXT = setOf(',;|\t<{}[]"\r');

function closesValue(c: number, quoted: boolean, quote: number, isText: boolean): boolean {
  if (c === 0 || c === Char.LINE_FEED) return true;
  if (quoted) return c === quote;
  return isText ? ENDS_TEXT[c] === 1 : CLOSING[c] === 1 || c === Char.LEFT_PARENTHESIS;
}

/** The whole text as the value of its JSON key; returns whether it is one. */
export function keyedValue(pass: Pass, label: Label): boolean {
  const { bytes, start, end } = pass.text;
  let [from, to] = [start, end];
  while (from < to && classAt(bytes, from) & SPACE) from++;
  while (to > from && classAt(bytes, to - 1) & SPACE) to--;
  from += schemeLength(bytes, from);
  if (label.kind === 'seed') return seedPhrase(pass, from, to);
  const shortest = label.kind === 'person' && byteAt(bytes, from) >= 0x80 ? 2 : 3;
  if (to - from < shortest || to - from > MAX_VALUE || !isLabelled(label.kind, pass.slice(from, to), true))
    return false;
  if (isSecretKind(label) && !isSecret(label.kind, bytes, from, to, true))
    return label.kind === 'secret' && cookieValues(pass, label, from, to);
  if (label.kind === 'password' && (isCaption(pass.slice(from, to)) || PATH.test(pass.slice(from, to))))
    return false;
  pass.found(label.tag, BARE, from, to);
  return true;
}
