import { CHECKSUM } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { tagId } from '../taxonomy.ts';
import { ALNUM, ALPHA, CLASS, DIGIT, LOWERED, SPACE, WORD } from '../text/bytes.ts';

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

/** An IBAN that begins with the word at `from`, written in one or in groups; answers where it ends, or 0. */
export function iban(pass: Pass, from: number): number {
  const b = pass.text.bytes;
  const length = LENGTH[(((b[from] as number) & 31) << 5) | ((b[from + 1] as number) & 31)] as number;
  if (length === 0) return 0;
  let remainder = 0;
  let read = 0;
  let separator = 0;
  let breaks = 0;
  let classes = 0;
  let i = from;
  for (; read < length; i++) {
    const c = b[i] as number;
    const cls = CLASS[c] as number;
    if (!(cls & ALNUM)) {
      // between groups of four, the same everywhere: space or line break, dash, dot
      const plain = cls & SPACE ? 32 : c;
      if (read < 4 || (read % 4 !== 0 && c !== 10) || !(plain === 32 || plain === 45 || plain === 46))
        return 0;
      if ((separator !== 0 && separator !== plain) || !((CLASS[b[i + 1] as number] as number) & ALNUM))
        return 0;
      separator = plain;
      breaks++;
      continue;
    }
    classes |= cls;
    if (read >= 4) remainder = append(remainder, c, cls);
    read++;
  }
  if ((classes & ALPHA) === ALPHA) return 0; // written in one case
  if (breaks !== 0 && breaks !== (length - 1) >> 2 && separator !== 32) return 0; // all groups, or none
  if ((CLASS[b[i] as number] as number) & WORD) return 0;
  for (let k = 0; k < 4; k++)
    remainder = append(remainder, b[from + k] as number, CLASS[b[from + k] as number] as number);
  if (remainder % 97 !== 1) return 0;
  pass.found(IBAN, CHECKSUM, from, i);
  return i;
}

/** Appends a character to a number kept modulo 97; divides only when it would grow too large. */
function append(number: number, c: number, cls: number): number {
  const next = cls & DIGIT ? number * 10 + c - 48 : number * 100 + (LOWERED[c] as number) - 87;
  return next > 9_999_999 ? next % 97 : next;
}
