import { AppError } from '../errors.ts';
import type { Idempotency, Once } from '../store/store.ts';

/** A caller's wish that this request counts once. */
export interface OnceKey {
  key: string;
  /** Hash of everything that makes the request what it is: method, path and body. */
  requestHash: string;
}

/** How long a key is remembered (contract, "Sessions"). */
const rememberedMs = 24 * 3_600_000;

export const idempotencyAt = (once: OnceKey | null, now: number): Idempotency | null =>
  once && { ...once, notBefore: now - rememberedMs };

/** The result, unless the idempotency key belongs to another request. */
export function unlessReused<T>(result: Once<T>): T | { kind: 'replayed'; answer: string } {
  if (isReused(result)) {
    throw new AppError('conflict', 'this idempotency key was already used for a different request');
  }
  return result as T | { kind: 'replayed'; answer: string };
}

const isReused = (result: unknown): boolean => (result as { kind: string }).kind === 'key_reused';
