import { hexByte } from './encoded/decode.ts';
import { UNSCANNED } from './encoded/decoder.ts';
import { BARE } from './hits.ts';
import { datedMoment, segmentDate } from './numbers/birth.ts';
import { SEPARATOR } from './numbers/groups.ts';
import { momentEnd } from './numbers/moment.ts';
import { numbers } from './numbers/numbers.ts';
import { codeBefore, MAX_SHORT, mayBeShort, shortNumber } from './numbers/short.ts';
import { commaCard } from './numbers/split-card.ts';
import { trackCard } from './numbers/track.ts';
import { easternDate, mayBeDay, wordedDate } from './numbers/worded-date.ts';
import type { Pass } from './pass.ts';
import { assignment, flag } from './secrets/assignment.ts';
import { azureSecret } from './secrets/azure.ts';
import { flagSecret, userFlag } from './secrets/commands.ts';
import { mayBeSpot } from './secrets/label-spots.ts';
import { locator } from './secrets/locator.ts';
import { hashAround, hashAt } from './secrets/password-hash.ts';
import { pem } from './secrets/pem.ts';
import { puttyKey } from './secrets/putty.ts';
import { seedPhrase } from './secrets/seed-phrase.ts';
import { botToken } from './secrets/segmented-tokens.ts';
import { signature } from './secrets/signed-url.ts';
import { spottedSecret } from './secrets/spotted-secret.ts';
import { endsPrefix, opensVendor, vendorToken } from './secrets/vendor-match.ts';
import { tagId } from './taxonomy.ts';
import {
  BLANK,
  COLON_SIGN,
  COMMA,
  FULL_STOP,
  GREATER_THAN,
  HYPHEN,
  LEFT_BRACKET,
  LEFT_PARENTHESIS,
  LINE_FEED,
  LOWER_X,
  RIGHT_PARENTHESIS,
  SLASH,
  TILDE,
  UPPER_A,
  UPPER_B,
  UPPER_Q,
  VERTICAL_BAR,
} from './text/ascii.ts';
import { CLASS, DIGIT, WORD } from './text/bytes.ts';
import { isTelling } from './text/escapes.ts';
import {
  AFTER_DOT,
  AT,
  COLON,
  CONTROL,
  DASH,
  DOT,
  END,
  EQUALS,
  ESCAPE,
  KIND,
  LOW_LINE,
  NUMERAL,
  PAIR,
  SPOT,
} from './text/triggers.ts';
import { email } from './tokens/email.ts';
import { ip6 } from './tokens/ip6.ts';
import { joinedDigits } from './tokens/joined.ts';
import { mac } from './tokens/mac.ts';
import { mayEndPlate, plate } from './tokens/vehicle.ts';
import { word } from './tokens/word.ts';

const BIRTH = tagId('DATE_OF_BIRTH');
/** Control characters from which on a text is binary data: that many, and one in that many characters. */
const MIN_CONTROLS = 8;
const BINARY_SHARE = 10;
/** Bytes below are control characters; the escape of terminals and what stands for other characters are not. */
const MAX_CONTROL = 27;
/** What stands before words of the hash of a password. */
const HASHED = new Uint8Array(256);
for (const c of '$}') HASHED[c.charCodeAt(0)] = 1;
const LOWER_I = 105;
const LOWER_P = 112;
const LOWER_S = 115;
const LOWER_T = 116;
const UPPER_U = 85;
const UPPER_Y = 89;
/** How far back a vendor's token may begin before its first dash, dot or low line. */
const MAX_BEFORE = 48;
/** Digits of a group of a card. */
const GROUP = 4;
/** Digits that one group has at least when no other follows it. */
const MIN_DIGITS = 6;

/**
 * Reads the text once, from left to right, and dispatches by what a byte may begin; `contexts` are what its JSON key says.
 */
export function scanText(pass: Pass, contexts: readonly number[]): void {
  const { bytes, pairs, start, end } = pass.text;
  let i = nextTrigger(bytes, pairs, start);
  pass.escapeCount = 0;
  if (i >= end) {
    seedPhrase(pass, start, end);
    return;
  }
  pass.begin(contexts);
  let floor = start;
  while (i < end) {
    let next = i + 1;
    switch (KIND[bytes[i] as number]) {
      case END: // a zero in the text itself
      case CONTROL:
        pass.escaped(i);
        if ((bytes[i] as number) < MAX_CONTROL) pass.controls++;
        break;
      case NUMERAL:
        floor = next = numeral(pass, i, floor);
        break;
      case DOT:
        if (AFTER_DOT[bytes[i + 1] as number] !== 0) next = dot(pass, i, floor) || next;
        break;
      case COLON:
        next = colon(pass, i) || next;
        break;
      case EQUALS:
        next = signature(pass, i) || assignment(pass, i) || next;
        break;
      case DASH:
        next = dash(pass, i, floor) || next;
        break;
      case LOW_LINE:
        next = lowLine(pass, i, floor) || next;
        break;
      case AT:
        next = email(pass, i);
        break;
      case ESCAPE:
        if (isTelling(bytes, i)) pass.escaped(i);
        break;
      default: // a word that names a secret
        next = spottedSecret(pass, i) || next;
    }
    // what was found is read: no word reaches back into it
    if (next > i + 1) floor = next;
    i = nextTrigger(bytes, pairs, next);
  }
  if (pass.controls > MIN_CONTROLS && pass.controls * BINARY_SHARE > end - start)
    pass.found(UNSCANNED, BARE, start, end);
}

