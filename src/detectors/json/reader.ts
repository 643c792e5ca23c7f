import { type KeyInfo, type KnownKey, NO_KEY } from '../context/keys.ts';
import { isByteArray } from '../encoded/decode.ts';
import { FORMATTED } from '../kinds/kind.ts';
import { tagId } from '../kinds/taxonomy.ts';
import { MAX_VALUE } from '../labels/labels.ts';
import type { Pass } from '../pass.ts';
import { scanText } from '../scan.ts';
import { keyedValue } from '../syntaxes/labelled-value.ts';
import { unitAt } from '../text/bytes.ts';
import * as Char from '../text/chars.ts';
import { decodedView } from '../text/view.ts';
import { PartedToken } from '../tokens/parted-tokens.ts';
import { seedArray } from '../tokens/seed-phrase.ts';
import {
  COORDINATES,
  degreesOf,
  headsOfPeople,
  isPartOfPlace,
  isPlaceKey,
  isPosition,
  meant,
  named,
  ownKind,
} from './member-kinds.ts';
import { boundColumns, columnHeads, headRow, inherit, isOutcome, nameBefore } from './structures.ts';

const MAX_DIGITS = 34;
/** Elements of more than one digit: as many as the longest number has groups. */
const MAX_GROUPS = 7;
const CHUNK = /^[0-9]{1,6}$/;
/** Every digit, the spaces, the end. */
const MAX_SIZE = MAX_DIGITS + MAX_GROUPS;

/** Reads arrays that spell a number into buffers that are reused, because an attack has thousands of them. */
class DigitArray {
  /** The number as UTF-16 units. */
  readonly units = new Uint16Array(MAX_SIZE);
  /** For each unit and for the end, the index of its element. */
  readonly origin = new Int32Array(MAX_SIZE);
  /** Whether each element of the last one is one digit, and whether they are strings. */
  isSpelled = false;
  isOfTexts = false;

  /**
   * Reads an array whose elements are all digits or short groups of digits, such as a card number one digit an
   * element. Returns how many units it has, 0 for any other array. Elements of one digit are joined, longer ones
   * stand with a space between them.
   */
  read(values: readonly unknown[]): number {
    const count = values.length;
    if (count < 3 || count > MAX_DIGITS) return 0;
    let digits = 0;
    this.isSpelled = false;
    for (let i = 0; i < count; i++) {
      const size = chunkSize(values[i]);
      digits += size;
      if (size === 0 || digits > MAX_DIGITS || (count > MAX_GROUPS && size > 1)) return 0;
    }
    if (digits < 9) return 0;
    let end = 0;
    let isFlags = true;
    for (let i = 0; i < count; i++) {
      // a space belongs to the element after it
      if (digits > count && i > 0) end = this.#put(end, 32, i);
      const value = values[i];
      const chunk = typeof value === 'number' && value < 10 ? value : String(value);
      if (typeof chunk === 'number') end = this.#put(end, 48 + chunk, i);
      else for (let k = 0; k < chunk.length; k++) end = this.#put(end, chunk.charCodeAt(k), i);
    }
    for (let k = 0; k < end && isFlags; k++) isFlags = unitAt(this.units, k) < 50;
    this.origin[end] = count;
    this.isSpelled = digits === count;
    this.isOfTexts = typeof values[0] === 'string';
    return isFlags ? 0 : end;
  }

  #put(at: number, unit: number, element: number): number {
    this.units[at] = unit;
    this.origin[at] = element;
    return at + 1;
  }
}

/** Digits of an element; 0 when it is anything but one to six digits. */
function chunkSize(value: unknown): number {
  if (typeof value === 'string') return value.length <= 6 && CHUNK.test(value) ? value.length : 0;
  if (typeof value !== 'number' || !(value >= 0 && value < 1e6) || !Number.isInteger(value)) return 0;
  return value < 10 ? 1 : String(value).length;
}

const SMALL: readonly number[] = ['CARD_SECURITY_CODE', 'PIN'].map(tagId);
const DECIMAL: readonly number[] = [tagId('COORDINATES')];

/** Whether the key names a kind of which a small number, or one with decimals, is a value. */
function isSmallKind(value: number, { contexts }: KeyInfo, strict: boolean): boolean {
  const kinds = Number.isInteger(value) ? SMALL : DECIMAL;
  if (kinds === DECIMAL && !strict) return false; // degrees alone are any measure
  return (value >= 100 || kinds === DECIMAL) && contexts.some((context) => kinds.includes(context));
}

