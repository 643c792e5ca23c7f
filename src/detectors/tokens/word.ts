import { MIN_CARD } from '../checks/card.ts';
import { isIn } from '../checks/check-digits.ts';
import { ownKey } from '../context/keys.ts';
import { BARE, CHECKSUM } from '../kinds/kind.ts';
import { isFiscalCode } from '../kinds/national-ids/southern-europe.ts';
import { kinds, tagId } from '../kinds/taxonomy.ts';
import { cardInWord } from '../numbers/apart.ts';
import { gluedCard } from '../numbers/cards.ts';
import type { Pass } from '../pass.ts';
import {
  ALNUM,
  ALPHA,
  bitCount,
  byteAt,
  classAt,
  DIGIT,
  hexAt,
  is,
  isAt,
  LOWER,
  SPACE,
  UNDERSCORE,
  UPPER,
  WORD,
} from '../text/bytes.ts';
import * as Char from '../text/chars.ts';
import { cryptoAddress } from './crypto-address.ts';
import { counts, joined, MAX_SHAPE, opened, type Shape, shapesOf } from './letter-forms.ts';
import { jwt } from './private-keys.ts';
import {
  azureKey,
  dataCentreKey,
  licenseOfMaxMind,
  sessionOfSalesforce,
  terraformToken,
  threePartToken,
} from './segmented-tokens.ts';
import { plate, VIN_LENGTH, vehicleId } from './vehicle.ts';
import { opensVendor, vendorToken } from './vendor-tokens.ts';

const FISCAL = tagId('IT_FISCAL_CODE');
/** Kinds that have no form of their own: a word with digits counts when theirs is the nearest word before it. */
const NAMED = kinds.filter(({ anyWord }) => anyWord).map(({ tag }) => tagId(tag));
const NAMED_REACH = 27;
/** Characters of a licence key of MaxMind. */
const MAXMIND = 40;
const MIN_HASH = 12;
/**
 * Shortest text worth decoding: 15 bytes, a number with its label. One without a capital letter is none: every digit,
 * space and sign of a text gives one in base64 where it is the first of three bytes.
 */
const MIN_ENCODED = 18;
/** Characters of an access key of AWS. */
const ACCESS_KEY = 20;
/** Longer than a card with a word before it. */
const MAX_GLUED = 40;
/** Longer words of digits and small letters are hashes in hexadecimal or encoded. */
const MAX_PLAIN = 64;

/** A word of letters and digits that begins at `from`; returns where to go on, at least at its end. */
export function word(pass: Pass, from: number): number {
  const b = pass.text.bytes;
  if (opensVendor(b, from)) {
    const token = vendorToken(pass, from) || jwt(pass, from);
    if (token !== 0) return token;
  }
  if (isAt(b, from, 'iban')) {
    const bank = iban(pass, b[from + 4] === Char.LOW_LINE_SIGN ? from + 5 : from + 4);
    if (bank !== 0) return bank;
  }
  let to = from;
  let classes = 0;
  let digits = 0;
  let digitCount = 0;
  const stop = from + MAX_SHAPE;
  let cls = classAt(b, to);
  for (; cls & WORD && to < stop; cls = classAt(b, ++to)) {
    classes |= cls;
    digits |= (cls & DIGIT) << (to - from);
    digitCount += cls & DIGIT;
  }
  for (; cls & WORD; cls = classAt(b, ++to)) {
    classes |= cls;
    digitCount += cls & DIGIT;
  }
  const length = to - from;
  // keyAKIA…
  if (length > ACCESS_KEY && is(b, to - ACCESS_KEY - 1, LOWER) && opensVendor(b, to - ACCESS_KEY)) {
    const token = vendorToken(pass, to - ACCESS_KEY);
    if (token === to) return token;
  }
  const mayBeEncoded = mayEncode(b, from, to, classes);
  if (classes & UNDERSCORE) {
    const known = underscored(pass, from, to, digitCount);
    return known || (mayBeEncoded ? pass.encoded(from, to) : to);
  }
  if (length === 8 && b[to] === Char.HYPHEN && isUuid(b, from)) return from + 36;
  const known =
    account(pass, from, to, digits) || sessionOfSalesforce(pass, from, to) || terraformToken(pass, from, to);
  if (known !== 0) return known;
  const token = length > MAX_SHAPE ? longToken(pass, from, to) : 0;
  if (token !== 0) return token;
  const end = length <= MAX_SHAPE ? identifier(pass, from, to, digits, classes) : to;
  return mayBeEncoded && end === to ? pass.encoded(from, to) : end;
}

