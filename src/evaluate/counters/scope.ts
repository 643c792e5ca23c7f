import { hash } from 'node:crypto';
import type {
  AddedAmount,
  CounterCell,
  CounterScope,
  CounterWrite,
  PlannedCounter,
} from '../../schemas/counter-cells.ts';
import { dayMs } from '../../schemas/durations.ts';
import type { ScopeCells, ScopeReadings } from './counters.ts';
import { CellReader, CellWriter } from './encoding.ts';
import { type KeptCell, keyBytes, NamedCells, readKept, writeKept } from './named-cells.ts';
import { CounterSet } from './sets.ts';

const cellOf = ({ slice, amount }: AddedAmount): CounterCell => ({
  slices: [slice, amount],
  latest: slice,
  overflow: null,
  resets: 0,
});

/** Changes the cell itself, which must be the scope's own: a copy for every action would be most of what counting costs. */
function addInPlace(cell: CounterCell, { slice, amount, first }: AddedAmount): void {
  const slices = cell.slices as number[];
  let ended = 0;
  while (ended < slices.length && (slices[ended] as number) < first) ended += 2;
  if (ended > 0) slices.splice(0, ended);
  let after = slices.length;
  while (after > 0 && (slices[after - 2] as number) > slice) after -= 2;
  if (after > 0 && slices[after - 2] === slice) slices[after - 1] = (slices[after - 1] as number) + amount;
  else slices.splice(after, 0, slice, amount);
  const changed = cell as { latest: number };
  if (slice > cell.latest) changed.latest = slice;
}

/** The cells of a scope that have rows of their own, by the hash of their name. */
export interface CellRows {
  /** The salt of the installation (`Store.salt`). */
  readonly salt: string;
  /** `key`: the hash in base64url. */
  find(key: string): KeptCell | null;
}

/** `session.repeats` is kept beside the counters, with this identity: those of counters are digests. */
const repeatsCounter = 'repeats';
const repeatsId = 0;

/** A scope with more values than this keeps them in rows of their own: its bytes are written with every action that counts. */
const mostInline = 48;
const coarseMs = 600_000;
/**
 * The second has a list of the counters that were counted for since the epoch; the third has that list, and the number of rows instead
 * of whether there are any.
 */
const formats = [1, 2, 3] as const;

/**
 * The cells of one scope, decoded, with the changes of the present transaction: the cells of the counters and a few
 * of their values in one text of bytes, further values in rows of their own. Names hold values, which are content: only
 * salted hashes of them are kept.
 */
export class CountedScope implements ScopeCells {
  readonly set: CounterSet;
  readonly #rows: CellRows;
  #epoch = 0;
  /** Numbers of the counters after the epoch that the scope has counted for. */
  #counted = noNumbers;
  /** When it was last changed; what ended before is not written any more. */
  #changedAt = 0;
  readonly #cells = new Map<string, KeptCell>();
  readonly #named = new NamedCells();
  /**
   * Rows that were ever written: there are no more. When as many are in memory, no other key has one, and none is looked for. Infinity
   * where they were not counted.
   */
  #rowCount = 0;
  /** The rows that were read or written; null for a key that has none. */
  #read: Map<string, KeptCell | null> | null = null;
  /** How many of them there are. */
  #readCount = 0;
  #changedRows: Map<string, KeptCell> | null = null;

  constructor(set: CounterSet, rows: CellRows, bytes: Buffer | null) {
    this.set = set;
    this.#rows = rows;
    if (bytes !== null) this.#decode(bytes);
  }

  /** By the key of their row. */
  get changedRows(): ReadonlyMap<string, KeptCell> {
    return this.#changedRows ?? noRowsChanged;
  }

  find(counter: string, name: string): CounterCell | null {
    const kept = name === '' ? this.#cells.get(counter) : this.#findNamed(this.#keyOf(counter, name));
    return kept?.cell ?? null;
  }

