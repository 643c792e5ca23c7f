import { tagId } from './kinds/taxonomy.ts';
import { intAt } from './text/bytes.ts';

/** Numbers that make one hit: tag, rank, leaf, start, end. */
export const STRIDE = 5;

/** A bound on memory: every leaf from the first finding beyond it on counts as not scanned. */
const MAX_HITS = 100_000;

/** The findings of one scan, as rows of numbers in a buffer that is reused; never the values. */
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

/** One finding in numbers; offsets are those of the leaf. */
export interface Hit {
  tag: number;
  rank: number;
  leaf: number;
  start: number;
  end: number;
}

/**
 * Orders findings by place and keeps, of those that overlap, what says more: the same tag found twice counts once, and
 * a weaker finding inside a stronger, longer one is dropped. Kinds that fit the same characters equally well stay.
 */
export function resolve(rows: Int32Array, count: number): Hit[] {
  const hits: Hit[] = [];
  for (let i = 0; i < count; i++) {
    const at = i * STRIDE;
    hits.push({
      tag: intAt(rows, at),
      rank: intAt(rows, at + 1),
      leaf: intAt(rows, at + 2),
      start: intAt(rows, at + 3),
      end: intAt(rows, at + 4),
    });
  }
  if (count < 2) return hits;
  if (!isOrdered(hits)) hits.sort(compare);
  const kept: Hit[] = [];
  for (const hit of hits) {
    if (!absorbed(kept, hit)) kept.push(hit);
  }
  return kept;
}

function compare(x: Hit, y: Hit): number {
  return x.leaf - y.leaf || x.start - y.start || y.end - x.end || y.rank - x.rank || x.tag - y.tag;
}

/** Mostly they are found in order. */
function isOrdered(hits: readonly Hit[]): boolean {
  for (let i = 1; i < hits.length; i++) if (compare(hits[i - 1] as Hit, hits[i] as Hit) > 0) return false;
  return true;
}

/** How many earlier findings may still overlap one: more never do, because a recogniser moves past what it found. */
const WINDOW = 8;
/** A finding inside of a URL counts beside the URL. */
const URL = tagId('URL');
/** Content that nothing was found in: anything that was found takes its place. */
const UNSCANNED = tagId('UNSCANNED');
/** Tags that only say what a label said; a tag that knows the value itself takes their place. */
const GENERIC: readonly number[] = ['PASSWORD', 'API_KEY', 'GENERIC_SECRET'].map(tagId);

function absorbed(kept: Hit[], hit: Hit): boolean {
  for (let k = kept.length - 1; k >= 0 && k >= kept.length - WINDOW; k--) {
    const earlier = kept[k] as Hit;
    if (earlier.leaf !== hit.leaf || earlier.end <= hit.start) continue;
    const same = earlier.start === hit.start && earlier.end === hit.end;
    if (hit.tag === UNSCANNED && hit.end <= earlier.end) return true;
    if (earlier.tag === hit.tag || (same && GENERIC.includes(hit.tag))) {
      earlier.end = Math.max(earlier.end, hit.end);
      earlier.rank = Math.max(earlier.rank, hit.rank);
      return true;
    }
    if (
      !same &&
      earlier.end >= hit.end &&
      earlier.tag !== URL &&
      (earlier.rank >= hit.rank || GENERIC.includes(earlier.tag))
    )
      return true;
  }
  return false;
}
