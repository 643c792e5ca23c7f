import { Context } from './context/context.ts';
import type { KeyCache } from './context/keys.ts';
import type { Hits } from './detections.ts';
import type { Rank } from './kinds/kind.ts';
import { Groups } from './numbers/groups.ts';
import { PeopleWords } from './people/people-nearby.ts';
import { byteAt, intAt, unitAt } from './text/bytes.ts';
import { Text } from './text/text.ts';

/** The settings of a detector, which all its passes share. */
export interface Setting {
  strict: boolean;
  /** 1 for each tag that is looked for. */
  on: Uint8Array;
  keys: KeyCache;
  hits: Hits;
  /** Hashes that may still be computed for this document. */
  effort: number;
}

/** Reads encoded content: see `encoded/decoder.ts`. */
export interface EncodedReader {
  word(pass: Pass, from: number, to: number): number;
  list(pass: Pass, from: number): number;
  array(pass: Pass, values: readonly number[], isBuffer: boolean): void;
  digest(pass: Pass, from: number): number;
  joined(text: string): number;
}

/** Characters beyond ASCII. */
const OTHER = /[^\0-\x7f]/;
/** Characters of such a text that are kept as a string, before and behind those that are asked for. */
const PLAIN_BEFORE = 256;
const PLAIN_AFTER = 1024;

/** The state that the recognisers of one text share: the text, the words around, where findings go. */
export class Pass {
  readonly text = new Text();
  readonly context = new Context(this.text);
  readonly groups = new Groups();
  readonly setting: Setting;
  readonly strict: boolean;
  /** Number of the leaf being read. */
  leaf = 0;
  /** For a text that is a view of a leaf: the leaf's offset of each byte and of the end; null when they are the same. */
  origin: Int32Array | null = null;
  /** The string that was loaded; null for a view. */
  source: string | null = null;
  /** The UTF-16 units of a view; null for what is no view. */
  units: Uint16Array | null = null;
  /** Where the text has escapes and invisible characters, so that another view of it reads differently there. */
  escapes: Int32Array = new Int32Array(256);
  escapeCount = 0;
  /** Ends of the last base64, URL, value and overlong token that were tried: what is inside is not tried again. */
  encodedEnd = 0;
  urlEnd = 0;
  valueEnd = 0;
  /** End of the last number of a place. */
  placeEnd = -100;
  nestedValues = 0;
  overlongEnd = 0;
  listEnd = 0;
  /** End of the last word that names a secret: its value was looked for there. */
  spottedEnd = 0;
  /** Bounds of the label that was read last. */
  labelStart = 0;
  labelEnd = 0;
  /** Up to where commands were looked for, and the last one of that line. */
  commandRead = 0;
  command: unknown = null;
  /** Up to where tables were read: they are not read again for the next label. */
  tableRead = 0;
  /** Up to where statements that insert rows were read. */
  insertRead = 0;
  /** A part of a text that is not ASCII, as `plain` gives it, and where it begins. */
  #plain = '';
  #plainFrom = 0;
  /** Up to where hashes of passwords were looked for. */
  hashRead = 0;
  /** Where words tell of people. */
  readonly people = new PeopleWords();
  /** Takes findings instead of the hits: set while reading what was encoded. */
  onFound: ((tag: number, rank: Rank) => void) | null = null;
  /** Reads what is encoded in the text; null where nothing is decoded. */
  decoder: EncodedReader | null = null;
  /** Whether the text is the member `n` of a public key: {"kty": "RSA", "n": …}. */
  isPublicKey = false;
  /** The key of the text, when it is the value of a member. */
  member = '';
  /** Control characters of the text: with many of them it is binary data. */
  controls = 0;
  /** Characters that stand for bytes which could not be read. */
  replaced = 0;

  constructor(setting: Setting) {
    this.setting = setting;
    this.strict = setting.strict;
  }

  /** Forgets the text before. */
  begin(contexts: readonly number[]): void {
    this.context.begin(contexts);
    this.encodedEnd = 0;
    this.urlEnd = 0;
    this.valueEnd = 0;
    this.placeEnd = -100;
    this.overlongEnd = 0;
    this.listEnd = 0;
    this.spottedEnd = 0;
    this.labelEnd = -1;
    this.commandRead = 0;
    this.people.begin();
    this.command = null;
    this.tableRead = 0;
    this.insertRead = 0;
    this.hashRead = 0;
    this.#plain = '';
    this.controls = 0;
    this.replaced = 0;
  }

  /** Notes an escape or an invisible character at a position of the buffer. */
  escaped(at: number): void {
    if (this.escapeCount === this.escapes.length) {
      const larger = new Int32Array(2 * this.escapeCount);
      larger.set(this.escapes);
      this.escapes = larger;
    }
    this.escapes[this.escapeCount++] = at - this.text.start;
  }

  isOn(tag: number): boolean {
    return this.setting.on[tag] === 1;
  }

  /** Records a finding between two positions of the buffer, unless its tag is switched off. Returns the second one. */
  found(tag: number, rank: Rank, from: number, to: number): number {
    if (this.setting.on[tag] !== 1) return to;
    if (this.onFound !== null) {
      this.onFound(tag, rank);
      return to;
    }
    const start = from - this.text.start;
    const end = to - this.text.start;
    const { origin } = this;
    if (origin === null) this.setting.hits.add(tag, rank, this.leaf, start, end);
    else this.setting.hits.add(tag, rank, this.leaf, intAt(origin, start), intAt(origin, end));
    return to;
  }

  near(context: number, from: number): boolean {
    return this.context.near(context, from);
  }

  /** Whether a word of this context stands before the value or shortly after it. */
  around(context: number, from: number, to: number): boolean {
    return this.context.near(context, from) || this.context.follows(context, to);
  }

  /** Reads what the long word may encode. Returns where to go on, at least its end. */
  encoded(from: number, to: number): number {
    return this.decoder === null || from < this.encodedEnd ? to : this.decoder.word(this, from, to);
  }

  /** Reads a list of bytes that may begin at `from`. Returns where to go on, 0 when there is none. */
  byteList(from: number): number {
    return this.decoder === null || from < this.listEnd ? 0 : this.decoder.list(this, from);
  }

  /** The characters between two positions. */
  slice(from: number, to: number): string {
    if (this.source !== null) return this.source.slice(from - this.text.start, to - this.text.start);
    let text = '';
    const { units } = this;
    const { bytes, start } = this.text;
    for (let i = from; i < to; i++)
      text += String.fromCharCode(units === null ? byteAt(bytes, i) : unitAt(units, i - start));
    return text;
  }

  /** The characters between two places as `Text` has them: quotes and dashes of ASCII only, letters without accents. */
  plain(from: number, to: number): string {
    const { source, text } = this;
    const stop = Math.min(to, text.end);
    if (source !== null) {
      const own = source.slice(from - text.start, stop - text.start);
      if (text.isAscii || !OTHER.test(own)) return own;
    }
    if (from < this.#plainFrom || stop > this.#plainFrom + this.#plain.length) {
      // what is asked for next is mostly near
      this.#plainFrom = Math.max(text.start, from - PLAIN_BEFORE);
      const end = Math.min(text.end, from + PLAIN_AFTER);
      this.#plain = String.fromCharCode(...text.bytes.subarray(this.#plainFrom, end));
    }
    return this.#plain.slice(from - this.#plainFrom, stop - this.#plainFrom);
  }
}
