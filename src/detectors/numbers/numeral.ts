import { isDate, numberAt } from '../checks/check-digits.ts';
import { hexByte } from '../encoded/decode.ts';
import { BARE, FORMATTED } from '../kinds/kind.ts';
import { tagId } from '../kinds/taxonomy.ts';
import type { Pass } from '../pass.ts';
import { assignment } from '../syntaxes/assignment.ts';
import {
  ALPHA,
  byteAt,
  classAt,
  classOf,
  DIGIT,
  endOf,
  is,
  LOWERED,
  SYMBOL,
  setOf,
  WORD,
} from '../text/bytes.ts';
import * as Char from '../text/chars.ts';
import { joinedDigits } from '../tokens/letter-forms.ts';
import { hashAround, hashAt } from '../tokens/password-hash.ts';
import { appToken, azureSecret, botToken, slashedToken } from '../tokens/segmented-tokens.ts';
import { mayBePlate, plate } from '../tokens/vehicle.ts';
import { icdCode, word } from '../tokens/word.ts';
import { apart, mayBeApart } from './apart.ts';
import { trackCard } from './cards.ts';
import { hemispheres, isAngle } from './coordinates.ts';
import { datedMoment, easternDate, loggedMomentEnd, momentEnd } from './dates.ts';
import { nextGroup } from './groups.ts';
import { plainAddress, versionEnd } from './network-addresses.ts';
import { numbers } from './numbers.ts';
import { codeBefore, MAX_SHORT, mayBeShort, shortNumber } from './short-codes.ts';
import { mayBeDay, wordedDate } from './worded-date.ts';

const MRN = tagId('MRN');
const SSN = tagId('US_SSN');
const PID = [...'PID|'].map((c) => c.charCodeAt(0));
const MAX_SEGMENT = 400;
/** Fields of HL7's segment PID: the list of the patient's identifiers, date of birth and social security number. */
const IDENTIFIERS = 3;
const DATE_FIELD = 7;
const SSN_FIELD = 19;

/** The digits from `at` to `to`, behind a bar, as a field of HL7's segment PID; returns where it ends, or 0. */
function segmentField(pass: Pass, at: number, to: number): number {
  const b = pass.text.bytes;
  let bars = 0;
  let i = at;
  for (; i > pass.text.start && at - i < MAX_SEGMENT; i--) {
    const c = byteAt(b, i - 1);
    if (c === Char.LINE_FEED || c === Char.CARRIAGE_RETURN) break;
    if (c === Char.VERTICAL_BAR) bars++;
  }
  if (!PID.every((c, k) => b[i + k] === c) || is(b, to, WORD)) return 0;
  if (bars === IDENTIFIERS) return pass.found(MRN, BARE, at, to);
  if (bars === SSN_FIELD && to - at === 9) return pass.found(SSN, BARE, at, to);
  if (bars !== DATE_FIELD || to - at < 8 || !pass.isOn(BIRTH)) return 0;
  if (!isDate(numberAt(b, at, 4), numberAt(b, at + 4, 2), numberAt(b, at + 6, 2))) return 0;
  pass.found(BIRTH, FORMATTED, at, at + 8);
  return to;
}

const BIRTH = tagId('DATE_OF_BIRTH');
/** Signs before the words of a password's hash. */
const HASHED = setOf('$}');
/** Digits that stand before a code's word at least. */
const GROUP = 4;
/** Digits of the shortest row of them that may encode a text. */
const MIN_ENCODED = 24;
/** Digits of the shortest field of a segment that is read. */
const MIN_FIELD = 5;
/** Digits of the largest exponent that is written: 1.8e+308. */
const MAX_EXPONENT = 3;
/** Digits that one group has at least when no other follows it. */
const MIN_DIGITS = 6;

/** The word or number with its first digit at `i`; returns where to go on. */
export function numeral(pass: Pass, i: number, floor: number): number {
  const b = pass.text.bytes;
  let from = i;
  while (from > floor && classAt(b, from - 1) & WORD) from--;
  if (HASHED[byteAt(b, from - 1)] === 1) {
    const hash = hashAround(pass, from);
    if (hash !== 0) return hash;
  }
  return from < i ? lettersFirst(pass, from, i) : digitsFirst(pass, i);
}

function lettersFirst(pass: Pass, from: number, i: number): number {
  const b = pass.text.bytes;
  if (from === i - 1) {
    const known = afterLetter(pass, from) || icdCode(pass, from);
    if (known !== 0) return known;
  }
  if (b[from] === Char.UPPER_B) {
    const card = trackCard(pass, from + 1);
    if (card !== 0) return card;
  }
  const hash = isHashName(b, from) ? hashAt(pass, from) : 0;
  if (hash !== 0) return hash;
  if (isBot(b, from, i)) return botToken(pass, i, endOf(b, i, DIGIT)) || word(pass, from);
  const end = word(pass, from);
  return (b[end] === Char.TILDE && azureSecret(pass, end - 1)) || element(pass, from) || end;
}

