/** Numbers that look random and are the same for the same seed (mulberry32), so that a failing run can be repeated. */
export interface Random {
  /** From 0 up to, and without, 1. */
  next(): number;
  /** A whole number below `end`. */
  below(end: number): number;
  pick<T>(of: readonly T[]): T;
  chance(probability: number): boolean;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number): number => Math.floor(next() * end);
  return {
    next,
    below,
    pick: <T>(of: readonly T[]): T => of[below(of.length)] as T,
    chance: (probability) => next() < probability,
  };
}