  /** Whether it has counted what was recorded in it for this counter. */
  hasCounted(identity: string): boolean {
    return this.set.isCountedFor(identity, this.#epoch) || this.#counted.has(this.set.idOf(identity) ?? 0);
  }
  /** The counters of `planned` over such scopes for which the scope has not counted its record yet. */
  uncounted(over: CounterScope, planned: readonly PlannedCounter[]): string[] {
    if (this.set.isCountedAt(over, this.#epoch)) return [];
    return this.set.youngerThan(over, this.#epoch, planned).filter((identity) => !this.hasCounted(identity));
  }
  /**
   * Says that it has counted for these counters; for others, of policies that did not decide, it still has to. False when that is
   * nothing new.
   */
  noteCounted(over: CounterScope, counters: readonly string[], at: number): boolean {
    this.#counted = new Set([...this.#counted, ...counters.map((one) => this.set.idOf(one) as number)]);
    const left = this.set.idsAfter(over, this.#epoch).filter((id) => !this.#counted.has(id));
    if (left.length === 0) return this.begin(at);
    this.#changedAt = at;
    return counters.length > 0;
  }
  /** Says that it has counted for all counters of the set: nothing was recorded in it. False when that is nothing new. */
  begin(at: number): boolean {
    if (this.#epoch === this.set.epoch) return false;
    this.#epoch = this.set.epoch;
    this.#counted = noNumbers;
    this.#changedAt = at;
    return true;
  }

  /** `endsAt`: of the write, or of the session. */
  write({ counter, name, becomes }: CounterWrite, endsAt: number | null, at: number): void {
    this.#changedAt = at;
    if (name === '') {
      const kept = this.#cells.get(counter);
      if (!('amount' in becomes)) this.#cells.set(counter, { cell: becomes, endsAt });
      else if (kept === undefined) this.#cells.set(counter, { cell: cellOf(becomes), endsAt });
      else {
        addInPlace(kept.cell, becomes);
        kept.endsAt = endsAt;
      }
      return;
    }
    const key = this.#keyOf(counter, name);
    const kept = { cell: becomes as CounterCell, endsAt };
    if (this.#named.has(key) || (this.#named.size < mostInline && this.#findRow(key) === null)) {
      this.#named.set(key, kept);
      return;
    }
    if (this.#findRow(key) === null) {
      this.#rowCount++;
      this.#readCount++;
    }
    this.#keepRead(key, kept);
    this.#changedRows ??= new Map();
    this.#changedRows.set(rowKey(key), kept);
  }

  /**
   * From when on none of it says anything; null for never. That a scope has counted is worth a day: to find out again, its
   * record has to be read.
   */
  get endsAt(): number | null {
    let last = Math.ceil((this.#changedAt + dayMs) / coarseMs) * coarseMs;
    for (const { endsAt } of this.#cells.values()) {
      if (endsAt === null) return null;
      if (endsAt > last) last = endsAt;
    }
    const named = this.#named.lastEnd;
    return named === null ? null : Math.max(last, named);
  }

  /** As they are written; valid until those of another scope are asked for. Null when nothing is kept. */
  get bytes(): Buffer | null {
    for (const [counter, { endsAt }] of this.#cells)
      if ((endsAt !== null && endsAt <= this.#changedAt) || this.#idOf(counter) === undefined)
        this.#cells.delete(counter);
    this.#named.removeEnded(this.#changedAt);
    const kept = this.#cells.size + this.#named.size + this.#counted.size;
    if (this.#epoch === 0 && kept === 0 && this.#rowCount === 0) return null;
    writer.begin();
    const isCounted = this.#rowCount > 0 && Number.isFinite(this.#rowCount);
    const format = isCounted ? formats[2] : this.#counted.size === 0 ? formats[0] : formats[1];
    writer.number(format);
    writer.number(this.#epoch);
    if (format !== formats[0]) {
      writer.number(this.#counted.size);
      for (const id of this.#counted) writer.number(id);
    }
    writer.number(isCounted ? this.#rowCount : Math.min(this.#rowCount, 1));
    writer.number(this.#cells.size);
    for (const [counter, kept] of this.#cells) {
      writer.number(this.#idOf(counter) as number);
      writeKept(writer, kept);
    }
    writer.number(this.#named.size);
    writer.raw(this.#named.bytes);
    return writer.view();
  }

  /** After its rows were written: keeps memory bounded. */
  forgetRows(): void {
    this.#changedRows = null;
    if (this.#read === null || this.#read.size <= mostRead) return;
    this.#read = null;
    this.#readCount = 0;
  }

  #decode(bytes: Buffer): void {
    const reader = new CellReader(bytes);
    const format = reader.number();
    if (!formats.some((known) => known === format))
      throw new Error('the counters of a scope were written by a later version');
    this.#epoch = reader.number();
    if (format !== formats[0]) this.#counted = new Set(readNumbers(reader));
    const rows = reader.number();
    this.#rowCount = format === formats[2] || rows === 0 ? rows : Number.POSITIVE_INFINITY;
    for (let left = reader.number(); left > 0; left--) {
      const counter = this.#identityOf(reader.number());
      const kept = readKept(reader);
      if (counter !== undefined) this.#cells.set(counter, kept);
    }
    const named = reader.number();
    this.#named.load(bytes, reader.place, named);
  }

  #findNamed(key: string): KeptCell | null {
    return this.#named.find(key) ?? this.#findRow(key);
  }
  #findRow(key: string): KeptCell | null {
    const known = this.#read?.get(key);
    if (known !== undefined) return known;
    if (this.#readCount >= this.#rowCount) return null;
    const found = this.#rows.find(rowKey(key));
    this.#keepRead(key, found);
    if (found) this.#readCount++;
    return found;
  }
  #keepRead(key: string, found: KeptCell | null): void {
    this.#read ??= new Map();
    this.#read.set(key, found);
  }

  #idOf(counter: string): number | undefined {
    return counter === repeatsCounter ? repeatsId : this.set.idOf(counter);
  }
  #identityOf(id: number): string | undefined {
    return id === repeatsId ? repeatsCounter : this.set.identityOf(id);
  }
  #keyOf(counter: string, name: string): string {
    const text = `${this.#rows.salt} ${this.#idOf(counter)} ${name}`;
    return counter === repeatsCounter ? keyOfAction(text) : keyOf(text);
  }
}

const writer = new CellWriter();
const mostRead = 1_000;
/** Shared by all scopes that have counted for no counter after the epoch, or have changed no rows. Never changed. */
const noNumbers: ReadonlySet<number> = new Set();
const noRowsChanged: ReadonlyMap<string, KeptCell> = new Map();

function readNumbers(reader: CellReader): number[] {
  const numbers: number[] = [];
  for (let left = reader.number(); left > 0; left--) numbers.push(reader.number());
  return numbers;
}

/** A character for each byte: making a key of a row of it for every action would cost more than the hash. */
const hashOf = (name: string): string => hash('sha256', name, 'binary').slice(0, keyBytes);
const rowKey = (key: string): string => Buffer.from(key, 'latin1').toString('base64url');

/** Hashes of late, as the same values are looked up again and again. */
const keys = new Map<string, string>();
const mostKeys = 2_000;

function keyOf(name: string): string {
  let key = keys.get(name);
  if (key === undefined) {
    key = hashOf(name);
    if (keys.size >= mostKeys) keys.clear();
    keys.set(name, key);
  }
  return key;
}

/** An exact action is looked up, and then counted; few come again. */
let lastAction = { name: '', key: '' };

function keyOfAction(name: string): string {
  if (lastAction.name !== name) lastAction = { name, key: hashOf(name) };
  return lastAction.key;
}

/** As the rows of `counter_sets` and `counter_scopes` have them. */
export function scopeReadings(row: { set: string; cells: Buffer | null }): ScopeReadings {
  const scope = new CountedScope(CounterSet.parse(row.set), noRows, row.cells);
  return {
    find: (counter) => scope.find(counter, ''),
    isCounted: (counter) => scope.hasCounted(counter),
  };
}

/** Only cells with a name have rows of their own. */
const noRows = { salt: '', find: () => null };