/** Reads a word with low lines: a licence key, or a card number in it. Returns where it ends, or 0. */
function underscored(pass: Pass, from: number, to: number, digitCount: number): number {
  const license = to - from === MAXMIND ? licenseOfMaxMind(pass, from) : 0;
  if (license !== 0) return license;
  return digitCount >= MIN_CARD ? iban(pass, from) || cardInWord(pass, from, to) : 0;
}

/** An IBAN, or a card number that letters are glued to. Returns where it ends, or 0. */
function account(pass: Pass, from: number, to: number, digits: number): number {
  const length = to - from;
  const bank = (digits & 15) === 12 ? iban(pass, from) : 0;
  if (bank !== 0) return bank;
  return length > MIN_CARD && length < MAX_GLUED && digits !== 0 && isLong(digits)
    ? gluedCard(pass, from, to)
    : 0;
}

/** Whether eight digits in a row are among these. */
function isLong(digits: number): boolean {
  const pairs = digits & (digits >> 1);
  const fours = pairs & (pairs >> 2);
  return (fours & (fours >> 4)) !== 0;
}

/** Whether the word from `from` to `to` may encode a text. */
function mayEncode(b: Uint8Array, from: number, to: number, classes: number): boolean {
  const length = to - from;
  if (length < MIN_ENCODED) return length > 7 && (classes & ALNUM) === ALNUM && isJoined(byteAt(b, to));
  return (classes & UPPER) !== 0 || length > MAX_PLAIN || (length % 2 === 0 && isHexText(b, from));
}

/** A token or address that is too long for an identifier; returns where it ends, or 0. */
function longToken(pass: Pass, from: number, to: number): number {
  const parted = dataCentreKey(pass, from, to) || threePartToken(pass, from, to);
  if (parted !== 0) return parted;
  return azureKey(pass, from, to) || (to - from <= 90 && cryptoAddress(pass, from, to)) ? to : 0;
}

/** A word short enough to be an identifier of a person. */
function identifier(pass: Pass, from: number, to: number, digits: number, classes: number): number {
  const b = pass.text.bytes;
  const length = to - from;
  const found = shaped(pass, from, to, digits, (classes & LOWER) === 0);
  if ((length === VIN_LENGTH && vehicleId(pass, from, classes)) || found) return to;
  const end =
    joined(pass, from, to, digits) ||
    openedBefore(pass, from, digits) ||
    (length < 9 && (classes & LOWER) === 0 ? plate(pass, from, to) : 0);
  if (end !== 0) return end;
  if (isNamedFiscalCode(pass, from, to)) pass.found(FISCAL, BARE, from, to);
  else if (length >= 6 && length <= 15 && isWhole(b, from, to)) named(pass, from, to, digits);
  return to;
}

/** Whether the word has the shape of an identifier and passes its check; reports each that it may be. */
function shaped(pass: Pass, from: number, to: number, digits: number, isUpper: boolean): boolean {
  const fitting = shapesOf(to - from, digits);
  if (fitting === undefined) return false;
  let found = false;
  for (let k = 0; k < fitting.length; k++) {
    const form = fitting[k] as Shape;
    if (!form.check(pass.text.bytes, from) || !counts(pass, form, isUpper, from, to)) continue;
    pass.found(form.tag, form.rank, from, to);
    found = true;
  }
  return found;
}

/** An Italian fiscal code with letters for digits (omocodia), which only a word tells. */
function isNamedFiscalCode(pass: Pass, from: number, to: number): boolean {
  const b = pass.text.bytes;
  if (to - from !== 16 || !(classAt(b, from) & ALPHA)) return false;
  return isFiscalCode(b, from) && pass.near(FISCAL, from);
}

/** Whether the word is no part of a code with dashes, a path or a parameter. */
function isWhole(b: Uint8Array, from: number, to: number): boolean {
  return !isJoined(byteAt(b, from - 1)) && b[to] !== Char.EQUALS_SIGN && !isJoined(byteAt(b, to));
}

/** A value of which the word is the part after its first letters: AB 123456C. */
function openedBefore(pass: Pass, from: number, digits: number): number {
  let run = 0;
  while ((digits >> run) & 1) run++;
  return run === 0 ? 0 : opened(pass, from, run);
}

