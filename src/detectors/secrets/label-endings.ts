import { ALPHA } from '../text/bytes.ts';
import { FOLD } from '../text/fold.ts';
import { byteAt, intAt, is } from '../text/read.ts';

/** Letters at the end of a label that are looked at. */
const SIZE = 4;
/** Those that lead to a slot; a bit in it stands for the one before. */
const IN_SLOT = 3;
/** Digits and signs behind the letters of a label: address_2. */
const MAX_SUFFIX = 3;

/**
 * The last letters of all labels: most words before a colon or an equals sign end otherwise, and one look-up tells. By
 * the five low bits of each letter, so that capitals are small letters and a word may be taken for one that fits, never
 * the other way round.
 */
export class LabelEndings {
  /** For the five low bits of the last three letters, the last one lowest, a bit for each fourth one. */
  readonly #endings = new Int32Array(1 << (5 * IN_SLOT));

  constructor(words: readonly string[]) {
    // what parts the words of a label may be any sign
    for (const word of words)
      this.#mark(
        word
          .slice(word.lastIndexOf('_') + 1)
          .replaceAll(/\d/g, '')
          .slice(-SIZE),
      );
  }

  /** Whether the bytes before `to` may be the end of a label. */
  fits(b: Uint8Array, to: number): boolean {
    let end = to;
    while (to - end < MAX_SUFFIX && byteAt(b, end - 1) < 0x80 && !is(b, end - 1, ALPHA)) end--;
    const last = byteAt(b, end - 1);
    const slot = ((byteAt(b, end - 3) & 31) << 10) | ((byteAt(b, end - 2) & 31) << 5) | (last & 31);
    // other scripts have few words
    return last >= 0x80 || ((intAt(this.#endings, slot) >> (byteAt(b, end - 4) & 31)) & 1) === 1;
  }

  #mark(ending: string): void {
    const folded = [...ending].map((c) => byteAt(FOLD, c.charCodeAt(0)));
    // of a word in two scripts, the Latin end
    const letters = folded.slice(folded.findLastIndex((c) => c >= 0x80) + 1);
    if (letters.length === 0) return;
    const fourths = letters.length < SIZE ? -1 : 1 << ((letters[0] as number) & 31);
    const inSlot = letters.slice(-IN_SLOT);
    for (let before = 0; before < 1 << (5 * (IN_SLOT - inSlot.length)); before++) {
      let slot = before;
      for (const c of inSlot) slot = (slot << 5) | (c & 31);
      this.#endings[slot] = intAt(this.#endings, slot) | fourths;
    }
  }
}
