import type { Sighting } from '../../schemas/session-context.ts';
import { addsNoOwn, type OwnAdds, parseSightings, type SightingWrites, sightingsText } from '../sightings.ts';

/** A block of so many bytes is written to a row of its own, and never again; the session's state has what comes after it. */
const blockBytes = 1_024;
/**
 * The kinds of records, the first byte of each. What one content adds is an origin, and for each field that has identifiers the
 * digests that were seen in it; nearly all sightings are the first of their identifier. Other lists are kept as their text.
 */
const ownOrigin = 1;
const otherOrigin = 2;
const seenFirst = 3;
const listed = 4;
/** As `seenFirst`, with the number of its record after each digest. */
const seenInRecords = 5;
/** The bytes before the text of an origin. */
const originHeader = 3;
/** Before the name of a field: the kind, how far back the origin is, and the length of the name and one; 0 for a part of a text. */
const firstHeader = 4;
/** Before the text of a list. */
const listHeader = 6;
const countHeader = 2;
/** After a digest of `seenInRecords`. */
const recordBytes = 2;
const mostRecords = 65_535;
/** At most so many for each UTF-16 unit. */
const utf8Bytes = 3;
/** A longer name of a field, in bytes, is kept in the text of a list. */
const longestField = 254;
const farthestOrigin = 65_535;
/** In characters of its tool and its labels, each of which may take six bytes. */
const longestOrigin = 10_000;
/** A word says where a list stands, with this bit when the agent's own words add nothing to the list. */
const noOwn = 0x8000_0000;
const wordOf = (list: number, addsNone: boolean): number => (addsNone ? (list | noOwn) >>> 0 : list);
/** At the end of a digest. */
const mixedCharacters = 8;

/**
 * The sightings of one session, as bytes that are only added to: a later record replaces what an earlier one says of a digest.
 * Objects for each digest would be most of what V8 keeps of a session, and collects.
 */