/** A hardware address in three groups, or a token with a dot in its prefix; answers where it ends, or 0. */
function dot(pass: Pass, i: number, floor: number): number {
  return (pass.text.bytes[i + 5] === FULL_STOP && mac(pass, i)) || lowLine(pass, i, floor);
}

/** A token with a low line, or a dot, at `i` in its prefix; answers where it ends, or 0. */
function lowLine(pass: Pass, i: number, floor: number): number {
  return endsPrefix(pass.text.bytes, i) ? prefixed(pass, i, floor) : 0;
}

/** An address with colons, a URL, or a label before its value. */
function colon(pass: Pass, i: number): number {
  const b = pass.text.bytes;
  if (b[i - 1] === COLON_SIGN) return 0; // the first of several has begun whatever there is
  if (b[i - 1] === LOWER_T && b[i - 2] === LOWER_P) return hashAt(pass, i - 6) || assignment(pass, i); // scrypt:
  if (b[i + 1] === SLASH) return locator(pass, i);
  const address = (b[i + 3] === COLON_SIGN && mac(pass, i)) || ip6(pass, i);
  return address || assignment(pass, i);
}

/** Key armour, an address with dashes, or a token with a dash in its prefix. */
function dash(pass: Pass, i: number, floor: number): number {
  const b = pass.text.bytes;
  if (b[i + 1] === HYPHEN) return (endsPrefix(b, i) && prefixed(pass, i, floor)) || dashes(pass, i);
  if (b[i - 1] === UPPER_Y && b[i + 1] === UPPER_U) return puttyKey(pass, i);
  return (b[i + 3] === HYPHEN && mac(pass, i)) || flagSecret(pass, i) || prefixed(pass, i, floor);
}

/** Position of the next byte from `i` at which something may begin; the zero after the text at the latest. */
function nextTrigger(bytes: Uint8Array, pairs: Uint16Array, i: number): number {
  if (KIND[bytes[i] as number] !== 0) return i;
  for (let p = (i + 1) >> 1; ; p++) {
    let place = PAIR[pairs[p] as number] as number;
    // written out: a loop of one look each takes a third longer over prose
    while (place === 0) {
      place = PAIR[pairs[++p] as number] as number;
      if (place !== 0) break;
      place = PAIR[pairs[++p] as number] as number;
      if (place !== 0) break;
      place = PAIR[pairs[++p] as number] as number;
      if (place !== 0) break;
      place = PAIR[pairs[++p] as number] as number;
    }
    if (place <= SPOT) return 2 * p + place - 1;
    if (mayBeSpot(place - SPOT, bytes[2 * p - 1] as number, bytes[2 * p + 2] as number)) return 2 * p;
  }
}

/** The word or number with its first digit at `i`; answers where to go on. */
function numeral(pass: Pass, i: number, floor: number): number {
  const b = pass.text.bytes;
  let from = i;
  while (from > floor && (CLASS[b[from - 1] as number] as number) & WORD) from--;
  if (HASHED[b[from - 1] as number] === 1) {
    const hash = hashAround(pass, from);
    if (hash !== 0) return hash;
  }
  return from < i ? lettersFirst(pass, from) : digitsFirst(pass, i);
}

function lettersFirst(pass: Pass, from: number): number {
  const b = pass.text.bytes;
  if (b[from] === UPPER_B) {
    const card = trackCard(pass, from + 1);
    if (card !== 0) return card;
  }
  const hash = isHashName(b, from) ? hashAt(pass, from) : 0;
  if (hash !== 0) return hash;
  const end = word(pass, from);
  return (b[end] === TILDE && azureSecret(pass, end - 1)) || element(pass, from) || end;
}

/** Whether the name of a method may begin at `from`: pbkdf2_sha256$…, sha1$…. */
function isHashName(b: Uint8Array, from: number): boolean {
  return b[from] === LOWER_P && b[from + 1] === 98 && b[from + 2] === 107;
}

/** The text of an element whose name says what it is: <password>x1</password>; answers where it ends, or 0. */
function element(pass: Pass, from: number): number {
  return pass.text.bytes[from - 1] === GREATER_THAN ? assignment(pass, from - 1) : 0;
}

