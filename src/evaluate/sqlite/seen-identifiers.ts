import type { Sighting } from '../../schemas/sightings.ts';
import { parseSightings } from '../sightings.ts';

/** A block of so many bytes is written to a row of its own, and never again; the session's state has what comes after it. */
const blockBytes = 1_024;
/** Before the text of a list and the number of its digests. */
const listHeader = 4;
const countHeader = 2;
/** At the end of a digest. */
const mixedCharacters = 8;

/**
 * The sightings of one session, as bytes that are only added to. A group is what one content adds: the text of a list of
 * sightings, and the digests that have it; a later group replaces what an earlier one says of a digest. Objects for each digest
 * would be most of what V8 keeps of a session, and collects.
 */
export class SeenIdentifiers {
  /** The groups, in their order. */
  #bytes: Buffer;
  #end = 0;
  /** Where the block begins that is not full. */
  #openFrom = 0;
  /** Blocks that became full and have no row yet. */
  #full: { block: number; bytes: Buffer }[] = [];
  #blockCount: number;
  /** A hash table: where each digest stands, 0 for a free slot, and where its list stands. At most half full. */
  #table = new Uint32Array(128);
  #count = 0;
  /** Lists that were looked up, by where they stand. */
  readonly #lists = new Map<number, readonly Sighting[]>();

  /** `blocks`: those that have rows, in their order; `open`: the bytes after them. */
  constructor(blocks: readonly Buffer[], open: Buffer | null) {
    this.#blockCount = blocks.length;
    const all = open === null ? blocks : [...blocks, open];
    const length = all.reduce((sum, { length }) => sum + length, 0);
    this.#bytes = Buffer.allocUnsafeSlow(Math.max(512, 2 * length));
    for (const bytes of all) {
      if (bytes === open) this.#openFrom = this.#end;
      this.#end += bytes.copy(this.#bytes, this.#end);
    }
    if (open === null) this.#openFrom = this.#end;
    for (let at = 0; at < this.#end; ) at = this.#readGroup(at);
  }

  get blockCount(): number {
    return this.#blockCount;
  }
  get byteLength(): number {
    return this.#bytes.length + this.#table.byteLength;
  }
  /** The bytes after the last full block; null when there are none. Valid until the next change. */
  get open(): Buffer | null {
    return this.#end === this.#openFrom ? null : this.#bytes.subarray(this.#openFrom, this.#end);
  }
  /** The blocks that became full since the last call: each gets its row. */
  takeFull(): readonly { block: number; bytes: Buffer }[] {
    const full = this.#full;
    if (full.length > 0) this.#full = [];
    return full;
  }

  has(digest: string): boolean {
    return this.#table[this.#slotOf(digest)] !== 0;
  }
  /** Null for a digest that was not seen. */
  find(digest: string): readonly Sighting[] | null {
    const slot = this.#slotOf(digest);
    return this.#table[slot] === 0 ? null : this.#listAt(this.#table[slot + 1] as number);
  }
  /** Each digest once, with what was said last. */
  *all(): Generator<{ digest: string; sightings: readonly Sighting[] }> {
    for (let slot = 0; slot < this.#table.length; slot += 2) {
      const at = this.#table[slot] as number;
      if (at === 0) continue;
      const digest = this.#bytes.toString('latin1', at, at + (this.#bytes[at - 1] as number));
      yield { digest, sightings: this.#listAt(this.#table[slot + 1] as number) };
    }
  }

  /** `digests`: each of at most 255 ASCII characters; `sightings`: the text of their list. */
  add(digests: readonly string[], sightings: string): void {
    const text = Buffer.from(sightings);
    const digestBytes = digests.reduce((sum, { length }) => sum + 1 + length, 0);
    this.#reserve(listHeader + text.length + countHeader + digestBytes);
    const list = this.#end;
    const bytes = this.#bytes;
    let at = bytes.writeUInt32LE(text.length, list);
    at += text.copy(bytes, at);
    at = bytes.writeUInt16LE(digests.length, at);
    for (const digest of digests) {
      bytes[at++] = digest.length;
      for (let place = 0; place < digest.length; place++) bytes[at + place] = digest.charCodeAt(place);
      this.#put(digest, at, list);
      at += digest.length;
    }
    this.#end = at;
    if (at - this.#openFrom < blockBytes) return;
    this.#full.push({ block: this.#blockCount++, bytes: bytes.subarray(this.#openFrom, at) });
    this.#openFrom = at;
  }

  /** Returns where the next group begins. */
  #readGroup(list: number): number {
    // Only up to the end: behind it the buffer has room, with anything in it.
    const bytes = this.#bytes.subarray(0, this.#end);
    let at = list + listHeader + bytes.readUInt32LE(list);
    let left = bytes.readUInt16LE(at);
    at += countHeader;
    for (; left > 0; left--) {
      const length = bytes.readUInt8(at++);
      if (at + length > bytes.length) throw new RangeError('the sightings of a session end too early');
      this.#put(bytes.toString('latin1', at, at + length), at, list);
      at += length;
    }
    return at;
  }

  #listAt(at: number): readonly Sighting[] {
    let list = this.#lists.get(at);
    if (list === undefined) {
      const from = at + listHeader;
      list = parseSightings(this.#bytes.toString('utf8', from, from + this.#bytes.readUInt32LE(at)));
      this.#lists.set(at, list);
    }
    return list;
  }

  #put(digest: string, at: number, list: number): void {
    let slot = this.#slotOf(digest);
    if (this.#table[slot] === 0 && 4 * ++this.#count > this.#table.length) {
      this.#grow();
      slot = this.#slotOf(digest);
    }
    this.#table[slot] = at;
    this.#table[slot + 1] = list;
  }
  #grow(): void {
    const before = this.#table;
    this.#table = new Uint32Array(2 * before.length);
    for (let slot = 0; slot < before.length; slot += 2) {
      const at = before[slot] as number;
      if (at === 0) continue;
      const free = this.#slotOf(this.#bytes.toString('latin1', at, at + (this.#bytes[at - 1] as number)));
      this.#table[free] = at;
      this.#table[free + 1] = before[slot + 1] as number;
    }
  }

  /** The slot of the digest, or the free one that it would get. */
  #slotOf(digest: string): number {
    const mask = this.#table.length - 1;
    let mixed = 0;
    // A few characters of a salted hash tell it from others as well as all of them.
    for (let place = Math.max(0, digest.length - mixedCharacters); place < digest.length; place++)
      mixed = (Math.imul(mixed, 31) + digest.charCodeAt(place)) | 0;
    let slot = (mixed ^ (mixed >>> 15)) * 2;
    for (;;) {
      slot &= mask;
      const at = this.#table[slot] as number;
      if (at === 0 || this.#standsAt(digest, at)) return slot;
      slot += 2;
    }
  }
  #standsAt(digest: string, at: number): boolean {
    const bytes = this.#bytes;
    if (bytes[at - 1] !== digest.length) return false;
    for (let place = 0; place < digest.length; place++)
      if (bytes[at + place] !== digest.charCodeAt(place)) return false;
    return true;
  }

  #reserve(more: number): void {
    if (this.#end + more <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * (this.#end + more));
    this.#bytes.copy(larger, 0, 0, this.#end);
    this.#bytes = larger;
  }
}
