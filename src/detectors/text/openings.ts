import { LOWERED } from './bytes.ts';
import { byteAt } from './read.ts';

/** The openings of one kind of text, in ASCII: the first two bytes rule most texts out. */
export class Openings {
  readonly #pairs = new Uint8Array(1 << 14);

  constructor(openings: Iterable<string>) {
    for (const opening of openings) this.#pairs[pairOf(opening.charCodeAt(0), opening.charCodeAt(1))] = 1;
  }

  /** Whether an opening may start at `at`; case-sensitive. */
  mayBegin(b: Uint8Array, at: number): boolean {
    return byteAt(this.#pairs, pairOf(byteAt(b, at), byteAt(b, at + 1))) === 1;
  }

  /** The same, ignoring case; the openings must be in lower case. */
  mayBeginInAnyCase(b: Uint8Array, at: number): boolean {
    const first = byteAt(LOWERED, byteAt(b, at));
    const second = byteAt(LOWERED, byteAt(b, at + 1));
    return byteAt(this.#pairs, pairOf(first, second)) === 1;
  }
}

const pairOf = (first: number, second: number): number => ((first & 127) << 7) | (second & 127);