export class SeenIdentifiers {
  /** The records, in their order. */
  #bytes: Buffer;
  #end = 0;
  /** Where the block begins that is not full. */
  #openFrom = 0;
  /** Blocks that became full and have no row yet. */
  #full: readonly { block: number; bytes: Buffer }[] = none;
  #blockCount: number;
  /** A hash table: where each digest stands, 0 for a free slot, and the word of its list (`wordOf`). At most half full. */
  #table = new Uint32Array(128);
  #count = 0;
  /** Lists that were looked up, by where they stand and by the record. */
  #lists: Map<number, readonly Sighting[]> | null = null;

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
    this.#readRecords();
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
    this.#full = none;
    return full;
  }

  /** See `SightingRows.ownAdds`. */
  ownAdds(digest: string): OwnAdds {
    const slot = this.#slotOfText(digest);
    if (this.#table[slot] === 0) return 'the first';
    return ((this.#table[slot + 1] as number) & noOwn) === 0 ? null : 'nothing';
  }
  /** Null for a digest that was not seen. */
  find(digest: string): readonly Sighting[] | null {
    const slot = this.#slotOfText(digest);
    const at = this.#table[slot] as number;
    return at === 0 ? null : this.#listAt(this.#table[slot + 1] as number, at + digest.length);
  }
  /** Each digest once, with what was said last. */
  *all(): Generator<{ digest: string; sightings: readonly Sighting[] }> {
    for (let slot = 0; slot < this.#table.length; slot += 2) {
      const at = this.#table[slot] as number;
      if (at === 0) continue;
      const digest = this.#bytes.toString('latin1', at, at + (this.#bytes[at - 1] as number));
      yield { digest, sightings: this.#listAt(this.#table[slot + 1] as number, at + digest.length) };
    }
  }

  /** Each digest has at most 255 ASCII characters. Returns how many of them were not seen before. */
  add(writes: SightingWrites['writes']): number {
    const before = this.#count;
    // Where the origins of this content stand.
    const origins = new Map<string, number>();
    for (const { first, text, sightings, digests, records } of groupsOf(writes)) {
      let originAt = origins.get(text);
      if (first !== null && (originAt === undefined || this.#end - originAt > farthestOrigin)) {
        originAt = this.#addOrigin(text, first.phase === 'ACTION');
        origins.set(text, originAt);
      }
      const addsNone = addsNoOwn(sightings);
      const list = this.#end;
      if (first === null || originAt === undefined) this.#addList(text, addsNone);
      else this.#addFirst(first, originAt);
      this.#addDigests(digests, first === null ? none : records, wordOf(list, addsNone));
    }
    if (this.#end - this.#openFrom >= blockBytes) {
      const bytes = this.#bytes.subarray(this.#openFrom, this.#end);
      this.#full = [...this.#full, { block: this.#blockCount++, bytes }];
      this.#openFrom = this.#end;
    }
    return this.#count - before;
  }
  /** Returns the place of the new record. */
  #addOrigin(text: string, isOwn: boolean): number {
    this.#reserve(originHeader + utf8Bytes * text.length);
    const at = this.#end;
    const length = this.#bytes.write(text, at + originHeader);
    this.#bytes[at] = isOwn ? ownOrigin : otherOrigin;
    this.#bytes.writeUInt16LE(length, at + 1);
    this.#end = at + originHeader + length;
    return at;
  }
  #addFirst({ whole, field, origin }: Sighting, originAt: number): void {
    this.#reserve(firstHeader + utf8Bytes * field.length);
    const at = this.#end;
    const length = whole ? this.#bytes.write(field, at + firstHeader) : 0;
    this.#bytes[at] = origin === '' ? seenFirst : seenInRecords;
    this.#bytes.writeUInt16LE(at - originAt, at + 1);
    this.#bytes[at + 3] = whole ? length + 1 : 0;
    this.#end = at + firstHeader + length;
  }
  #addList(text: string, addsNone: boolean): void {
    this.#reserve(listHeader + utf8Bytes * text.length);
    const at = this.#end;
    const length = this.#bytes.write(text, at + listHeader);
    this.#bytes[at] = listed;
    this.#bytes[at + 1] = addsNone ? 1 : 0;
    this.#bytes.writeUInt32LE(length, at + 2);
    this.#end = at + listHeader + length;
  }
  /** `records`: the number of the record of each digest; empty where none has one. */
  #addDigests(digests: readonly string[], records: readonly number[], word: number): void {
    let most = countHeader;
    for (let place = 0; place < digests.length; place++)
      most += 1 + recordBytes + (digests[place] as string).length;
    this.#reserve(most);
    const bytes = this.#bytes;
    let at = bytes.writeUInt16LE(digests.length, this.#end);
    for (let place = 0; place < digests.length; place++) {
      const digest = digests[place] as string;
      bytes[at++] = digest.length;
      for (let char = 0; char < digest.length; char++) bytes[at + char] = digest.charCodeAt(char);
      this.#put(at, digest.length, word);
      at += digest.length;
      const record = records[place];
      if (record !== undefined) at = bytes.writeUInt16LE(record, at);
    }
    this.#end = at;
  }

  #readRecords(): void {
    // Only up to the end: behind it the buffer has room, with anything in it.
    const bytes = this.#bytes.subarray(0, this.#end);
    let at = 0;
    let isOwn = false;
    let isComplete = true;
    while (at < bytes.length) {
      const record = at;
      const kind = bytes[at];
      isComplete = kind === seenFirst || kind === seenInRecords || kind === listed;
      if (kind === seenFirst || kind === seenInRecords) {
        at += firstHeader + Math.max(0, bytes.readUInt8(at + 3) - 1);
        at = this.#readDigests(bytes, at, wordOf(record, isOwn), kind === seenInRecords ? recordBytes : 0);
      } else if (kind === listed) {
        at += listHeader + bytes.readUInt32LE(at + 2);
        at = this.#readDigests(bytes, at, wordOf(record, bytes[record + 1] === 1), 0);
      } else if (kind === ownOrigin || kind === otherOrigin) {
        isOwn = kind === ownOrigin;
        at += originHeader + bytes.readUInt16LE(at + 1);
      } else throw new RangeError('the sightings of a session have an unknown record');
    }
    if (!isComplete || at !== bytes.length) throw new RangeError('the sightings of a session end too early');
  }
  /** `after`: bytes after each digest. */
  #readDigests(bytes: Buffer, from: number, word: number, after: number): number {
    let at = from + countHeader;
    for (let left = bytes.readUInt16LE(from); left > 0; left--) {
      const length = bytes.readUInt8(at++);
      if (at + length + after > bytes.length)
        throw new RangeError('the sightings of a session end too early');
      this.#put(at, length, word);
      at += length + after;
    }
    return at;
  }

  /** `end`: of the digest. */
  #listAt(word: number, end: number): readonly Sighting[] {
    const at = word & ~noOwn;
    const record = this.#bytes[at] === seenInRecords ? this.#bytes.readUInt16LE(end) : 0;
    const place = at * (mostRecords + 1) + record;
    this.#lists ??= new Map();
    let list = this.#lists.get(place);
    if (list === undefined) {
      list = this.#readList(at, record);
      this.#lists.set(place, list);
    }
    return list;
  }
  #readList(at: number, record: number): readonly Sighting[] {
    const bytes = this.#bytes;
    if (bytes[at] === listed) {
      const from = at + listHeader;
      return parseSightings(bytes.toString('utf8', from, from + bytes.readUInt32LE(at + 2)));
    }
    const origin = at - bytes.readUInt16LE(at + 1);
    const from = origin + originHeader;
    const text = bytes.toString('utf8', from, from + bytes.readUInt16LE(origin + 1));
    const [seq, tool, phase, labels, result = ''] = JSON.parse(text) as Origin;
    const length = bytes.readUInt8(at + 3) - 1;
    const field = length > 0 ? bytes.toString('utf8', at + firstHeader, at + firstHeader + length) : '';
    return [
      {
        seq,
        tool,
        phase,
        labels,
        whole: length >= 0,
        field,
        origin: record === 0 ? '' : `${result}/${record}`,
      },
    ];
  }

  /** `at`, `length`: of the digest, which is stored already. */
  #put(at: number, length: number, word: number): void {
    let slot = this.#slotOf(this.#bytes, at, length);
    if (this.#table[slot] === 0 && 4 * ++this.#count > this.#table.length) {
      this.#grow();
      slot = this.#slotOf(this.#bytes, at, length);
    }
    this.#table[slot] = at;
    this.#table[slot + 1] = word;
  }
  #grow(): void {
    const before = this.#table;
    this.#table = new Uint32Array(2 * before.length);
    for (let slot = 0; slot < before.length; slot += 2) {
      const at = before[slot] as number;
      if (at === 0) continue;
      const free = this.#slotOf(this.#bytes, at, this.#bytes[at - 1] as number);
      this.#table[free] = at;
      this.#table[free + 1] = before[slot + 1] as number;
    }
  }

  #slotOfText(digest: string): number {
    for (let place = 0; place < digest.length; place++) asked[place] = digest.charCodeAt(place);
    return this.#slotOf(asked, 0, digest.length);
  }
  /** The slot of the digest, or the free one that it would get. */
  #slotOf(from: Buffer, start: number, length: number): number {
    const mask = this.#table.length - 1;
    const end = start + length;
    let mixed = 0;
    // A few characters of a salted hash tell it from others as well as all of them.
    for (let place = Math.max(start, end - mixedCharacters); place < end; place++)
      mixed = (Math.imul(mixed, 31) + (from[place] as number)) | 0;
    let slot = (mixed ^ (mixed >>> 15)) * 2;
    for (;;) {
      slot &= mask;
      const at = this.#table[slot] as number;
      if (at === 0 || this.#standsAt(at, from, start, length)) return slot;
      slot += 2;
    }
  }
  #standsAt(at: number, from: Buffer, start: number, length: number): boolean {
    const bytes = this.#bytes;
    if (bytes[at - 1] !== length) return false;
    for (let place = 0; place < length; place++) if (bytes[at + place] !== from[start + place]) return false;
    return true;
  }

  #reserve(more: number): void {
    if (this.#end + more <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * (this.#end + more));
    this.#bytes.copy(larger, 0, 0, this.#end);
    this.#bytes = larger;
  }
}

