import { BARE } from '../kinds/kind.ts';
import { kinds, tagId } from '../kinds/taxonomy.ts';
import type { EncodedReader, Pass } from '../pass.ts';
import { ALNUM, byteAt, classAt, DIGIT, endOf, hexAt, LOWER, UPPER, unitAt } from '../text/bytes.ts';
import * as Char from '../text/chars.ts';
import { opensVendor, vendorToken } from '../tokens/vendor-tokens.ts';
import {
  ByteBuffer,
  decodeBase32,
  decodeBase64,
  decodeHex,
  isBase32,
  isHex,
  readByteList,
  readText,
  UnitBuffer,
} from './decode.ts';
import {
  isCursorOrId,
  isDigest,
  isEncoded,
  isPublicData,
  isRandomWord,
  MAX_UNTAGGED,
  MIN_ENCODED_LINE,
  randomEnd,
  runEnd,
} from './opaque.ts';

export const UNSCANNED = tagId('UNSCANNED');
/** Characters of one encoded text that are decoded at most; the rest is not scanned. */
const MAX_DECODED = 4_194_304;
/** Enough characters to tell whether text begins here. */
const PROBE = 32;
/** Enough to tell UTF-16 from UTF-8. */
const GLANCE = 12;
const LOWER_H = 104;
/** Letters of SHA-512 in base64, without its padding. */
const DIGEST_LETTERS = 86;
/** Characters of the longest value that a word before its code tells. */
const MAX_VALUE = 32;
const NO_CONTEXTS: readonly number[] = [];
type Decode = (b: Uint8Array, from: number, to: number, out: ByteBuffer) => void;

/**
 * Reads what is encoded in a text: decodes it and scans it with a pass of its own, so that what is found there is a finding
 * of the whole encoded text. Content that decodes to no text is reported as not scanned. Content inside that is encoded
 * again is read by the next decoder, as long as there is one.
 */
export class Decoder implements EncodedReader {
  readonly #inner: Pass | null;
  readonly #scan: (pass: Pass, contexts: readonly number[]) => void;
  readonly #bytes = new ByteBuffer();
  readonly #text = new UnitBuffer();

  /** `inner` reads what is decoded; null when that was decoded too often already, so that it is not scanned. */
  constructor(inner: Pass | null, scan: (pass: Pass, contexts: readonly number[]) => void) {
    this.#inner = inner;
    this.#scan = scan;
  }

  /** Reads the encoded text that the long word between `from` and `to` is part of. Returns where to go on, `to` at least. */
  word(pass: Pass, from: number, to: number): number {
    const b = pass.text.bytes;
    const isPrefixed = b[from] === Char.DIGIT_0 && b[from + 1] === Char.LOWER_X;
    const start = isPrefixed ? from + 2 : from;
    if (isHex(b, start, to)) return this.#oneCase(pass, start, to, decodeHex) || to;
    if (isBase32(b, from, to)) {
      const read = this.#oneCase(pass, from, to, decodeBase32);
      if (read !== 0) return read;
    }
    return this.#base64(pass, from, to);
  }

  /** The tag of the vendor's token that consists of the whole text, which was joined from parts; -1 for none. */
  joined(text: string): number {
    const inner = this.#inner;
    let found = -1;
    if (inner === null) return found;
    inner.text.load(text);
    inner.begin(NO_CONTEXTS);
    inner.onFound = (tag) => {
      found = tag;
    };
    return vendorToken(inner, inner.text.start) === inner.text.end ? found : -1;
  }

