import { Context } from './context/context.ts';
import { NEGATIVE } from './context/table.ts';
import type { Hits, Rank } from './hits.ts';
import { Groups } from './numbers/groups.ts';
import { Text } from './text/text.ts';

/** What the recognisers of one text share: the text, the words around, where findings go. */
export class Pass {
  readonly text = new Text();
  readonly context = new Context(this.text);
  readonly groups = new Groups();
  readonly strict: boolean;
  readonly #on: Uint8Array;
  readonly #hits: Hits;
  /** Number of the leaf being read. */
  leaf = 0;
  /** For a text that is a view of a leaf: the leaf's offset of each byte; null when they are the same. */
  origin: Int32Array | null = null;
  /** What to do with a long token that may be base64; null while reading one that was. */
  onEncoded: ((start: number, end: number) => void) | null = null;
  /** No recogniser may look back before this: it was read by another. */
  floor = 0;

  constructor(hits: Hits, on: Uint8Array, strict: boolean) {
    this.#hits = hits;
    this.#on = on;
    this.strict = strict;
  }

  isOn(tag: number): boolean {
    return this.#on[tag] === 1;
  }

  /** Records a finding between two positions of the buffer, unless its tag is switched off. */
  found(tag: number, rank: Rank, from: number, to: number): void {
    if (this.#on[tag] !== 1) return;
    const start = from - this.text.start;
    const end = to - this.text.start;
    const { origin } = this;
    if (origin === null) this.#hits.add(tag, rank, this.leaf, start, end);
    else this.#hits.add(tag, rank, this.leaf, origin[start] as number, (origin[end - 1] as number) + 1);
  }

  near(context: number, from: number): boolean {
    return this.context.near(context, from);
  }

  /** Whether a word of this context stands before the value or shortly after it. */
  around(context: number, from: number, to: number): boolean {
    return this.context.near(context, from) || this.context.follows(context, to);
  }

  /** Whether the nearest words say that a number here is an order, a measure or a counter. */
  isCounter(from: number): boolean {
    return !this.strict && this.context.near(NEGATIVE, from);
  }
}
