import { LOWERED } from '../text/bytes.ts';
import { FOLD } from '../text/fold.ts';
import { byteAt, entry } from '../text/read.ts';
import { BEFORE, WORDS } from './spot-words.ts';

/** Where in a word the pair of letters stands at which it is noticed, for words that begin at an even or odd place. */
interface Spot {
  word: readonly number[];
  /** The word as it is written; several characters of other scripts share a byte. */
  spelling: string;
  offset: number;
}

const NONE: readonly Spot[] = [];
const ANY: readonly number[] = [...new Uint8Array(256).keys()];
const spots: (readonly Spot[])[] = new Array(65536).fill(NONE);
/** For each class of a pair and what stands before and after it, five bits each, 1 where a word may have it there. */
const neighbours: number[] = [];
/** A class for each pair of bytes, the first in the low half, at which a word is noticed; from 1 on. */
export const SPOT_PAIRS: ReadonlyMap<number, number> = build();
/** The same for the bytes around: tells nearly every pair that it is of no such word. */
const NEIGHBOURS = Uint8Array.from(neighbours);

function build(): Map<number, number> {
  const pairs = new Map<number, number>();
  for (const [text, even, odd] of WORDS) {
    const word = foldedWord(text);
    for (const offset of [even, odd]) {
      const firsts = offset === BEFORE ? ANY : casesOf(entry(word, offset));
      const seconds = casesOf(entry(word, offset + 1));
      let added = 0;
      for (const pair of firsts.flatMap((x) => seconds.map((y) => x | (y << 8)))) {
        spots[pair] = [...(spots[pair] as readonly Spot[]), { word, spelling: text, offset }];
        const known = pairs.get(pair);
        if (known === undefined && added === 0)
          added = neighbours.push(...new Array<number>(1024).fill(0)) / 1024;
        const kind = known ?? added;
        pairs.set(pair, kind);
        markNeighbours(kind, word[offset - 1], word[offset + 2]);
      }
    }
  }
  return pairs;
}

function foldedWord(text: string): readonly number[] {
  return [...text].map((c) => byteAt(FOLD, c.charCodeAt(0)));
}

/** Notes what stands before and after the pair in a word: anything where the word begins or ends with it. */
function markNeighbours(kind: number, before: number | undefined, after: number | undefined): void {
  for (let x = 0; x < 32; x++) {
    if (before !== undefined && x !== (before & 31)) continue;
    for (let y = 0; y < 32; y++)
      if (after === undefined || y === (after & 31)) neighbours[(kind - 1) * 1024 + x * 32 + y] = 1;
  }
}

/** Whether a word may have a pair of this class between these two bytes. */
export function mayBeSpot(kind: number, before: number, after: number): boolean {
  return NEIGHBOURS[((kind - 1) << 10) | ((before & 31) << 5) | (after & 31)] === 1;
}

function casesOf(byte: number): readonly number[] {
  return byte >= 97 && byte <= 122 ? [byte, byte - 32] : [byte];
}

let spelling = '';

/** The word that was found last. */
export function spottedSpelling(): string {
  return spelling;
}

/** Where the word that names a secret begins, of which the pair at `at` is part; -1 when there is none. */
export function spottedWord(b: Uint8Array, at: number): number {
  const found = spots[byteAt(b, at) | (byteAt(b, at + 1) << 8)] as readonly Spot[];
  for (let k = 0; k < found.length; k++) {
    const { word, offset, spelling: written } = found[k] as Spot;
    const from = at - offset;
    let i = 0;
    while (i < word.length && LOWERED[byteAt(b, from + i)] === word[i]) i++;
    if (i === word.length) {
      spelling = written;
      return from;
    }
  }
  return -1;
}
