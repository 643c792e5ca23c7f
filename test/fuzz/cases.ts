import { Random } from '../cel/fuzz/random.ts';
import type { EntryPoint } from './entry-points.ts';
import { bytesOf, mutate } from './mutate.ts';

/** One case of an entry point, the same for the same seed and number whichever cases came before it. */
export function caseOf(
  { most, bytes }: EntryPoint,
  documents: readonly string[],
  { seed, number }: { seed: number; number: number },
): { text: string; bytes: Buffer } {
  const random = new Random(Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b));
  const text = mutate(random, random.pick(documents), most);
  return { text, bytes: bytes ? bytesOf(random, text) : noBytes };
}

const noBytes = Buffer.alloc(0);