function named(pass: Pass, from: number, to: number, digits: number): void {
  const count = bitCount(digits);
  if (count < 4 || 2 * count < to - from || !pass.context.any(from) || isHash(pass.text.bytes, from, to))
    return;
  let nearest = -1;
  let distance = NAMED_REACH;
  for (const tag of NAMED) {
    const own = pass.context.distance(tag, from);
    if (own >= distance) continue;
    distance = own;
    nearest = tag;
  }
  const key = ownKey(pass.text.bytes, from);
  if (nearest >= 0 && (key === 0 || distance <= from - key)) pass.found(nearest, BARE, from, to);
}

/** Whether small letters and digits are all hexadecimal, and many or mixed: the number of a commit or of a member of a cluster. */
function isHash(b: Uint8Array, from: number, to: number): boolean {
  let changes = 0;
  for (let i = from; i < to; i++) {
    if (hexAt(b, i) > 15 || is(b, i, UPPER)) return false;
    if (i > from && is(b, i, DIGIT) !== is(b, i - 1, DIGIT)) changes++;
  }
  return changes > 2 || (changes > 0 && to - from >= MIN_HASH);
}

/**
 * The text that a word without a digit encodes, as base64 of short texts and of digits may be: no digit brings it to
 * notice, but the end of the text or the padding at `to`. Returns where it ends, or 0.
 */
export function encodedWithoutDigit(pass: Pass, to: number): number {
  const b = pass.text.bytes;
  let from = to;
  let classes = 0;
  while (classAt(b, from - 1) & WORD) classes |= classAt(b, --from);
  if (to - from < MIN_ENCODED || (classes & (UPPER | DIGIT)) !== UPPER) return 0;
  const end = pass.encoded(from, to);
  return end > to ? end : 0;
}

/** Whether the first four bytes in hexadecimal are letters and digits of a text, or 0x is before them. */
function isHexText(b: Uint8Array, from: number): boolean {
  const at = b[from] === Char.DIGIT_0 && b[from + 1] === Char.LOWER_X ? from + 2 : from;
  for (let i = at; i < at + 8; i += 2) {
    const high = hexAt(b, i);
    if (high < 2 || high > 7 || hexAt(b, i + 1) > 15) return false;
  }
  return true;
}

/** Whether a word is only a part: of base64, of a path, of a code with dashes. */
function isJoined(c: number): boolean {
  return c === Char.PLUS || c === Char.SLASH || c === Char.HYPHEN;
}

/** A UUID (RFC 9562) at `from`: the commonest of all words, and nobody's. */
function isUuid(b: Uint8Array, from: number): boolean {
  if (b[from + 13] !== Char.HYPHEN || b[from + 18] !== Char.HYPHEN || b[from + 23] !== Char.HYPHEN)
    return false;
  for (let i = 0; i < 36; i++) {
    if (hexAt(b, from + i) > 15 && i !== 8 && i !== 13 && i !== 18 && i !== 23) return false;
  }
  return !(classAt(b, from + 36) & WORD);
}

const ICD10 = tagId('ICD10_CODE');
/** How near its word a code stands: ICD-10 I10, Dx E78.5. */
const REACH = 8;
const MAX_SUBCODE = 4;

/** The code of a disease whose letter is at `from`, behind its word; returns where it ends, or 0. */
export function icdCode(pass: Pass, from: number): number {
  const b = pass.text.bytes;
  if (b[from - 1] !== Char.BLANK || !is(b, from, UPPER) || isIn('u', b, from)) return 0;
  if (!is(b, from + 1, DIGIT) || !is(b, from + 2, DIGIT | UPPER)) return 0;
  let to = from + 3;
  if (b[to] === Char.FULL_STOP && is(b, to + 1, DIGIT | UPPER)) {
    to++;
    const subcode = to;
    while (to - subcode < MAX_SUBCODE && is(b, to, DIGIT | UPPER)) to++;
  }
  if (is(b, to, WORD) || (b[to] === Char.FULL_STOP && byteAt(b, to + 1) > Char.BLANK)) return 0;
  if (!pass.isOn(ICD10) || !pass.context.any(from) || pass.context.distance(ICD10, from) > REACH) return 0;
  return pass.found(ICD10, BARE, from, to);
}

const IBAN = tagId('IBAN_CODE');