function digitsFirst(pass: Pass, i: number): number {
  const b = pass.text.bytes;
  let to = i;
  while (((CLASS[b[to] as number] as number) & DIGIT) !== 0) to++;
  const c = b[to] as number;
  const listed = mayBeList(b, i, to) ? pass.byteList(i) : 0;
  if (listed !== 0) return listed;
  if (b[i - 1] === VERTICAL_BAR && to - i >= MAX_SHORT) {
    const dated = pass.isOn(BIRTH) ? segmentDate(pass, i) : 0;
    if (dated !== 0) return Math.max(dated, to);
  }
  const short = to - i <= MAX_SHORT ? fewDigits(pass, i, to, c) : 0;
  if (short !== 0) return short;
  if (to - i < MIN_DIGITS && !continues(b, to, c))
    return joinedDigits(pass, i, to) || (mayEndPlate(b, i) && plate(pass, i, to)) || to;
  if (c === HYPHEN || c === COLON_SIGN) {
    const moment = momentOrToken(pass, i, to, c);
    if (moment !== 0) return moment;
  }
  if (to - i >= 24 && pass.encoded(i, to) > to) return pass.encodedEnd;
  if (!((CLASS[c] as number) & WORD) || isExtended(b, i, to)) return numbers(pass, i);
  return (c === UPPER_Q && azureSecret(pass, to)) || element(pass, i) || word(pass, i);
}

/** A date that begins with a day or year, or a number that is short as a rule; answers where it ends, or 0. */
function fewDigits(pass: Pass, i: number, to: number, c: number): number {
  const b = pass.text.bytes;
  if (to - i < 3 && mayBeDay(b, i, to) && pass.isOn(BIRTH)) {
    const dated = wordedDate(pass, i, to);
    if (dated !== 0) return dated;
  }
  if (to - i === 4 && c > 0x7f && pass.isOn(BIRTH)) {
    const dated = easternDate(pass, i, to);
    if (dated !== 0) return dated;
  }
  if (to - i === GROUP && c === COMMA) {
    const card = commaCard(pass, i);
    if (card !== 0) return card;
  }
  if (to - i >= GROUP && c === BLANK && b[to + 1] === LOWER_I && b[to + 2] === LOWER_S) {
    const code = codeBefore(pass, i, to);
    if (code !== 0) return code;
  }
  return mayBeShort(b, i) ? shortNumber(pass, i, to) : 0;
}

/** A date or time of day, or a token that begins like one; answers where it ends, 0 when it is none. */
function momentOrToken(pass: Pass, i: number, to: number, c: number): number {
  const moment = momentEnd(pass.text.bytes, i, to, c);
  if (moment !== 0 && !(pass.context.labels(BIRTH, i) && pass.isOn(BIRTH))) return moment;
  if (moment !== 0 && datedMoment(pass, i)) return moment;
  return c === COLON_SIGN && pass.text.bytes[to + 1] === UPPER_A ? botToken(pass, i, to) : 0;
}

/** Whether digits from `i` to `to` are a telephone number with an extension: 5550199x12. */
function isExtended(b: Uint8Array, i: number, to: number): boolean {
  return b[to] === LOWER_X && to - i > 1 && ((CLASS[b[to + 1] as number] as number) & DIGIT) !== 0;
}

/** Five dashes may begin a key in PEM armour; a longer row of dashes is passed over whole. */
function dashes(pass: Pass, i: number): number {
  const b = pass.text.bytes;
  let last = i;
  while (b[last] === HYPHEN) last++;
  if (last - i === 2) return flag(pass, last) || userFlag(pass, last) || last;
  return (last - i >= 5 && pem(pass, last - 5)) || last;
}

/** A vendor's token whose prefix has the dash, dot or low line at `i`, or which has no digit before that dash. */
function prefixed(pass: Pass, i: number, floor: number): number {
  const b = pass.text.bytes;
  const stop = Math.max(floor, i - MAX_BEFORE);
  let from = i;
  while (from > stop && (CLASS[b[from - 1] as number] as number) & WORD) from--;
  return i - from < 2 || !opensVendor(b, from) ? 0 : vendorToken(pass, from);
}

/** Whether a list of bytes may begin at `from`: see `readByteList`. */
function mayBeList(b: Uint8Array, from: number, to: number): boolean {
  if (to - from > 4) return false;
  const before = b[from - 1] as number;
  if (b[to] === COMMA && (before === LEFT_BRACKET || before === LEFT_PARENTHESIS)) return true;
  const third = b[from + 2] as number;
  if (third === BLANK) return hexByte(b, from + 3) < 256 && hexByte(b, from) < 256;
  const fifth = b[from + 4] as number;
  if (fifth === BLANK)
    return hexByte(b, from + 5) < 256 && hexByte(b, from + 2) < 256 && hexByte(b, from) < 256;
  return fifth === COMMA && b[from + 1] === 120 && hexByte(b, from + 2) < 256;
}

/** Whether a number goes on after its first, short group. */
function continues(b: Uint8Array, to: number, c: number): boolean {
  if ((CLASS[c] as number) & WORD || c === RIGHT_PARENTHESIS) return true;
  if (SEPARATOR[c] === 0) return false;
  const d = b[to + 1] as number;
  return ((CLASS[b[to + 1] as number] as number) & DIGIT) !== 0 || d === LEFT_PARENTHESIS || d === LINE_FEED;
}
