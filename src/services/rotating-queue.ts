interface Entries<Entry> {
  /** In the order of their arrival, before all others. */
  ahead: Entry[];
  others: Entry[];
}

/** A queue in which keys take turns, so a long queue of one key delays no other key. */
export class RotatingQueue<Entry> {
  /** Keys in the order of their turns; each has at least one entry. */
  readonly #entries = new Map<string, Entries<Entry>>();

  get size(): number {
    let size = 0;
    for (const { ahead, others } of this.#entries.values()) size += ahead.length + others.length;
    return size;
  }

  get isEmpty(): boolean {
    return this.#entries.size === 0;
  }

  /** `ahead`: before the other entries of its key, and behind those that were added ahead earlier. */
  add(key: string, entry: Entry, ahead = false): void {
    const entries = this.#entries.get(key) ?? { ahead: [], others: [] };
    if (ahead) entries.ahead.push(entry);
    else entries.others.push(entry);
    this.#entries.set(key, entries);
  }

  /** Removes and returns the entry whose turn it is; undefined when there is none. */
  take(): Entry | undefined {
    const [first] = this.#entries;
    if (!first) return undefined;
    const [key, entries] = first;
    const entry = (entries.ahead.length > 0 ? entries.ahead : entries.others).shift();
    // Behind the other keys, or out.
    this.#entries.delete(key);
    this.#keep(key, entries);
    return entry;
  }

  remove(key: string, entry: Entry): void {
    const { ahead, others } = this.#entries.get(key) ?? { ahead: [], others: [] };
    const isOther = (one: Entry) => one !== entry;
    const left = { ahead: ahead.filter(isOther), others: others.filter(isOther) };
    if (left.ahead.length + left.others.length > 0) this.#entries.set(key, left);
    else this.#entries.delete(key);
  }

  #keep(key: string, entries: Entries<Entry>): void {
    if (entries.ahead.length + entries.others.length > 0) this.#entries.set(key, entries);
  }
}