/** ISO 13616 registry: length of the whole number by country. */
const LENGTHS =
  'AD24AE23AL28AT20AZ28BA20BE16BG22BH22BI27BR29BY28CH21CR22CY28CZ24DE22DJ27DK18DO28EE20EG29ES24FI18FK18FO18FR27GB22GE22GI23' +
  'GL18GR27GT28HN28HR21HU28IE22IL23IQ23IS26IT27JO30KW30KZ20LB28LC32LI21LT20LU20LV21LY25MC27MD24ME22MK19MN20MR27MT31MU30' +
  'NI28NL18NO15OM23PK24PL28PS29PT25QA29RO24RS22RU33SA24SC31SD18SE24SI19SK24SM27SO23ST25SV28TL23TN24TR26UA29VA22VG24XK20YE30';
const LENGTH = new Uint8Array(32 * 32);
for (let i = 0; i < LENGTHS.length; i += 4) {
  LENGTH[((LENGTHS.charCodeAt(i) & 31) << 5) | (LENGTHS.charCodeAt(i + 1) & 31)] = Number(
    LENGTHS.slice(i + 2, i + 4),
  );
}

/** The value of a letter or digit. */
const VALUE = new Uint8Array(256);
for (let value = 0; value < 36; value++) {
  const text = value.toString(36);
  for (const c of [text.charCodeAt(0), text.toUpperCase().charCodeAt(0)]) VALUE[c] = value;
}
/** An IBAN that begins with the word at `from`, written in one or in groups; returns where it ends, or 0. */
function iban(pass: Pass, from: number): number {
  const b = pass.text.bytes;
  const length = byteAt(LENGTH, ((byteAt(b, from) & 31) << 5) | (byteAt(b, from + 1) & 31));
  if (length === 0) return 0;
  const to = endOf(b, from, length);
  if (to === 0 || classAt(b, to) & WORD) return 0;
  // the first four count last
  if (remainder(b, from, from + 4, remainder(b, from + 4, to, 0)) !== 1) return 0;
  return pass.found(IBAN, CHECKSUM, from, to);
}

/** Bytes of the longest part that stands between two groups. */
const MAX_PART = 6;

/** Where as many letters and digits as there should be end; 0 when they are not written as an IBAN. */
function endOf(b: Uint8Array, from: number, length: number): number {
  let part = 0;
  let partSize = 0;
  let breaks = 0;
  let classes = 0;
  let i = from + 4;
  for (let left = length - 4; left > 0; i++) {
    const cls = classAt(b, i);
    if (cls & ALNUM) {
      classes |= cls;
      left--;
      continue;
    }
    // between groups of four, the same everywhere; any white space is a blank, and lines are wrapped anywhere
    if ((length - left) % 4 !== 0 && b[i] !== Char.LINE_FEED) return 0;
    let size = 1;
    while (size <= MAX_PART && !(classAt(b, i + size) & ALNUM)) size++;
    if (size > MAX_PART || byteAt(b, i) === Char.NUL || (breaks > 0 && size !== partSize)) return 0;
    for (let k = 0; k < size && breaks > 0; k++) if (spaced(b, i + k) !== spaced(b, part + k)) return 0;
    part = i;
    partSize = size;
    breaks++;
    i += size - 1;
  }
  const first = classAt(b, from);
  const second = classAt(b, from + 1);
  if (!(first & ALPHA) || !(second & ALPHA)) return 0;
  classes |= first | second;
  // written in one case, but for some letters: base64 has as many of both
  if ((classes & ALPHA) === ALPHA && !isMostlyDigits(b, from, i)) return 0;
  return breaks !== 0 && breaks !== (length - 1) >> 2 && !(partSize === 1 && is(b, part, SPACE)) ? 0 : i; // all groups, or none
}

function spaced(b: Uint8Array, at: number): number {
  return is(b, at, SPACE) ? Char.BLANK : byteAt(b, at);
}

/** The remainder modulo 97 (ISO 7064) of a number, `rest`, with letters and digits put after it. */
function remainder(b: Uint8Array, from: number, to: number, rest: number): number {
  let value = rest;
  for (let i = from; i < to; i++) {
    const c = byteAt(b, i);
    if (is(b, i, ALNUM)) value = (value * (byteAt(VALUE, c) < 10 ? 10 : 100) + byteAt(VALUE, c)) % 97;
  }
  return value;
}

function isMostlyDigits(b: Uint8Array, from: number, to: number): boolean {
  let letters = 0;
  for (let i = from; i < to; i++) if (classAt(b, i) & ALPHA) letters++;
  return letters * 4 <= to - from;
}
