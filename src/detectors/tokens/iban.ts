import { CHECKSUM } from '../kinds/kind.ts';
import { tagId } from '../kinds/taxonomy.ts';
import type { Pass } from '../pass.ts';
import { ALNUM, ALPHA, byteAt, classAt, is, SPACE, WORD } from '../text/bytes.ts';
import * as Char from '../text/chars.ts';

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
export function iban(pass: Pass, from: number): number {
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