const none: readonly never[] = [];
/** The digest that is looked for: at most 255 characters. */
const asked = Buffer.alloc(255);

type Origin = [
  seq: number,
  tool: string,
  phase: Sighting['phase'],
  labels: readonly string[],
  result?: string,
];

/** Digests that get the same list. */
interface Group {
  /** The one sighting of the list, when the record of its origin can tell it; else null. */
  first: Sighting | null;
  /** JSON text of the origin, or of the whole list. */
  text: string;
  sightings: readonly Sighting[];
  digests: string[];
  /** The number of the record of each digest; empty when they have none. */
  records: number[];
}

/** Each list with the digests that get it. */
function groupsOf(writes: SightingWrites['writes']): Iterable<Group> {
  const groups = new Groups();
  for (const { digest, sightings } of writes) {
    const { group, record } = groups.of(sightings);
    group.digests.push(digest);
    if (record > 0) group.records.push(record);
  }
  return groups.all;
}

interface Grouped {
  list: readonly Sighting[];
  group: Group;
  /** 0 for none. */
  record: number;
}

class Groups {
  readonly #groups = new Map<string, Group>();
  /** Most sightings are in another record of the same result, in a field of the same name. */
  readonly #byField = new Map<string | null, Group>();
  #latest: Sighting | null = null;
  /** Neighbours that are all of one field share their list, and so do parts of a text. */
  #whole: Grouped | null = null;
  #part: Grouped | null = null;
  readonly #originOf = createOrigins();

