/** How far a finding proves itself: by a checksum or vendor prefix, by its separators, or only by a word near it. */
export type Strength = 'checksum' | 'formatted' | 'bare';

export const CHECKSUM = 2;
export const FORMATTED = 1;
export const BARE = 0;
export type Rank = 0 | 1 | 2;
export const STRENGTHS: readonly Strength[] = ['bare', 'formatted', 'checksum'];

/** Numbers that make one hit: tag, rank, leaf, start, end. */
export const STRIDE = 5;

/** A bound on memory: every leaf from the first finding beyond it on counts as not scanned. */
const MAX_HITS = 100_000;

/** What one scan found, as rows of numbers in a buffer that is reused; never the values. */
export class Hits {
  rows: Int32Array = new Int32Array(STRIDE * 256);
  count = 0;
  /** The first leaf with a finding that was not kept; 0 when all are kept. */
  lostFrom = 0;

  clear(): void {
    this.count = 0;
    this.lostFrom = 0;
  }

  add(tag: number, rank: number, leaf: number, start: number, end: number): void {
    if (this.count >= MAX_HITS) {
      if (this.lostFrom === 0) this.lostFrom = leaf;
      return;
    }
    let at = this.count * STRIDE;
    if (at === this.rows.length) {
      const larger = new Int32Array(at * 2);
      larger.set(this.rows);
      this.rows = larger;
    }
    this.rows[at++] = tag;
    this.rows[at++] = rank;
    this.rows[at++] = leaf;
    this.rows[at++] = start;
    this.rows[at] = end;
    this.count++;
  }
}
