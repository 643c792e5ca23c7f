import { BARE } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { tagId } from '../taxonomy.ts';
import {
  AMPERSAND,
  ASTERISK,
  BLANK,
  COLON_SIGN,
  COMMA,
  EQUALS_SIGN,
  FULL_STOP,
  GREATER_THAN,
  HYPHEN,
  LEFT_PARENTHESIS,
  LESS_THAN,
  LINE_FEED,
  QUESTION_MARK,
  RIGHT_BRACKET,
  RIGHT_PARENTHESIS,
} from '../text/ascii.ts';
import { ALNUM, LOWERED, SPACE } from '../text/bytes.ts';
import { byteAt, classAt, classOf, isAt } from '../text/read.ts';
import { addressEnd } from './address-end.ts';
import { skipBlanks } from './command-words.ts';
import { fieldLabel } from './field-label.ts';
import { jwt } from './jwt.ts';
import { MAX_LABEL } from './label-cache.ts';
import { type Label, labelEndings } from './label-rules.ts';
import { isLabelled, isSecret } from './label-value.ts';
import {
  CLOSING,
  isCitizens,
  isLabelByte,
  isMention,
  isSecretKind,
  labelBefore,
  MAX_VALUE,
  QUOTE,
  schemeLength,
} from './labels.ts';
import { MAX_TAG, skipSpace } from './markup-value.ts';
import { slashedPair } from './offered-value.ts';
import { isOneName, namedPerson, nameEnd, nativeEnd } from './person-value.ts';
import { isCaption } from './plain-words.ts';
import { secretValue } from './secret-value.ts';
import { seedPhrase, seedPhraseAt } from './seed-phrase.ts';
import { valueAfter } from './value-after.ts';
import { vendorToken } from './vendor-match.ts';

/** Bytes between a label and its value. */
const OPERATOR = new Uint8Array(256);
for (const c of ' =>:\t') OPERATOR[c.charCodeAt(0)] = 1;

const MAX_NESTED = 2;
const NAME = 'name';
const MAX_TAGS = 4;
/** Attributes that hold the value of a field. */
const VALUES = ['value', 'defaultvalue'];
const PASSWORD: Label = { tag: tagId('PASSWORD'), kind: 'password' };

/** A value assigned to a label by the colon, equals sign or bracket at `at`; returns where it ends, or 0. */
export function assignment(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  let to = at;
  while (
    at - to < 4 &&
    (QUOTE[byteAt(b, to - 1)] === 1 || b[to - 1] === BLANK || b[to - 1] === RIGHT_BRACKET)
  )
    to--;
  if (isAt(b, to - 3, ' is')) to -= 3; // my recovery phrase is: …
  if (b[to - 1] === RIGHT_PARENTHESIS) to = remarkStart(b, to);
  if (!labelEndings.fits(b, to)) return 0;
  const own = labelBefore(pass, to, b[at] === EQUALS_SIGN);
  if (own !== null && (own.kind === 'secret' || own.kind === 'username')) {
    const second = slashedPair(b, at);
    // the user before it is read as well
    if (second !== 0 && pass.isOn(PASSWORD.tag))
      return secretValue(pass, PASSWORD, second, 'sentence') === 0 ? 0 : at + 1;
  }
  if (own !== null && isSecretKind(own)) return unspotted(pass, own);
  const paired = own === null ? pairedLabel(pass, to) : null;
  if (paired !== null && pass.isOn(paired.tag))
    return isSecretKind(paired)
      ? secretValue(pass, paired, skipBlanks(b, at + 1), 'line')
      : labelledValue(pass, paired, at + 1);
  if (own === null && b[at] === EQUALS_SIGN && isQuery(b, to)) return labelledValue(pass, QUERY_KEY, at + 1);
  if (own === null && isWord(b, to, NAME)) return namedPerson(pass, to - NAME.length, at);
  if (own === null || !pass.isOn(own.tag)) return 0;
  if (own.kind === 'identifier' && isCitizens(b, pass.labelStart)) return 0;
  // a=b=c=…: each might be the label of all that follows
  pass.nestedValues = at < pass.valueEnd ? pass.nestedValues + 1 : 0;
  return pass.nestedValues > MAX_NESTED ? 0 : labelledValue(pass, own, at + 1);
}

