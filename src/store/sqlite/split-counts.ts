/** Tools counted in the session's own row; further ones get rows of their own. */
export const toolsInRow = 32;

/** Counts by tool. The first tools are kept in one text of the session's row, so that most sessions need no other. */
export class SplitCounts {
  readonly counts: Map<string, number>;
  /** Tools to be written to rows of their own, with the action that was, or may have been, their first. */
  readonly further = new Map<string, number>();
  #text: string | null;

  constructor(text: string, further: readonly { tool: string; callCount: number }[]) {
    this.counts = new Map(JSON.parse(text) as [string, number][]);
    for (const { tool, callCount } of further) this.counts.set(tool, callCount);
    this.#text = text;
  }

  add(tool: string, seq: number): void {
    this.counts.set(tool, (this.counts.get(tool) ?? 0) + 1);
    if (this.#isInRow(tool)) this.#text = null;
    else if (!this.further.has(tool)) this.further.set(tool, seq);
  }

  /** A Map keeps the order of first use. */
  #isInRow(tool: string): boolean {
    if (this.counts.size <= toolsInRow) return true;
    let place = 0;
    for (const name of this.counts.keys()) {
      if (place++ === toolsInRow) return false;
      if (name === tool) return true;
    }
    return false;
  }

  /** JSON of the tools in the row. */
  get text(): string {
    this.#text ??= this.#write();
    return this.#text;
  }
  #write(): string {
    const first: [string, number][] = [];
    for (const entry of this.counts) {
      if (first.length === toolsInRow) break;
      first.push(entry);
    }
    return JSON.stringify(first);
  }
}
