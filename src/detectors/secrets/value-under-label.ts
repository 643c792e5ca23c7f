import { BARE } from '../hits.ts';
import type { Pass } from '../pass.ts';
import {
  AMPERSAND,
  ASTERISK,
  BLANK,
  EQUALS_SIGN,
  FULL_STOP,
  GREATER_THAN,
  LEFT_PARENTHESIS,
  LESS_THAN,
  LINE_FEED,
} from '../text/ascii.ts';
import { SPACE, WORD } from '../text/bytes.ts';
import { byteAt, classAt, is } from '../text/read.ts';
import { addressEnd } from './address-end.ts';
import type { Label } from './classifier.ts';
import { isSecretKind } from './classifier.ts';
import { cookieValues } from './cookie-values.ts';
import { jwt } from './jwt.ts';
import { isLabelled, isSecret } from './label-value.ts';
import { CLOSING, MAX_VALUE, QUOTE, schemeLength } from './labels.ts';
import { MAX_TAG, skipSpace } from './markup-value.ts';
import { isOneName, nameEnd, nativeEnd } from './person-value.ts';
import { isCaption } from './plain-words.ts';
import { seedPhrase, seedPhraseAt } from './seed-phrase.ts';
import { vendorToken } from './vendor-match.ts';

/** Bytes between a label and its value. */
const OPERATOR = new Uint8Array(256);
for (const c of ' =>:\t') OPERATOR[c.charCodeAt(0)] = 1;
const MAX_TAGS = 4;

/** What may stand before the quote of a literal: N'…' in SQL, @"…", u'…'. */
const PREFIX = new Uint8Array(256);
for (const c of 'NnuUrRbBfF@$') PREFIX[c.charCodeAt(0)] = 1;

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
  if (isSecretKind(label) && (b[to] === LEFT_PARENTHESIS || !isSecret(label.kind, b, from, to, quoted)))
    return 0;
  if (quoted && isWords(label.kind) && pass.setting.keys.get(text).label !== null) return 0;
  pass.found(label.tag, BARE, from, to);
  return to;
}

/** Where the next parameter of a form begins in a text: Jane&phone=…; `to` when there is none. */
function parameterEnd(b: Uint8Array, from: number, to: number): number {
  for (let i = from; i < to; i++) {
    if (b[i] !== AMPERSAND) continue;
    let name = i + 1;
    while (is(b, name, WORD)) name++;
    if (name > i + 1 && b[name] === EQUALS_SIGN) return i;
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
  while (b[i] === ASTERISK && i - at < 3) i++;
  if (i > at && b[i] === BLANK) i++;
  for (let tags = 0; tags < MAX_TAGS && b[i] === LESS_THAN && i - at < 2 * MAX_TAG; tags++) {
    while (b[i] !== GREATER_THAN && byteAt(b, i) >= BLANK && i - at < 2 * MAX_TAG) i++;
    if (b[i] !== GREATER_THAN) return at;
    i = skipSpace(b, i + 1);
  }
  return i;
}

/** The end of a value without what only follows it: a full stop, spaces. */
function trimmed(b: Uint8Array, from: number, end: number, quoted: boolean, isText: boolean): number {
  let to = end;
  if (!quoted && b[to - 1] === FULL_STOP) to--;
  if (isText) while (to > from && classAt(b, to - 1) & SPACE) to--;
  return to;
}

/** Bytes that end a name or an address without quotes, beside line breaks. */
const ENDS_TEXT = new Uint8Array(256);
for (const c of ',;|\t<{}[]"\r') ENDS_TEXT[c.charCodeAt(0)] = 1;

function closesValue(c: number, quoted: boolean, quote: number, isText: boolean): boolean {
  if (c === 0 || c === LINE_FEED) return true;
  if (quoted) return c === quote;
  return isText ? ENDS_TEXT[c] === 1 : CLOSING[c] === 1 || c === LEFT_PARENTHESIS;
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
  if (label.kind === 'password' && isCaption(pass.slice(from, to))) return false;
  pass.found(label.tag, BARE, from, to);
  return true;
}
