import { RE2JS, RE2Set } from 're2js';
import { FORMATTED, type Hits } from './hits.ts';

/** A pattern of an installation's own, in RE2 syntax; what it matches gets the tag and the category. */
export interface CustomDetector {
  tag: string;
  category: string;
  pattern: string;
}

interface Pattern {
  id: number;
  pattern: RE2JS;
}

/** Matches of one pattern counted in one string: more say nothing new. */
const MAX_MATCHES = 10_000;

/** Runs all custom patterns over strings: one set says which match at all, only these are run for their places. */
export class CustomPatterns {
  readonly #set = new RE2Set();
  readonly #patterns: readonly Pattern[];

  /** Patterns with the number of their tag. Throws on one that RE2 does not know. */
  constructor(patterns: readonly { id: number; pattern: string }[]) {
    this.#patterns = patterns.map(({ id, pattern }) => ({ id, pattern: RE2JS.compile(pattern) }));
    for (const { pattern } of patterns) this.#set.add(pattern);
    this.#set.compile();
  }

  find(text: string, leaf: number, hits: Hits): void {
    for (const index of this.#set.match(text)) {
      const found = this.#patterns[index] as Pattern;
      const matcher = found.pattern.matcher(text);
      for (let n = 0; n < MAX_MATCHES && matcher.find(); n++) {
        const [start, end] = [matcher.start(), matcher.end()];
        if (end > start) hits.add(found.id, FORMATTED, leaf, start, end);
      }
    }
  }
}
