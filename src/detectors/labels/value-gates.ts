import { ByteBuffer, decodeBase64 } from '../encoded/decode.ts';
import {
  ALNUM,
  ALPHA,
  bitCount,
  byteAt,
  classAt,
  classOf,
  DIGIT,
  endOf,
  is,
  LOWER,
  LOWERED,
  SPACE,
  setOf,
  UNDERSCORE,
  UPPER,
} from '../text/bytes.ts';
import * as Char from '../text/chars.ts';
import { classes, looksChosen, looksIssued, looksRandom } from '../tokens/randomness.ts';
import { isThing } from './plain-words.ts';

/**
 * The form of value that a label needs, in this order: any text, made up or random, random, random and long, a name, a full name,
 * an address, a place that may be one, a code. */
export type ValueKind =
  | 'password'
  | 'secret'
  | 'token'
  | 'key'
  | 'person'
  | 'party'
  | 'address'
  | 'place'
  | 'icd10'
  | 'bic'
  | 'username'
  | 'seed'
  | 'identifier';

/** Values that stand for one, or say that there is none. */
const PLACEHOLDERS = new Set(
  'null none nil undefined true false string required optional password passwd secret token key apikey value redacted hidden masked empty unknown default example test todo n/a yes no your_password enter_password bearer basic'.split(
    ' ',
  ),
);
const MAX_PLACEHOLDER = 16;
const REFERENCE =
  /^(?:\$|<|\{|%[^%]+%$|\[|process\.|os\.|env\.|self\.|this\.|config\.|settings\.|vault:|arn:|secret:\/\/|ssm:|file:|https?:|data:|op:\/\/|\(|&|\*[a-z]|@|aws4-|0x[\da-f]{1,16}$|\d{4}-\d\d-\d\dT\d)/i;
/** Placeholders of one line: their beginnings, their parts, and whole ones. */
const FILLER =
  /^(?:(.)\1{3}.{0,56}$|xxx|your[-_ ]|my[-_][a-z]{0,24}(?:secret|key|token|password)$)|x{5}|\.{3}|\*{3}|placeholder|%[sdr]\b|replace[-_ ]?me|change[-_ ]?me[-_ ]|insert[-_ ]/i;
/** A possession of somebody: Jane Doe's Car Payment. */
const POSSESSION = /['\u2019]s /;
/** AWS writes this word into the secrets of its documentation. */
const EXAMPLE = /EXAMPLE/;
const LINE_BREAK = /[\n\r\u2028\u2029]/;
/** The name of a member in code: SerialNumber, RoleName. */
const MEMBER_NAME =
  /^(?:[A-Z][a-z]+)+(?:Ids?|Name|Number|Type|Key|Code|Date|Time|List|Status|Value|Count|Url|Arn)$/;
const PERSON =
  /^(?:[\p{Lu}][\p{L}'\u2019-]+, )?(?:(?:van|von|de|der|den|ten|ter|da|di|du|la|le|del|dos|bin|al|el) )*[\p{Lu}\p{Lo}][\p{L}\p{M}'\u2019.\u00b7\u30fb-]*(?:[ ]+(?:[\p{Lu}\p{Lo}][\p{L}\p{M}'\u2019.-]*|van|von|de|der|den|ten|ter|da|di|la|del|dos|y|e|bin|ibn|al|el)){0,5}$/u;
/** An acronym before words of another script, which no family name is: MCP 服务器. */
const ACRONYM = /^\p{Lu}{2,} \p{Script=Han}/u;
/** Digits and letters, and what parts them: a space or comma, unless the script has none; no call, member or words of code. */
const ADDRESS =
  /^(?!0x|\/|(?:all|any|the|a|an|each) )(?!.*\b(?:void|or|bytes?|integers?|strings?|version|using|socket|pointer|offset|null|representation|requests?)\b)(?=.*(?:^|[\s,/#.-])\p{N}|.*[\p{Script=Han}\p{Script=Hangul}])(?!.*\w\()(?!.*[a-z]\.[a-z])(?=.*\d)(?=.*\p{L}{3})(?=.*[\s,\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{M}\p{N}\s.,'\u2019#/&()\u00b0-]{6,160}$/u;
/** Words for streets, in a text that only may be an address. */
const STREET =
  /(?:stra(?:ss|\u00df)e|str\.|weg|platz|gasse|allee|laan|straat|plein|gade|vej|gatan|v\u00e4gen|gaten|veien|katu)\b|\b(?:street|st|avenue|ave|road|rd|lane|ln|drive|dr|boulevard|blvd|court|ct|crescent|terrace|rue|quai|via|viale|piazza|corso|calle|avenida|plaza|paseo|rua|travessa|ulica|ul|aleja|n\u00e1m\u011bst\u00ed|utca)\b/iu;
const ICD10 = /^[A-TV-Z]\d[0-9A-Z](?:\.?[0-9A-Z]{1,4})?$/;
const BIC = /^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/;
const USERNAME = /^(?!your[-_ ]?|my[-_ ]?)(?=.*[a-z])[\w.@\\+-]{3,64}$/i;
/** An address of mail, which is found as one. */
const MAIL = /@.+\./;
/** A name that is plain without quotes: jdoe42. */
const NUMBERED_NAME = /^[a-z]{2,20}[._-]?[a-z]{0,20}\d{1,4}$/i;
/** Accounts that are of no one person, and what stands for a name. */
const SHARED_ACCOUNTS = new Set(
  'admin administrator root guest user username test tester testuser demo system sysadmin support info service nobody postgres mysql oracle sa ubuntu ec2-user www-data docker git app api bot default anonymous public null none undefined string text true false login name email'.split(
    ' ',
  ),
);
/** No number of 18 digits or more, which is an id of 64 bits. */
const IDENTIFIER =
  /^(?!\d{18})(?=(?:.*\d){4})(?!(?=.*[a-f])[\da-f]{12,}$)[A-Za-z]{0,5}[- ]?[A-Za-z0-9-]{4,20}$/;

/** Whether a text under a label of this kind is a value; `quoted` when its bounds are certain. */
export function isLabelled(kind: ValueKind, text: string, quoted: boolean): boolean {
  switch (kind) {
    case 'person':
      return (
        text.length <= 80 &&
        PERSON.test(text) &&
        (quoted || text.includes(' ')) &&
        !MEMBER_NAME.test(text) &&
        !POSSESSION.test(text)
      );
    case 'party':
      return (
        text.length <= 80 && text.includes(' ') && PERSON.test(text) && !isThing(text) && !ACRONYM.test(text)
      );
    case 'address':
      return ADDRESS.test(text);
    case 'place':
      return STREET.test(text) && ADDRESS.test(text);
    case 'icd10':
      return ICD10.test(text);
    case 'bic':
      return BIC.test(text);
    case 'username':
      if (!(quoted ? USERNAME : NUMBERED_NAME).test(text) || MAIL.test(text)) return false;
      return !SHARED_ACCOUNTS.has(text.toLowerCase().replace(quoted ? '' : /\d+$/, ''));
    case 'seed':
      return false; // its checksum tells: see `seedPhraseAt`
    case 'identifier':
      return IDENTIFIER.test(text) && 2 * text.replace(/\D/g, '').length >= text.replace(/-/g, '').length;
    default:
      return (
        !isPlaceholder(text) &&
        !EXAMPLE.test(text) &&
        !REFERENCE.test(text) &&
        (!FILLER.test(text) || LINE_BREAK.test(text))
      );
  }
}

function isPlaceholder(text: string): boolean {
  return text.length <= MAX_PLACEHOLDER && PLACEHOLDERS.has(text.toLowerCase());
}

/** Characters of the shortest value of a name that only ends in `key`. */
const MIN_KEY = 14;
/** Whether it is neither a list of parts nor a path: a/b.png. */
function isOneWord(b: Uint8Array, from: number, to: number): boolean {
  let slashes = 0;
  let others = 0;
  for (let i = from; i < to; i++) {
    const c = byteAt(b, i);
    if (c === Char.COLON_SIGN || c === Char.COMMA || c === Char.SEMICOLON || c === Char.BLANK) return false;
    if (c === Char.SLASH) slashes++;
    else if (c === Char.FULL_STOP || c === Char.LOW_LINE_SIGN || c === Char.HYPHEN) others++;
  }
  return slashes === 0 || others === 0;
}

const decoded = new ByteBuffer();

/** Whether it is base64 of a name, as the keys of etcd are: of plain text that looks like no secret itself. */
function isEncodedName(b: Uint8Array, from: number, to: number): boolean {
  decodeBase64(b, from, to, decoded);
  const { bytes, length } = decoded;
  for (let i = 0; i < length; i++) if (byteAt(bytes, i) < Char.BLANK || byteAt(bytes, i) > 126) return false;
  return !looksRandom(bytes, 0, length);
}

/** The same for secrets, on the bytes: a password is any text, other secrets look random. */
export function isSecret(kind: ValueKind, b: Uint8Array, from: number, to: number, quoted: boolean): boolean {
  const n = to - from;
  if (kind === 'key')
    return n >= MIN_KEY && isOneWord(b, from, to) && looksRandom(b, from, to) && !isEncodedName(b, from, to);
  if (kind !== 'password')
    return (
      looksRandom(b, from, to) || looksIssued(b, from, to) || (kind === 'secret' && looksChosen(b, from, to))
    );
  if (n > 128 || n < (quoted ? 4 : 5)) return false;
  if (quoted) return true;
  const kinds = classes(b, from, to);
  const symbols = countSymbols(b, from, to);
  return (
    (kinds & DIGIT) !== 0 || symbols > 0 || ((kinds & ALNUM) === (UPPER | LOWER) && !isCamel(b, from, to))
  );
}

/** Bytes that end a token. */
const ENDS = setOf('\0\t\n\r "\'`<>()[]{},;=|');
/** Signs that parts of names have between them too. */
const JOINING: readonly number[] = [...'.-_/:'].map((c) => c.charCodeAt(0));
const MAX_TOKEN = 40;

/** Whether the token at `start` has characters of three kinds: small and capital letters, digits, signs. */
export function isStrong(b: Uint8Array, start: number): boolean {
  let bits = 0;
  for (let i = start; i - start < MAX_TOKEN && ENDS[byteAt(b, i)] === 0; i++) {
    const cls = classAt(b, i) & (DIGIT | UPPER | LOWER);
    bits |= cls !== 0 || JOINING.includes(byteAt(b, i)) ? cls : SPACE;
  }
  const kinds = bitCount(bits);
  return kinds > 2;
}

function countSymbols(b: Uint8Array, from: number, to: number): number {
  let symbols = 0;
  for (let i = from; i < to; i++) {
    const c = byteAt(b, i);
    if (!(classOf(c) & (ALNUM | SPACE)) && c !== 46 && c !== 95 && c !== 40 && c !== 41 && c !== 45)
      symbols++;
  }
  return symbols;
}

/** An identifier such as getPassword: a lower-case beginning, then words. */
function isCamel(b: Uint8Array, from: number, to: number): boolean {
  let small = 0;
  for (let i = from; i < to; i++) if (LOWERED[byteAt(b, i)] === b[i]) small++;
  return small > (to - from) / 2;
}

/** No member of an object has a longer name, with those before it. */
const MAX_EXPRESSION = 72;

/** Whether the value is the name of a type with a number in it: Uint8Array, OAuth2Token. */
export function isType(b: Uint8Array, from: number, to: number): boolean {
  let i = endOf(b, from, ALPHA);
  const digits = i;
  while (is(b, i, DIGIT)) i++;
  if (digits === from || i === digits || i - digits > 3 || !is(b, digits - 1, LOWER) || !is(b, i, UPPER))
    return false;
  while (is(b, i, UPPER) && is(b, i + 1, LOWER)) {
    i++;
    while (is(b, i, LOWER)) i++;
  }
  return i === to;
}

/** Whether the text is the path of a member: data[0].secret. */
export function isPath(text: string): boolean {
  return text.includes('[') && /^[\w$]+(?:\[\d*\]|\.[\w$*]+)+$/.test(text);
}

/** Whether an unquoted value is an expression: a member, a call, a default. */
export function isCode(b: Uint8Array, from: number, to: number, next: number): boolean {
  if (next === Char.QUESTION_MARK || next === Char.LEFT_BRACE) return true;
  if (to - from > MAX_EXPRESSION && hasDigit(b, from, to)) return false;
  let dots = 0;
  for (let i = from; i < to; i++) {
    const c = byteAt(b, i);
    // no member of an object begins with a digit: plum.Torch.41
    if (c === Char.FULL_STOP && is(b, i + 1, DIGIT)) return false;
    if (c === Char.FULL_STOP) dots++;
    else if (!(classOf(c) & (ALNUM | UNDERSCORE))) return false;
  }
  // self.password1, auth.value2
  return dots > 0 && byteAt(b, from) > Char.DIGIT_0 + 9;
}

export function hasDigit(b: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (classAt(b, i) & DIGIT) return true;
  return false;
}