/** Levels of nesting a document may have; the service refuses deeper ones before. */
const MAX_DEPTH = 256;
/**
 * Hashes computed for one document: an address costs microseconds to check, so that beyond these, words of the right
 * alphabet and length count unchecked. No document but an attack has so many.
 */
const MAX_EFFORT = 64;
/**
 * Below this no integer is anything, and below the other only with a key that names it: the shortest card has 13
 * digits and begins with 4, times in milliseconds are smaller.
 */
const SMALLEST_NUMBER = 100_000;
const SMALLEST_NAMELESS = 4e12;
const CARD = tagId('CREDIT_CARD');
/** Digits of the shortest card that is spelled. */
const MIN_CARD = 13;
const NO_COLUMNS: readonly KeyInfo[] = [];

/** Characters of a short text; shorter ones are read as fast as they are looked up. */
const MIN_KEPT = 8;
const SHORT = 32;
/** Short texts of a generation: two of them are kept. */
const MAX_TEXTS = 10_000;

/** Short texts in which nothing was found, whatever stands beside them: the last ones that were read. */
class EmptyTexts {
  #known = new Set<string>();
  #former = new Set<string>();

  has(text: string): boolean {
    if (!isKept(text)) return false;
    if (this.#known.has(text)) return true;
    if (!this.#former.has(text)) return false;
    this.add(text);
    return true;
  }

  add(text: string): void {
    if (!isKept(text)) return;
    if (this.#known.size === MAX_TEXTS) {
      this.#former = this.#known;
      this.#known = new Set();
    }
    this.#known.add(text);
  }
}

/** Whether a text is remembered as empty. A text that begins with a digit is a number or a time, which seldom recurs. */
function isKept(text: string): boolean {
  return text.charCodeAt(0) > Char.DIGIT_9;
}

/**
 * Reads every key, string and number of parsed JSON in document order. Each array, key, string and number counts as
 * one leaf; `redact` and `locate` count the same way.
 */
export class Reader {
  readonly #pass: Pass;
  readonly #digits = new DigitArray();
  readonly #parted = new PartedToken();
  readonly #empty = new EmptyTexts();
  /** Whether the value that is read next is the bytes of a buffer: {"type": "Buffer", "data": […]}. */
  #isBuffer = false;
  /** Whether the array that is read next is an element of another one. */
  #isRow = false;
  readonly #onString: ((text: string) => void) | null;
  #recognized: ((text: string) => void) | null = null;

  /** `onString` is called with every string that is read; null when nobody needs it. */
  constructor(pass: Pass, onString: ((text: string) => void) | null) {
    this.#pass = pass;
    this.#onString = onString;
  }

  /**
   * `recognized` is called with every string of this input; null when nobody needs it.
   * Throws a RangeError when the input is nested too deeply to be read: skipping it would allow it.
   */
  read(input: unknown, recognized: ((text: string) => void) | null): void {
    this.#recognized = recognized;
    this.#pass.leaf = 0;
    this.#parted.begin();
    this.#pass.setting.effort = MAX_EFFORT;
    this.#value(input, NO_KEY, 0);
  }

  #value(value: unknown, key: KeyInfo, depth: number): void {
    if (typeof value === 'string') {
      this.#pass.leaf++;
      this.#text(value, key);
    } else if (typeof value === 'number') {
      this.#pass.leaf++;
      this.#number(value, key);
    } else if (typeof value === 'bigint') {
      this.#pass.leaf++;
      this.#bigInteger(value, key);
    } else if (typeof value === 'object' && value !== null) {
      if (depth > MAX_DEPTH) throw new RangeError(`input is nested deeper than ${MAX_DEPTH} levels`);
      if (Array.isArray(value)) this.#array(value, key, depth);
      else this.#object(value as Record<string, unknown>, key, depth);
    }
  }

  #number(value: number, key: KeyInfo): void {
    const pass = this.#pass;
    // A sign or a fraction must not hide the digits: another program may drop it.
    const size = Math.abs(value);
    if (size < SMALLEST_NUMBER) {
      if (key.named && isSmallKind(value, key, pass.strict)) this.#small(value, key);
      return;
    }
    if (this.#onString !== null) this.#onString(String(value));
    if (!key.named && size < SMALLEST_NAMELESS && !pass.strict) return;
    if (value > 0 && Number.isSafeInteger(value)) pass.text.loadInteger(value);
    else pass.text.load(String(value));
    this.#scan(key);
    if (key.label !== null) keyedValue(pass, key.label);
  }

  /** A number that its key alone makes one: a card's code, degrees. */
  #small(value: number, key: KeyInfo): void {
    this.#pass.text.load(String(value));
    this.#scan(key);
  }