  get all(): Iterable<Group> {
    return this.#groups.values();
  }

  of(sightings: readonly Sighting[]): Grouped {
    const isWhole = sightings[0]?.whole === true;
    const latest = isWhole ? this.#whole : this.#part;
    if (latest?.list === sightings) return latest;
    const grouped = this.#ofResult(sightings) ?? this.#ofAny(sightings);
    if (isWhole) this.#whole = grouped;
    else this.#part = grouped;
    return grouped;
  }
  #ofResult(list: readonly Sighting[]): Grouped | null {
    const [one] = list;
    if (one === undefined || list.length > 1 || !isOfResult(this.#latest, one)) return null;
    const group = this.#byField.get(fieldOf(one));
    const record = recordOf(one);
    return group && isShort(record) ? { list, group, record } : null;
  }
  #ofAny(sightings: readonly Sighting[]): Grouped {
    const first = firstOf(sightings);
    const text = first === null ? sightingsText(sightings) : this.#originOf(first);
    const record = first === null ? 0 : recordOf(first);
    const key = `${text} ${record > 0 ? 1 : 0} ${first?.whole ? `w${first.field}` : ''}`;
    const group = this.#groups.get(key) ?? { first, text, sightings, digests: [], records: [] };
    this.#groups.set(key, group);
    if (first !== null && record > 0) {
      if (!isOfResult(this.#latest, first)) this.#byField.clear();
      this.#latest = first;
      this.#byField.set(fieldOf(first), group);
    }
    return { list: sightings, group, record };
  }
}

const fieldOf = ({ whole, field }: Sighting): string | null => (whole ? field : null);
/** A result has one list of labels, for all sightings in it. */
const isOfResult = (other: Sighting | null, { tool, labels, seq, origin }: Sighting): boolean =>
  other !== null &&
  other.labels === labels &&
  other.seq === seq &&
  other.tool === tool &&
  origin[resultLength] === '/' &&
  other.origin.startsWith(origin.slice(0, resultLength + 1));
/** In characters, of what all origins in a result begin with. */
const resultLength = 12;

const recordOf = ({ origin }: Sighting): number =>
  origin === '' ? 0 : Number(origin.slice(origin.indexOf('/') + 1));

const isShort = (record: number): boolean => record > 0 && record <= mostRecords;

/** Writes the text of an origin once for neighbours that share it. */
function createOrigins(): (first: Sighting) => string {
  let last: Sighting | null = null;
  let lastResult = '';
  let text = '';
  return (first) => {
    const { seq, tool, phase, labels, origin } = first;
    const result = origin.slice(0, Math.max(0, origin.indexOf('/')));
    const isSame =
      last?.seq === seq &&
      last.tool === tool &&
      last.phase === phase &&
      last.labels === labels &&
      lastResult === result;
    const common = [seq, tool, phase, labels] as const;
    if (!isSame)
      text = JSON.stringify((result === '' ? common : [...common, result]) satisfies Readonly<Origin>);
    lastResult = result;
    last = first;
    return text;
  };
}

/** The one sighting of a list that `seenFirst` can tell; null for other lists. */
function firstOf(sightings: readonly Sighting[]): Sighting | null {
  const [first] = sightings;
  if (first === undefined || sightings.length > 1) return null;
  const { whole, field, tool, labels, origin } = first;
  const fits =
    (whole ? utf8Bytes * field.length <= longestField && field.isWellFormed() : field === '') &&
    (origin === '' || isShort(recordOf(first)));
  return fits && labels.reduce((sum, { length }) => sum + length, tool.length) < longestOrigin ? first : null;
}
