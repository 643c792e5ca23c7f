import type { CounterCell } from '../../schemas/counter-cells.ts';
import { CellReader, CellWriter } from './encoding.ts';

/** A cell with the time from which it says nothing any more; null for never. */
export interface KeptCell {
  readonly cell: CounterCell;
  endsAt: number | null;
}

/** The key of a cell: a hash, with a character for each byte. */
export const keyBytes = 16;
const coarseMs = 600_000;

export function writeKept(writer: CellWriter, { cell, endsAt }: KeptCell): void {
  // Ends are coarse, or those of sessions: rounded up, so that nothing is left out too early.
  writer.nullable(endsAt === null ? null : Math.ceil(endsAt / coarseMs));
  writer.cell(cell);
}

export const readKept = (reader: CellReader): KeptCell => {
  const endsAt = readEnd(reader);
  return { endsAt, cell: reader.cell() };
};

function readEnd(reader: CellReader): number | null {
  const end = reader.nullable();
  return end === null ? null : end * coarseMs;
}

const writer = new CellWriter();
const nothing = Buffer.alloc(0);
/** The bytes of a few cells, so that most scopes need no larger ones. */
const firstBytes = 256;

/**
 * Cells by their key, as the bytes that are stored: a change replaces its own bytes alone. With an object for each cell, a session of
 * many actions would encode all of them for each action, and V8 would keep and collect them.
 */
export class NamedCells {
  #bytes = nothing;
  #end = 0;
  /** Where each cell begins: its key. */
  readonly #places: number[] = [];
  /** The first 30 bits of each key, by which it is looked for. */
  readonly #heads: number[] = [];
  /** No cell ends before. */
  #soonestEnd = Number.POSITIVE_INFINITY;

  get size(): number {
    return this.#places.length;
  }
  /** As they are stored. Valid until the next change. */
  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#end);
  }
  /** When the last of them ends; null when one never does, 0 without any. */
  get lastEnd(): number | null {
    let last = 0;
    for (const place of this.#places) {
      const end = this.#endAt(place);
      if (end === null) return null;
      if (end > last) last = end;
    }
    return last;
  }

  has(key: string): boolean {
    return this.#indexOf(key) >= 0;
  }
  find(key: string): KeptCell | null {
    const index = this.#indexOf(key);
    return index < 0 ? null : readKept(this.#readerAt(this.#places[index] as number));
  }

  set(key: string, kept: KeptCell): void {
    writer.begin();
    writer.latin1(key);
    writeKept(writer, kept);
    const record = writer.view();
    const known = this.#indexOf(key);
    const index = known < 0 ? this.size : known;
    const place = known < 0 ? this.#end : (this.#places[known] as number);
    const next = known < 0 ? this.#end : this.#nextOf(known);
    this.#replace(place, next, record);
    if (known < 0) {
      this.#places.push(place);
      this.#heads.push(headOf(key));
    }
    this.#shift(index + 1, record.length - (next - place));
    this.#noteEnd(this.#endAt(place));
  }

  /** Removes those that end at `at` or before. */
  removeEnded(at: number): void {
    if (this.#soonestEnd > at) return;
    this.#soonestEnd = Number.POSITIVE_INFINITY;
    for (let index = this.size - 1; index >= 0; index--) {
      const place = this.#places[index] as number;
      const end = this.#endAt(place);
      if (end === null || end > at) {
        this.#noteEnd(end);
        continue;
      }
      const next = this.#nextOf(index);
      this.#replace(place, next, nothing);
      this.#places.splice(index, 1);
      this.#heads.splice(index, 1);
      this.#shift(index, place - next);
    }
  }

  /** Takes over as many stored cells, which `bytes` has at its end, from `from` on. */
  load(bytes: Buffer, from: number, count: number): void {
    const reader = new CellReader(bytes, from);
    for (let left = count; left > 0; left--) {
      const place = reader.place;
      reader.skip(keyBytes);
      this.#places.push(place - from);
      this.#heads.push(headAt(bytes, place));
      this.#noteEnd(readEnd(reader));
      reader.skipCell();
    }
    this.#replace(0, 0, bytes.subarray(from, reader.place));
  }

  #indexOf(key: string): number {
    const head = headOf(key);
    let index = this.#heads.indexOf(head);
    while (index >= 0 && !this.#hasKeyAt(this.#places[index] as number, key))
      index = this.#heads.indexOf(head, index + 1);
    return index;
  }
  #hasKeyAt(place: number, key: string): boolean {
    for (let at = 0; at < keyBytes; at++) if (this.#bytes[place + at] !== key.charCodeAt(at)) return false;
    return true;
  }
  #readerAt(place: number): CellReader {
    return new CellReader(this.#bytes, place + keyBytes);
  }
  #endAt(place: number): number | null {
    return readEnd(this.#readerAt(place));
  }
  #nextOf(index: number): number {
    return index + 1 < this.size ? (this.#places[index + 1] as number) : this.#end;
  }
  #noteEnd(end: number | null): void {
    if (end !== null && end < this.#soonestEnd) this.#soonestEnd = end;
  }

  /** The bytes from `place` to `next` become `record`. */
  #replace(place: number, next: number, record: Buffer): void {
    const end = this.#end + record.length - (next - place);
    if (end > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(firstBytes, 2 * end));
      this.#bytes.copy(larger, 0, 0, this.#end);
      this.#bytes = larger;
    }
    if (next < this.#end) this.#bytes.copy(this.#bytes, place + record.length, next, this.#end);
    record.copy(this.#bytes, place);
    this.#end = end;
  }
  #shift(from: number, by: number): void {
    if (by === 0) return;
    for (let index = from; index < this.size; index++) (this.#places[index] as number) += by;
  }
}

const headOf = (key: string): number =>
  mixed(key.charCodeAt(0), key.charCodeAt(1), key.charCodeAt(2), key.charCodeAt(3));
/** `headOf` of a key that is stored at `place`. */
const headAt = (bytes: Buffer, place: number): number =>
  mixed(
    bytes[place] as number,
    bytes[place + 1] as number,
    bytes[place + 2] as number,
    bytes[place + 3] as number,
  );
/** The same number for the same first four bytes of a key. */
const mixed = (first: number, second: number, third: number, fourth: number): number =>
  ((first << 22) ^ (second << 15) ^ (third << 8) ^ fourth) & 0x3fffffff;
