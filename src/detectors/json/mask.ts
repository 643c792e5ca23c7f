import type { Hit } from '../resolve.ts';

/** A text with each finding replaced by its tag in brackets; findings are in order and may overlap. */
export function masked(text: string, hits: readonly Hit[] | undefined, tags: readonly string[]): string {
  if (hits === undefined) return text;
  let result = '';
  let done = 0;
  for (const { tag, start, end } of hits) {
    if (end <= done) continue;
    // the rest of an overlapping finding disappears behind the tag of the first
    if (start >= done) result += `${text.slice(done, start)}[${tags[tag]}]`;
    done = end;
  }
  return result + text.slice(done);
}
