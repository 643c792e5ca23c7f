import { setTimeout } from 'node:timers/promises';

/** Looks until the value is as wanted, and answers it: for what happens some time after a response. */
export async function until<T>(
  look: () => T | Promise<T>,
  holds: (value: T) => boolean,
  withinMs = 20_000,
): Promise<T> {
  const giveUpAt = performance.now() + withinMs;
  for (;;) {
    const value = await look();
    if (holds(value)) return value;
    if (performance.now() > giveUpAt) throw new Error(`still ${JSON.stringify(value)}`);
    await setTimeout(20);
  }
}