  /** An integer whose digits no number holds: of a card with 19 digits, of an account. */
  #bigInteger(value: bigint, key: KeyInfo): void {
    const pass = this.#pass;
    const text = String(value);
    if (this.#onString !== null) this.#onString(text);
    pass.text.load(text);
    this.#scan(key);
    if (key.label !== null) keyedValue(pass, key.label);
  }

  #array(values: readonly unknown[], key: KeyInfo, depth: number): void {
    this.#pass.leaf++;
    const isRow = this.#isRow;
    this.#isRow = false;
    const joined = isRow && !key.named ? 0 : this.#digits.read(values);
    if (joined > 0) this.#spelled(joined, key);
    else if (isByteArray(values)) this.#pass.decoder?.array(this.#pass, values, this.#isBuffer);
    else if (typeof values[0] === 'string') seedArray(this.#pass, values);
    this.#isBuffer = false;
    const heads = Array.isArray(values[0]) ? headRow(values, this.#pass.setting.keys) : null;
    if (heads !== null) {
      this.#rows(values, heads, depth, 1);
      return;
    }
    for (let i = 0; i < values.length; i++) {
      const value = values[i];
      const name = i > 0 && typeof value === 'string' && !key.describes ? nameBefore(values, i, key) : null;
      const own = name === null ? key : inherit(key, this.#pass.setting.keys.get(name));
      this.#isRow = Array.isArray(value);
      this.#value(value, own, depth + 1);
    }
  }

  /** A number whose digits or groups are the elements of an array. Sizes such as [128, 64, 1024] are none, unless the key says so. */
  #spelled(length: number, key: KeyInfo): void {
    const { isSpelled, isOfTexts, origin, units } = this.#digits;
    if (!(key.named || isSpelled || isOfTexts)) return;
    this.#pass.origin = origin;
    this.#pass.text.loadUnits(units, length);
    // nobody spells an id
    scanText(this.#pass, isSpelled && length >= MIN_CARD ? [...key.contexts, CARD] : key.contexts);
    this.#pass.origin = null;
  }

  /** The rows of a table whose columns have names; the first `headCount` of them are those names. */
  #rows(rows: readonly unknown[], heads: readonly string[], depth: number, headCount: number): void {
    const columns = headsOfPeople(heads).map((head) => this.#pass.setting.keys.get(head));
    for (let k = 0; k < rows.length; k++) {
      const row = rows[k];
      if (Array.isArray(row)) this.#cells(row, k < headCount ? NO_COLUMNS : columns, depth + 1);
      else this.#value(row, NO_KEY, depth + 1);
    }
  }

  /** The values of an array, each of which has a key of its own. */
  #cells(values: readonly unknown[], columns: readonly KeyInfo[], depth: number): void {
    this.#pass.leaf++;
    for (let i = 0; i < values.length; i++) this.#value(values[i], columns[i] ?? NO_KEY, depth + 1);
  }

  #object(object: Record<string, unknown>, outer: KeyInfo, depth: number): void {
    const pass = this.#pass;
    const { keys } = pass.setting;
    // asked once for each object: they look at its members
    let degrees: readonly unknown[] | null = null;
    let beside: KeyInfo | null = null;
    for (const key in object) {
      pass.leaf++;
      const known = keys.find(key);
      const { info } = known;
      if (!info.plain || this.#onString !== null) this.#key(known);
      const value = object[key];
      if (isPlaceKey(info)) {
        degrees ??= degreesOf(object, keys);
        if (this.#place(degrees, value)) continue;
      }
      if (typeof value === 'string') {
        pass.leaf++;
        const isMessage = info.label !== null && isOutcome(object, key, value);
        const own = ownKind(object, known, keys);
        pass.isPublicKey = key === 'n' && object.kty === 'RSA';
        pass.member = key;
        if (own.holds) beside ??= named(object, outer, keys);
        this.#text(value, isMessage ? NO_KEY : meant(object, outer, own, keys, key, beside));
        pass.isPublicKey = false;
        pass.member = '';
      } else if (typeof value === 'number') {
        pass.leaf++;
        const own = ownKind(object, known, keys);
        if (own.holds) beside ??= named(object, outer, keys);
        this.#number(value, meant(object, outer, own, keys, key, beside));
      } else if (typeof value === 'bigint') {
        pass.leaf++;
        if (info.holds) beside ??= named(object, outer, keys);
        this.#bigInteger(value, meant(object, outer, info, keys, key, beside));
      } else {
        this.#isBuffer = key === 'data' && object.type === 'Buffer';
        if (Array.isArray(value)) {
          if (info.holds) beside ??= named(object, outer, keys);
          this.#list(object, outer, known, value, beside, depth + 1);
        } else this.#value(value, info, depth + 1);
      }
    }
  }

  /** An array that is a member: rows whose columns have names, values bound to a statement, or any. */
  #list(
    object: Record<string, unknown>,
    outer: KeyInfo,
    known: KnownKey,
    values: readonly unknown[],
    beside: KeyInfo | null,
    depth: number,
  ): void {
    const { keys } = this.#pass.setting;
    const { info } = known;
    const bound = info.binds ? boundColumns(object) : null;
    if (bound !== null) {
      this.#cells(
        values,
        bound.map((name) => keys.get(name)),
        depth,
      );
      return;
    }
    const heads = info.lists ? columnHeads(object) : null;
    if (heads !== null) {
      this.#pass.leaf++;
      this.#rows(values, heads, depth, 0);
    } else if (info.holds && beside !== null) this.#value(values, inherit(beside, info), depth);
    else {
      const speaks = outer.contexts.length > 0 || outer.label !== null;
      this.#value(values, speaks && !info.named ? inherit(outer, info) : ownKind(object, known, keys), depth);
    }
  }