/** Where the label ends before the remark in parentheses that ends at `to`: Full name (as in passport): …; `to` for none. */
function remarkStart(b: Uint8Array, to: number): number {
  let i = to - 2;
  while (to - i < MAX_LABEL && (isLabelByte(byteAt(b, i)) || b[i] === BLANK)) i--;
  return b[i] === LEFT_PARENTHESIS && b[i - 1] === BLANK ? i - 1 : to;
}

const QUERY_KEY: Label = { tag: tagId('API_KEY'), kind: 'token' };
const QUERY_KEYS = ['key', 'appid', 'app_key'];

/** Whether the parameter of a URL that ends at `to` is one that services take their keys in: `?key=…`, `&appid=…`. */
function isQuery(b: Uint8Array, to: number): boolean {
  return QUERY_KEYS.some((name) => {
    const before = byteAt(b, to - name.length - 1);
    return (before === QUESTION_MARK || before === AMPERSAND) && isWord(b, to, name);
  });
}

/** The secret after a label that was just read, unless its name was spotted before: then its value was read there. */
function unspotted(pass: Pass, label: Label): number {
  if (
    pass.labelEnd === pass.spottedEnd ||
    !pass.isOn(label.tag) ||
    isMention(pass.text.bytes, pass.labelStart, pass.labelEnd)
  )
    return 0;
  pass.spottedEnd = pass.labelEnd;
  return valueAfter(pass, label, pass.labelStart, pass.labelEnd);
}

/** The label of a value whose name stands before it: `key="password" value="…"`, `name: DB_PASSWORD` and a line `value: …`. */
function pairedLabel(pass: Pass, to: number): Label | null {
  const b = pass.text.bytes;
  for (const attribute of VALUES)
    if (isWord(b, to, attribute)) {
      const label = fieldLabel(pass, to - attribute.length);
      if (label !== null) return label.kind === 'seed' ? null : label;
    }
  if (!isWord(b, to, 'value')) return null;
  let end = to - 5;
  while (to - end < MAX_LABEL && isGap(byteAt(b, end - 1))) end--;
  let from = end;
  while (end - from < MAX_LABEL && isLabelByte(byteAt(b, from - 1))) from--;
  let key = from;
  while (from - key < 5 && isGap(byteAt(b, key - 1))) key--;
  if (!isWord(b, key, 'name') && !isWord(b, key, 'key')) return null;
  const label = labelBefore(pass, end);
  return label !== null && isSecretKind(label) ? label : null;
}

/** Bytes between a name and the word before it, or the value behind it. */
function isGap(c: number): boolean {
  return (classOf(c) & SPACE) !== 0 || QUOTE[c] === 1 || c === COLON_SIGN || c === EQUALS_SIGN || c === COMMA;
}

function isWord(b: Uint8Array, to: number, word: string): boolean {
  for (let i = 1; i <= word.length; i++)
    if (LOWERED[byteAt(b, to - i)] !== word.charCodeAt(word.length - i)) return false;
  return !(classAt(b, to - word.length - 1) & ALNUM);
}

/** The value of a command-line flag (`--api-key x`) whose name begins at `at`; returns where it ends, or 0. */
export function flag(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  let to = at;
  while (to - at < MAX_LABEL && isLabelByte(byteAt(b, to))) to++;
  return b[to] === BLANK && b[to + 1] !== HYPHEN ? assignment(pass, to) : 0;
}

/** What may stand before the quote of a literal: N'…' in SQL, @"…", u'…'. */
const PREFIX = new Uint8Array(256);
for (const c of 'NnuUrRbBfF@$') PREFIX[c.charCodeAt(0)] = 1;

/** The value that begins after a label and its operator; returns where it ends, or 0. */
function labelledValue(pass: Pass, label: Label, at: number): number {
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
  const isText = label.kind === 'person' || label.kind === 'address';
  let to = from;
  while (to - from < MAX_VALUE && !closesValue(byteAt(b, to), quoted, quote, isText)) to++;
  pass.valueEnd = to;
  const isNative = label.kind === 'person' && byteAt(b, from) >= 0x80;
  if (to - from < (isNative ? 2 : 3) || to > pass.text.end) return 0;
  to = trimmed(b, from, to, quoted, isText);
  if (label.kind === 'address' && !quoted) to = addressEnd(pass, from, to);
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
  if (isSecretKind(label) && !isSecret(label.kind, bytes, from, to, true)) return false;
  if (label.kind === 'password' && isCaption(pass.slice(from, to))) return false;
  pass.found(label.tag, BARE, from, to);
  return true;
}