  /** Where the digest of 64 bytes that begins at `from` ends, or a token in it; 0 when there is none, or it may be a text. */
  digest(pass: Pass, from: number): number {
    const b = pass.text.bytes;
    const to = from + DIGEST_LETTERS;
    if (b[to] !== Char.EQUALS_SIGN || b[to + 1] !== Char.EQUALS_SIGN || this.#begins(b, from, to)) return 0;
    let token = opensVendor(b, from) ? vendorToken(pass, from) : 0;
    for (let i = from; i < to && token === 0; i++) {
      if (classAt(b, i) & ALNUM) continue;
      if (!isEncoded(byteAt(b, i))) return 0;
      if (opensVendor(b, i + 1)) token = vendorToken(pass, i + 1);
    }
    if (token !== 0) return token;
    pass.encodedEnd = to;
    return to + 2;
  }

  /** Reads a list of bytes in hexadecimal or decimal that begins at `from`. Returns where to go on, 0 when it is none. */
  list(pass: Pass, from: number): number {
    const end = readByteList(pass.text, from, this.#bytes);
    if (end === 0) return 0;
    pass.listEnd = end;
    return readText(this.#bytes, this.#text) > 0 && this.#read(pass, from, end) ? end : 0;
  }

  /** Reads an array of bytes; `isBuffer` when it is known to be nothing else. */
  array(pass: Pass, values: readonly number[], isBuffer: boolean): void {
    this.#bytes.length = 0;
    for (const value of values) this.#bytes.push(value);
    const { start } = pass.text;
    const text = readText(this.#bytes, this.#text);
    if (text > 0) this.#read(pass, start, start + values.length);
    if (isBuffer && values.length - text > MAX_UNTAGGED)
      pass.found(UNSCANNED, BARE, start, start + values.length);
  }

  /** Hexadecimal or base32. */
  #oneCase(pass: Pass, from: number, to: number, decode: Decode): number {
    const b = pass.text.bytes;
    const probed = decode === decodeHex ? (to - from) % 2 === 0 : true;
    decode(b, from, Math.min(to, from + PROBE), this.#bytes);
    if (probed && readText(this.#bytes, this.#text) > 0) {
      decode(b, from, Math.min(to, from + MAX_DECODED), this.#bytes);
      const read = readText(this.#bytes, this.#text);
      const found = this.#read(pass, from, to);
      const rest = to - from - Math.floor((read * (to - from)) / this.#bytes.length);
      if (rest > MAX_UNTAGGED && !(decode === decodeHex && isDigest(pass, from, to, true)))
        pass.found(UNSCANNED, BARE, from, to);
      return found ? to : 0;
    }
    if (!isRandomWord(b, from, to) || (isHex(b, from, to) && isDigest(pass, from, to, true))) return 0;
    if (isModulus(pass, from, to) || isCursorOrId(pass, from, to)) return 0;
    return pass.found(UNSCANNED, BARE, from, to);
  }

  #base64(pass: Pass, from: number, to: number): number {
    const b = pass.text.bytes;
    let start = from;
    while (start > pass.encodedEnd && isEncoded(byteAt(b, start - 1))) start--;
    if (start === from && this.#isOpaqueWord(b, from, to)) {
      pass.encodedEnd = to;
      return to;
    }
    let end = runEnd(b, from);
    pass.encodedEnd = end;
    while (b[end] === Char.EQUALS_SIGN) end++;
    // a path may lead to it, and a dash or slash before it shifts its bits
    const at = this.#textStart(pass, start, from, end);
    if (at < 0) return this.#opaque(pass, start, from, to, end);
    decodeBase64(b, at, Math.min(end, at + MAX_DECODED), this.#bytes);
    const text = readText(this.#bytes, this.#text);
    const found = this.#read(pass, at, end);
    const rest = at + Math.floor((text * 4) / 3);
    // a long name may decode to a few letters by chance
    const isUnread = end - rest > MAX_UNTAGGED + 4 && randomEnd(b, rest, end) > rest;
    if (isUnread && !isPublicData(b, at, end) && !isModulus(pass, at, end) && !isCursorOrId(pass, at, end)) {
      return pass.found(UNSCANNED, BARE, rest, end);
    }
    return found ? end : to;
  }

  /** Where text begins in a run from `start` to `end` whose word begins at `from`; -1 when it decodes to none. */
  #textStart({ text }: Pass, start: number, from: number, end: number): number {
    const b = text.bytes;
    if (this.#begins(b, start, end)) return start;
    if (from > start) return this.#begins(b, from, end) ? from : -1;
    // a part of a file may begin in the middle of four letters
    for (let shift = 1; start === text.start && shift < 4; shift++)
      if (this.#begins(b, start + shift, end) && this.#isAllText(b, start + shift, end)) return start + shift;
    return -1;
  }

  #isAllText(b: Uint8Array, from: number, to: number): boolean {
    decodeBase64(b, from, Math.min(to, from + MAX_DECODED), this.#bytes);
    return readText(this.#bytes, this.#text) >= this.#bytes.length - 2;
  }

  /** Whether a word is the whole run, too short to be reported unread, and decodes to no text: nearly every name does. */
  #isOpaqueWord(b: Uint8Array, from: number, to: number): boolean {
    if (to - from >= MIN_ENCODED_LINE || to - from <= GLANCE || isEncoded(byteAt(b, to))) return false;
    return !this.#isText(b, from, from + GLANCE);
  }

  #begins(b: Uint8Array, from: number, to: number): boolean {
    // nearly all that is no text fails within its first bytes
    return (to - from <= GLANCE || this.#isText(b, from, from + GLANCE)) && this.#isText(b, from, to);
  }

  #isText(b: Uint8Array, from: number, to: number): boolean {
    decodeBase64(b, from, Math.min(to, from + PROBE), this.#bytes);
    return this.#bytes.length > 2 && readText(this.#bytes, this.#text) > 0;
  }

  /** Reports a run that decodes to no text. The run is from `start` to `end`, the word in it from `from` to `to`. */
  #opaque(pass: Pass, start: number, from: number, to: number, end: number): number {
    const b = pass.text.bytes;
    if (end - start <= MAX_UNTAGGED) return to;
    const isData = isBase64Data(b, start);
    let at = isData ? start : from;
    let random = isData ? end : randomEnd(b, at, end);
    while (random === at && end - at > MAX_UNTAGGED + 64) {
      at += 64;
      random = randomEnd(b, at, end);
    }
    if (random === at) return isOneCase(b, from, to) ? this.#oneCase(pass, from, to, decodeHex) || to : to;
    const begin = at - start < MAX_UNTAGGED ? afterName(b, start) : at;
    const stop = end - random < MAX_UNTAGGED ? end : random;
    if (isDigest(pass, begin, stop, false)) return Math.max(to, stop);
    if (stop - begin <= MAX_UNTAGGED || isModulus(pass, begin, stop) || isPublicData(b, start, end))
      return to;
    if (isCursorOrId(pass, start, end)) return to;
    // the view of the text without escapes has all of it
    if (isEscapedSign(b, start - 1) || isEscapedSign(b, end)) return to;
    pass.found(UNSCANNED, BARE, begin, stop);
    return Math.max(to, stop);
  }

  /** Scans the text that was decoded; returns whether anything was found in it. */
  #read(pass: Pass, from: number, to: number): boolean {
    const inner = this.#inner;
    if (inner === null) {
      pass.found(UNSCANNED, BARE, from, to);
      return true;
    }
    let found = false;
    inner.text.loadUnits(this.#text.units, this.#text.length);
    inner.onFound = (tag, rank) => {
      found = true;
      pass.found(tag, rank, from, to);
    };
    this.#scan(inner, this.#text.length > MAX_VALUE ? NO_CONTEXTS : contextsOf(pass, from, this.#text));
    return found;
  }
}

/** The kinds that the words right before encoded digits name: card NDUzOT…. */
function contextsOf(pass: Pass, from: number, { units, length }: UnitBuffer): readonly number[] {
  for (let i = 0; i < length; i++) if (unitAt(units, i) > Char.DIGIT_9) return NO_CONTEXTS;
  return pass.context.any(from)
    ? kinds.map(({ tag }) => tagId(tag)).filter((tag) => pass.context.labels(tag, from))
    : NO_CONTEXTS;
}

/** Whether a sign of base64 stands as an escape of a URL so that it ends before `at` or begins there: %2B, %2F. */
function isEscapedSign(b: Uint8Array, at: number): boolean {
  return b[at] === Char.PERCENT && b[at + 1] === Char.DIGIT_2 && hexAt(b, at + 2) < 16;
}

/** Letters of a modulus of RSA in base64url, by its bits: 1024, 2048, 3072, 4096. */
const MODULI: readonly number[] = [171, 342, 512, 683];
const MOST_MODULUS = 683;
const MODULUS = /"n"\s*:\s*"$/;

/**
 * Whether the characters between `from` and `to` are in the modulus of a public key in a set of JSON Web Keys (RFC 7517): `"n": "…"`. Random
 * characters seldom look random to the first and the last.
 */
function isModulus(pass: Pass, from: number, to: number): boolean {
  const { bytes, start, end } = pass.text;
  let [begin, stop] = [from, to];
  while (begin > start && stop - begin <= MOST_MODULUS && isEncoded(byteAt(bytes, begin - 1))) begin--;
  while (stop < end && stop - begin <= MOST_MODULUS && isEncoded(byteAt(bytes, stop))) stop++;
  if (!MODULI.includes(stop - begin)) return false;
  return pass.isPublicKey
    ? begin === start && stop === end
    : MODULUS.test(pass.slice(Math.max(start, begin - 12), begin));
}

/** Where the digest begins in a run that begins with its name (`sha512-…`), else `from`. */
function afterName(b: Uint8Array, from: number): number {
  const i = endOf(b, from, ALNUM, 8);
  return b[i] === Char.HYPHEN && b[from] === Char.LOWER_S && b[from + 1] === LOWER_H ? i + 1 : from;
}

/** Whether the content of a data URL begins at `at`. */
function isBase64Data(b: Uint8Array, at: number): boolean {
  const marker = 'base64,';
  for (let i = 0; i < marker.length; i++)
    if (b[at - marker.length + i] !== marker.charCodeAt(i)) return false;
  return true;
}

function isOneCase(b: Uint8Array, from: number, to: number): boolean {
  let seen = 0;
  for (let i = from; i < to; i++) seen |= classAt(b, i);
  return (seen & ALNUM) === (DIGIT | UPPER) || (seen & ALNUM) === (DIGIT | LOWER);
}
