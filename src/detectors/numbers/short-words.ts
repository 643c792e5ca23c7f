import { kinds } from '../kinds/index.ts';
import { tagId } from '../taxonomy.ts';
import {
  BLANK,
  COLON_SIGN,
  COMMA,
  DOUBLE_QUOTE,
  EQUALS_SIGN,
  FULL_STOP,
  GREATER_THAN,
  HASH_SIGN,
  LEFT_BRACKET,
  LEFT_PARENTHESIS,
  LESS_THAN,
  NUL,
  RIGHT_BRACKET,
  SINGLE_QUOTE,
  SLASH,
  TAB,
  UPPER_A,
} from '../text/ascii.ts';
import { ALPHA, DIGIT, IDEOGRAPH, LETTER, LOWER, UPPER } from '../text/bytes.ts';
import { byteAt, is, isAt } from '../text/read.ts';

export const CODE = tagId('CARD_SECURITY_CODE');
export const EXPIRY = tagId('CARD_EXPIRY');
export const PIN = tagId('PIN');
export const ONE_TIME = tagId('ONE_TIME_CODE');
export const KINDS: readonly number[] = [CODE, EXPIRY, PIN, ONE_TIME];
/** The same behind a verb: the PIN for the company card is 4821. */
export const FAR = 36;
/** Bytes between a word and its number. */
export const BETWEEN: Uint8Array = new Uint8Array(256);
for (const c of [
  BLANK,
  TAB,
  COLON_SIGN,
  EQUALS_SIGN,
  DOUBLE_QUOTE,
  SINGLE_QUOTE,
  HASH_SIGN,
  GREATER_THAN,
  LEFT_PARENTHESIS,
  LEFT_BRACKET,
  RIGHT_BRACKET,
])
  BETWEEN[c] = 1;

export const LETTERS: number = ALPHA | LETTER;
/** The last three letters of words before such a number, five bits each: tells most numbers without reading words. */
const ENDINGS = new Uint8Array(32_768);
const ending = (x: number, y: number, z: number): number => ((x & 31) << 10) | ((y & 31) << 5) | (z & 31);
const names = kinds.filter(({ tag }) => KINDS.includes(tagId(tag))).map(({ words }) => words);
for (const word of [
  ...names,
  'is number no nr num ist es est date code back value lautet er je on este jest to as e kod kode codice codigo kodu tan alarma alarm me you him her us here now below sms text porte porta puerta door gate safe turcode deur drzwi garage wifi app karte card carte tarjeta carta kaart is: s',
]
  .join(' ')
  .split(/[ _]/)) {
  const [x, y, z] = [3, 2, 1].map((back) => word.charCodeAt(word.length - back));
  ENDINGS[ending(x ?? 0, y ?? 0, z ?? 0)] = 1;
}

/** Whether the digits at `i` are the beginning of the text, or may stand after the word of such a number. */
export function mayBeShort(b: Uint8Array, i: number): boolean {
  let at = b[i - 1] === GREATER_THAN ? beforeTags(b, i) : i;
  // page.type('#cvc', '339')
  if (b[i - 2] === BLANK && b[i - 3] === COMMA && b[i - 4] === b[i - 1] && b[i - 1] !== BLANK) at = i - 4;
  while (i - at < 4 && BETWEEN[byteAt(b, at - 1)] === 1) at--;
  if (at === i) return b[i - 1] === NUL || is(b, i - 1, IDEOGRAPH);
  // exp. 09/27, CVC2 123
  if ((b[at - 1] === FULL_STOP || is(b, at - 1, DIGIT)) && is(b, at - 2, LETTERS)) at--;
  const last = byteAt(b, at - 1);
  if (last < UPPER_A || last > 127) return last > 127;
  const isShort = !is(b, at - 3, LETTERS) || (is(b, at - 3, LOWER) && is(b, at - 2, UPPER)); // pinNo
  if (b[at - 2] === SINGLE_QUOTE) return true; // my pin's 4711
  if (!is(b, at - 2, LETTERS)) return ENDINGS[ending(0, 0, last)] === 1; // è
  return ENDINGS[ending(isShort ? 0 : byteAt(b, at - 3), byteAt(b, at - 2), last)] === 1;
}

const YOURS = ['your ', 'ihr ', 'dein ', 'votre ', 'ton ', 'tu ', 'su ', 'tuo ', 'seu ', 'uw ', 'je '];
const NAMES_OF_CODES = ['code', 'kode', 'codice', 'codigo', 'kod'];

/** Whether the words before a number call it somebody's code, with at most two words between: Your Acme code: 553018. */
export function isOfYours(b: Uint8Array, from: number): boolean {
  let to = from;
  while (from - to < 2 && byteAt(BETWEEN, byteAt(b, to - 1)) === 1) to--;
  if (isAt(b, to - 3, ' is')) to -= 3;
  const name = NAMES_OF_CODES.find((word) => isAt(b, to - word.length, word));
  if (name === undefined || to === from) return false;
  let at = to - name.length;
  for (let words = 0; words < 3 && b[at - 1] === BLANK; words++) {
    if (YOURS.some((word) => isAt(b, at - word.length, word) && !is(b, at - word.length - 1, LETTERS)))
      return words > 0;
    at--;
    while (from - at < FAR && is(b, at - 1, LETTERS | DIGIT)) at--;
    // of a service or a firm, and no code of an order or a country
    if (!is(b, at, UPPER)) return false;
  }
  return false;
}

/** Where the text before the cell of a table ends whose text begins at `i`: CVV</td><td>123; `i` for none. */
function beforeTags(b: Uint8Array, i: number): number {
  let at = i;
  for (let tags = 0; tags < 2; tags++) {
    if (b[at - 1] !== GREATER_THAN) break;
    while (i - at < MAX_TAGS && b[at - 1] !== LESS_THAN) at--;
    at--;
  }
  if (b[at + 1] === SLASH) return at;
  // your PIN is <b>4471</b>
  let tag = i - 1;
  while (i - tag < MAX_EMPHASIS && b[tag] !== LESS_THAN) tag--;
  return b[tag] === LESS_THAN && b[tag + 1] !== SLASH ? tag : i;
}

/** Characters of a tag of emphasis, and of the tags of two cells. */
const MAX_EMPHASIS = 8;
const MAX_TAGS = 24;