  /** The text of a key; one in which nothing was found is read once. */
  #key(known: KnownKey): void {
    const mustBeRead = this.#onString !== null || this.#recognized !== null;
    if (known.isEmpty && !mustBeRead) return;
    const { hits } = this.#pass.setting;
    const { count } = hits;
    this.#string(known.key, NO_KEY);
    known.isEmpty = hits.count === count && hits.lostFrom === 0;
  }

  /** A member that holds degrees, or a position: the value is found whole. Returns whether it is one. */
  #place(degrees: readonly unknown[], value: unknown): boolean {
    const pass = this.#pass;
    const isWhole = isPosition(value);
    if (!isWhole && !isPartOfPlace(degrees, value)) return false;
    if (isWhole) pass.leaf++;
    for (const one of isWhole ? value : [value]) {
      pass.leaf++;
      pass.text.load(String(one));
      pass.found(COORDINATES, FORMATTED, pass.text.start, pass.text.end);
    }
    return true;
  }

  /** A string that is no key, and may be a part of a token with those before it. */
  #text(text: string, key: KeyInfo): void {
    const { hits } = this.#pass.setting;
    const { count } = hits;
    this.#string(text, key);
    this.#parted.read(this.#pass, text, hits.count === count);
  }

  #string(text: string, key: KeyInfo): void {
    if (this.#onString !== null) this.#onString(text);
    if (this.#recognized !== null) this.#recognized(text);
    if (text.length < 5 && !key.named) return;
    // names of tools, kinds and states are the same in call after call
    const isShort =
      text.length > MIN_KEPT && text.length < SHORT && key.label === null && key.contexts.length === 0;
    if (!isShort) this.#read(text, key);
    else if (!this.#empty.has(text)) {
      const { hits } = this.#pass.setting;
      const { count } = hits;
      this.#read(text, key);
      if (hits.count === count && hits.lostFrom === 0) this.#empty.add(text);
    }
  }

  #read(text: string, key: KeyInfo): void {
    const pass = this.#pass;
    pass.text.load(text);
    pass.source = text;
    this.#scan(key);
    if (key.label !== null) keyedValue(pass, key.label);
    pass.source = null;
    if (pass.escapeCount === 0 || !decodedView(pass, text)) return;
    this.#scan(key);
    if (key.label !== null && text.length <= MAX_VALUE) keyedValue(pass, key.label);
    pass.origin = null;
    pass.units = null;
  }

  #scan(key: KeyInfo): void {
    scanText(this.#pass, key.contexts);
  }
}
