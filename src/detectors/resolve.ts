import { STRIDE } from './hits.ts';

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
    const [tag = 0, rank = 0, leaf = 0, start = 0, end = 0] = rows.subarray(at, at + STRIDE);
    hits.push({ tag, rank, leaf, start, end });
  }
  if (count < 2) return hits;
  hits.sort((x, y) => x.leaf - y.leaf || x.start - y.start || y.end - x.end || y.rank - x.rank);
  const kept: Hit[] = [];
  for (const hit of hits) {
    if (!absorbed(kept, hit)) kept.push(hit);
  }
  return kept;
}

/** How many earlier findings may still overlap one: more never do, because a recogniser moves past what it found. */
const WINDOW = 8;

function absorbed(kept: Hit[], hit: Hit): boolean {
  for (let k = kept.length - 1; k >= 0 && k >= kept.length - WINDOW; k--) {
    const earlier = kept[k] as Hit;
    if (earlier.leaf !== hit.leaf || earlier.end <= hit.start) continue;
    if (earlier.tag === hit.tag) {
      earlier.end = Math.max(earlier.end, hit.end);
      earlier.rank = Math.max(earlier.rank, hit.rank);
      return true;
    }
    const same = earlier.start === hit.start && earlier.end === hit.end;
    if (!same && earlier.end >= hit.end && earlier.rank >= hit.rank) return true;
  }
  return false;
}
