import { LOWERED } from './bytes.ts';
import { byteAt } from './read.ts';

/** What texts of one kind begin with, of ASCII: most texts are of none, which their first two bytes tell. */
export class Openings {
  readonly #pairs = new Uint8Array(1 << 14);

  constructor(openings: Iterable<string>) {
    for (const opening of openings) this.#pairs[pairOf(opening.charCodeAt(0), opening.charCodeAt(1))] = 1;
  }

  /** Whether one of them may stand at `at`: a capital is a letter of its own. */
  mayBegin(b: Uint8Array, at: number): boolean {
    return byteAt(this.#pairs, pairOf(byteAt(b, at), byteAt(b, at + 1))) === 1;
  }

  /** The same for openings in small letters, whatever the letters in the text are. */
  mayBeginInAnyCase(b: Uint8Array, at: number): boolean {
    const [first, second] = [byteAt(LOWERED, byteAt(b, at)), byteAt(LOWERED, byteAt(b, at + 1))];
    return byteAt(this.#pairs, pairOf(first, second)) === 1;
  }
}

const pairOf = (first: number, second: number): number => ((first & 127) << 7) | (second & 127);