/** A place whose hemisphere is the letter at `from`: N40°26'…. Returns where it ends, or 0. */
function afterLetter(pass: Pass, from: number): number {
  const b = pass.text.bytes;
  let to = from + 1;
  while (to - from < 4 && is(b, to, DIGIT)) to++;
  return isAngle(b, to) ? hemispheres(pass, from + 1) : 0;
}

/** Whether the token of a bot stands behind its word in an address: /bot123456:AA…. */
function isBot(b: Uint8Array, from: number, i: number): boolean {
  return (
    i - from === 3 &&
    b[from] === Char.LOWER_B &&
    b[from - 1] === Char.SLASH &&
    b[endOf(b, i, DIGIT)] === Char.COLON_SIGN
  );
}

/** Whether the name of a method may begin at `from`: pbkdf2_sha256$…, sha1$…. */
function isHashName(b: Uint8Array, from: number): boolean {
  return b[from] === Char.LOWER_P && b[from + 1] === Char.LOWER_B && b[from + 2] === Char.LOWER_K;
}

/** The text of an element whose name says what it is: <password>x1</password>; returns where it ends, or 0. */
function element(pass: Pass, from: number): number {
  return pass.text.bytes[from - 1] === Char.GREATER_THAN ? assignment(pass, from - 1) : 0;
}

function digitsFirst(pass: Pass, i: number): number {
  const b = pass.text.bytes;
  const to = endOf(b, i, DIGIT);
  const c = byteAt(b, to);
  const version = c === Char.FULL_STOP && to - i === 1 ? versionEnd(b, to) : 0;
  if (version !== 0) return version;
  const address = c === Char.FULL_STOP && to - i < 4 && mayBeAddress(b, to) ? plainAddress(pass, i, to) : 0;
  if (address !== 0) return address;
  const slashed = c === Char.SLASH && to - i === 1 ? slashedToken(pass, i) : 0;
  if (slashed !== 0) return slashed;
  const listed = mayBeList(b, i, to) ? pass.byteList(i) : 0;
  if (listed !== 0) return listed;
  const parted = mayBeApart(b, i, to) ? apart(pass, i, to) : 0;
  if (parted !== 0) return parted;
  const known = to - i <= MAX_SHORT ? fewDigits(pass, i, to, c) : 0;
  return known || segment(pass, i, to) || numberOrWord(pass, i, to, c);
}

/** The field of a segment of HL7 that the digits after a bar are; returns where it ends, or 0. */
function segment(pass: Pass, i: number, to: number): number {
  return pass.text.bytes[i - 1] === Char.VERTICAL_BAR && to - i >= MIN_FIELD ? segmentField(pass, i, to) : 0;
}

/** Reads on from the digits between `i` and `to`: a number in groups, a moment, a word; returns where it ends. */
function numberOrWord(pass: Pass, i: number, to: number, c: number): number {
  const b = pass.text.bytes;
  if (c === Char.FULL_STOP) {
    const measured = exponentEnd(b, to);
    if (measured !== 0) return measured;
  }
  if (to - i < MIN_DIGITS && !continues(b, to, c))
    return joinedDigits(pass, i, to) || (mayBePlate(b, i, to) && plate(pass, i, to)) || to;
  // the day of a line of syslog, and the time behind it; what goes on with digits is no time
  if (c === Char.BLANK && to - i < 3 && b[to + 3] === Char.COLON_SIGN) {
    const time = momentEnd(b, to + 1, to + 3, Char.COLON_SIGN);
    if (time !== 0 && !is(b, time + 1, DIGIT)) return time;
  }
  if (c === Char.HYPHEN || c === Char.COLON_SIGN) {
    const moment = momentOrToken(pass, i, to, c);
    if (moment !== 0) return moment;
  }
  const logged = isLogged(c) && !pass.strict ? loggedMomentEnd(b, i, to, c) : 0;
  if (logged !== 0 && !pass.context.any(i) && !mayGoOn(b, logged)) return logged;
  if (c === Char.VERTICAL_BAR && (to - i === 15 || to - i === 16))
    return appToken(pass, i, to) || numbers(pass, i);
  if (to - i >= MIN_ENCODED && pass.encoded(i, to) > to) return pass.encodedEnd;
  if (!(classOf(c) & WORD) || isExtended(b, i, to)) return numbers(pass, i);
  const known = (c === Char.UPPER_Q && azureSecret(pass, to)) || element(pass, i);
  if (known !== 0) return known;
  const end = word(pass, i);
  return (b[end] === Char.TILDE && azureSecret(pass, end - 1)) || end;
}

