import { LOWERED } from '../text/bytes.ts';
import { FOLD } from '../text/fold.ts';
import { byteAt } from '../text/read.ts';

export const HASH_SEED = 17;

/** One step of the word hash, over lower-cased bytes. */
export function hashStep(h: number, byte: number): number {
  return (Math.imul(h, 0x01000193) ^ byteAt(LOWERED, byte)) | 0;
}

export function hashWord(word: string): number {
  let h = HASH_SEED;
  for (let i = 0; i < word.length; i++) h = hashStep(h, byteAt(FOLD, word.charCodeAt(i)));
  return h;
}

export function hashBytes(b: Uint8Array, from: number, to: number): number {
  let h = HASH_SEED;
  for (let i = from; i < to; i++) h = hashStep(h, byteAt(b, i));
  return h;
}

/** The hash of two words that follow each other. */
export function hashPair(first: number, second: number): number {
  return (Math.imul(first, 0x9e3779b1) ^ (second + 0x7f4a7c15)) | 0;
}
