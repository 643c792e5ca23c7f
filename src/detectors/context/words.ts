import { kinds, tagId, taxonomy } from '../kinds/taxonomy.ts';
import { byteAt, intAt, LOWERED, setOf } from '../text/bytes.ts';
import * as Char from '../text/chars.ts';
import { FOLD } from '../text/text.ts';

export const HASH_SEED = 17;

/** One step of the word hash, over lower-cased bytes. */
export function hashStep(h: number, byte: number): number {
  return (Math.imul(h, 0x01000193) ^ byteAt(LOWERED, byte)) | 0;
}

/** The hash of a word of the tables; calls of functions for each letter would take half of the start of a process. */
export function hashWord(word: string): number {
  let h = HASH_SEED;
  for (let i = 0; i < word.length; i++)
    h = (Math.imul(h, 0x01000193) ^ (FOLD[word.charCodeAt(i)] as number)) | 0;
  return h;
}

export function hashBytes(b: Uint8Array, from: number, to: number): number {
  let h = HASH_SEED;
  for (let i = from; i < to; i++) h = hashStep(h, byteAt(b, i));
  return h;
}

/** The hash of two words that follow each other. */
export function hashPair(first: number, second: number): number {
  return (Math.imul(first, 0x9e3779b1) ^ (second + 0x7f4a7c15)) | 0;
}

// Words and pairs of words, in lower case without accents; `_` joins a pair. Those that name a kind stand in its record.

/** Words after which a long number is an order, a measure or a counter; in balanced mode they outweigh its shape. */
const NEGATIVE_WORDS =
  'order orders orderid tracking trackingnumber trace traceid span spanid timestamp unix ts seq sequence offset snowflake tweet ' +
  'request requests requestid build imei isbn ean upc gtin sku barcode serial lot nonce hash checksum sha md5 price amount total bytes size ' +
  'duration elapsed invoice ticket commit revision epoch cursor batch shipment parcel awb item product part model ' +
  'ack tid inode syscall gid usec nsec version ver rev firmware release issn doi asin imsi transaction transactions txn index idx count pid';

/** Words after which four dotted numbers are a version, not an address. */
const VERSION_WORDS =
  'version versions ver v rev revision firmware build release sdk driver upgrade downgrade rfc section sections sec chapter clause ' +
  'appendix annex oid paragraph snmp mib chrome edg opr firefox safari headlesschrome';

/** Words that say a number follows, not which: enough for numbers formatted as telephone numbers. */
const NUMBER_WORDS = 'number num nummer numero numéro no nr';

/** Words after a number that make it a telephone number: "089 72 63 41 office". */
const AFTER_PHONE_WORDS = 'office mobile fax cell phone telephone tel landline home work direct mobil handy';

/** Words before the number of a room, house or box. */
const UNIT_WORDS = 'suite apt apartment unit room floor box house psc';

/** Words for an identity number of any country: its own checksum then tells which. */
const IDENTITY_WORDS =
  'national_id national_identity nationalid identity_number identity_no personal_id personalid citizen_id citizenid id_card';

/** Contexts beyond one for each tag. */
export const NEGATIVE = taxonomy.length;
export const VERSIONED = NEGATIVE + 1;
export const NUMBERED = NEGATIVE + 2;
/** Words after a telephone number, and words before a room or house number. */
export const AFTER_PHONE = NEGATIVE + 3;
export const UNIT = NEGATIVE + 4;
export const CONTEXTS = NEGATIVE + 5;

/** The meaning of one word, or of one pair. */
export interface WordEntry {
  readonly contexts: number[];
  /** Whether a pair begins with this word. */
  opensPair: boolean;
}

const NOTHING: WordEntry = { contexts: [], opensPair: false };
const SLOTS = 8192;
/** For some bits of its hash, a bit for each word that may be found in a text, alone or in a pair: tells most others. */
const WORDS = new Int32Array(1 << 11);

function placeOf(hash: number): number {
  return (hash ^ (hash >>> 15)) & 0xffff;
}

/** Whether any word may have this hash. */
export function mayBeWord(hash: number): boolean {
  const place = placeOf(hash);
  return ((intAt(WORDS, place >>> 5) >> (place & 31)) & 1) === 1;
}

function admit(hash: number): void {
  const place = placeOf(hash);
  WORDS[place >>> 5] = intAt(WORDS, place >>> 5) | (1 << (place & 31));
}

/** Letters of the longest word that is looked for in a text. */
export const MAX_WORD = 32;

/** Open-addressed table from the hash of a word or pair to what it says. */
class WordTable {
  readonly #hashes = new Int32Array(SLOTS);
  readonly #entries: WordEntry[] = new Array(SLOTS).fill(NOTHING);

  /** The entry of a word or pair, which is made when there is none. */
  own(hash: number): WordEntry {
    const at = this.#slot(hash);
    if (this.#hashes[at] !== 0) return this.#entries[at] as WordEntry;
    this.#hashes[at] = hash;
    const own = { contexts: [], opensPair: false };
    this.#entries[at] = own;
    return own;
  }

  get(hash: number): WordEntry {
    return this.#entries[this.#slot(hash)] as WordEntry;
  }

  #slot(hash: number): number {
    let at = (hash ^ (hash >>> 15)) & (SLOTS - 1);
    while (this.#hashes[at] !== 0 && this.#hashes[at] !== hash) at = (at + 1) & (SLOTS - 1);
    return at;
  }
}

export const wordTable = new WordTable();

function putAll(words: string, ...added: readonly number[]): void {
  for (const text of words.split(' ')) {
    const [first = '', second] = text.split('_', 2);
    let hash = hashWord(first);
    admit(hash);
    if (second !== undefined) {
      const after = hashWord(second);
      admit(after);
      wordTable.own(hash).opensPair = true;
      hash = hashPair(hash, after);
    }
    const { contexts } = wordTable.own(hash);
    for (const context of added) if (!contexts.includes(context)) contexts.push(context);
  }
}

for (const { tag, words } of kinds) if (words !== undefined) putAll(words, tagId(tag));
putAll(IDENTITY_WORDS, ...kinds.flatMap(({ tag, identity }) => (identity ? [tagId(tag)] : [])));
putAll(NEGATIVE_WORDS, NEGATIVE);
putAll(VERSION_WORDS, VERSIONED);
putAll(NUMBER_WORDS, NUMBERED);
putAll(AFTER_PHONE_WORDS, AFTER_PHONE);
putAll(UNIT_WORDS, UNIT);

/** Bytes of the line between the head of a table and its rows. */
const RULE = setOf('|-+=: \r');

/** Where the rows of a table begin, behind a line at `at` that is only a rule: `|----+----|`; `at` when there is none. */
export function afterRule(b: Uint8Array, at: number, end: number): number {
  let i = at;
  let dashes = 0;
  while (i < end && RULE[byteAt(b, i)] === 1) {
    if (b[i] === Char.HYPHEN || b[i] === Char.EQUALS_SIGN) dashes++;
    i++;
  }
  return dashes > 2 && byteAt(b, i) === Char.LINE_FEED ? i + 1 : at;
}