/** A date that begins with a day or year, or a number that is short as a rule; returns where it ends, or 0. */
function fewDigits(pass: Pass, i: number, to: number, c: number): number {
  const b = pass.text.bytes;
  if (to - i < 3 && mayBeDay(b, i, to) && pass.isOn(BIRTH)) {
    const dated = wordedDate(pass, i, to);
    if (dated !== 0) return dated;
  }
  if (c > 0x7f && pass.isOn(BIRTH)) {
    const dated = to - i === 4 || to - i < 3 ? easternDate(pass, i, to) : 0;
    if (dated !== 0) return dated;
  }
  if (to - i < 4 && (c === Char.FULL_STOP || c === SYMBOL) && isAngle(b, to)) {
    const place = hemispheres(pass, i);
    if (place !== 0) return place;
  }
  if (to - i >= GROUP && c === Char.BLANK && b[to + 1] === Char.LOWER_I && b[to + 2] === Char.LOWER_S) {
    const code = codeBefore(pass, i, to);
    if (code !== 0) return code;
  }
  return mayBeShort(b, i) ? shortNumber(pass, i, to) : 0;
}

/** Whether another dot stands where the second octet of an address ends that begins behind the one at `dot`. */
function mayBeAddress(b: Uint8Array, dot: number): boolean {
  return b[dot + 2] === Char.FULL_STOP || b[dot + 3] === Char.FULL_STOP || b[dot + 4] === Char.FULL_STOP;
}

/** Whether what stands behind the year of a moment in a log does. */
function isLogged(c: number): boolean {
  return c === Char.SLASH || c === Char.COLON_SIGN || c === Char.BLANK;
}

/** Whether a word behind digits that end at `to` may be part of one value with them. */
function mayGoOn(b: Uint8Array, to: number): boolean {
  return (b[to] === Char.BLANK || b[to] === Char.HYPHEN) && is(b, to + 1, ALPHA);
}

/** A date or time of day, or a token that begins like one; returns where it ends, 0 when it is none. */
function momentOrToken(pass: Pass, i: number, to: number, c: number): number {
  const moment = momentEnd(pass.text.bytes, i, to, c);
  // nobody is born at a time without its day: no words need to be read
  if (moment !== 0 && (c === Char.COLON_SIGN || !(pass.context.labels(BIRTH, i) && pass.isOn(BIRTH))))
    return moment;
  if (moment !== 0 && datedMoment(pass, i)) return moment;
  return c === Char.COLON_SIGN && pass.text.bytes[to + 1] === Char.UPPER_A ? botToken(pass, i, to) : 0;
}

/** Where a number in scientific notation ends whose point is at `dot`: 5.3851648e-01. 0 when it is none. */
function exponentEnd(b: Uint8Array, dot: number): number {
  const i = endOf(b, dot + 1, DIGIT);
  if (i === dot + 1 || LOWERED[byteAt(b, i)] !== Char.LOWER_E) return 0;
  if (b[i + 1] !== Char.HYPHEN && b[i + 1] !== Char.PLUS) return 0;
  const exponent = i + 2;
  const to = endOf(b, exponent, DIGIT, MAX_EXPONENT);
  return to === exponent || is(b, to, WORD) ? 0 : to;
}

/** Whether digits from `i` to `to` are a telephone number with an extension: 5550199x12. */
function isExtended(b: Uint8Array, i: number, to: number): boolean {
  return b[to] === Char.LOWER_X && to - i > 1 && (classAt(b, to + 1) & DIGIT) !== 0;
}

/** Whether a list of bytes may begin at `from`: see `readByteList`. */
function mayBeList(b: Uint8Array, from: number, to: number): boolean {
  if (to - from > 4) return false;
  const before = byteAt(b, from - 1);
  if (b[to] === Char.COMMA && (before === Char.LEFT_BRACKET || before === Char.LEFT_PARENTHESIS)) return true;
  const third = byteAt(b, from + 2);
  if (third === Char.BLANK) return hexByte(b, from + 3) < 256 && hexByte(b, from) < 256;
  const fifth = byteAt(b, from + 4);
  if (fifth === Char.BLANK)
    return hexByte(b, from + 5) < 256 && hexByte(b, from + 2) < 256 && hexByte(b, from) < 256;
  return fifth === Char.COMMA && b[from + 1] === Char.LOWER_X && hexByte(b, from + 2) < 256;
}

/** Whether a number goes on after its first, short group. */
function continues(b: Uint8Array, to: number, c: number): boolean {
  return (classOf(c) & WORD) !== 0 || nextGroup(b, to, c) !== 0;
}
