import { hash } from 'node:crypto';
import { AppError } from '../errors.ts';
import { parseJson } from '../json/parse.ts';
import type { Idempotency, Lapsed, Once } from '../store/store.ts';

/** A caller's wish that this request counts once. */
export interface OnceKey {
  key: string;
  /** Hash of everything that makes the request what it is: method, path and body. */
  requestHash: string;
}

/**
 * What the store needs to count the request once. The key is stored as its SHA-256: callers may put content into it.
 * `rememberedMs` 0 means that idempotency keys are turned off, and a key that is sent is refused. `blocksAll`: nothing
 * passes now, whatever the policies say.
 */
export function idempotencyAt(
  once: OnceKey | null,
  now: number,
  rememberedMs: number,
  blocksAll = false,
): Idempotency | null {
  if (!once) return null;
  if (rememberedMs === 0) {
    throw new AppError('invalid', 'idempotency keys are turned off: send no Idempotency-Key header');
  }
  return {
    key: hash('sha256', once.key),
    requestHash: once.requestHash,
    notBefore: now - rememberedMs,
    blocksAll,
  };
}

/** The result, unless the key belongs to another request or the stored response no longer stands. */
export function unlessRefused<T>(result: Once<T>): T | { kind: 'replayed'; response: string } {
  const refusal = result as { kind: 'replayed' | 'key_reused' } | Lapsed;
  if (refusal.kind === 'key_reused') {
    throw new AppError('conflict', 'this idempotency key was already used for a different request');
  }
  if (refusal.kind === 'lapsed') {
    const why =
      refusal.why === 'not_active' ? `the session is ${refusal.status}` : 'other policies are in force now';
    throw new AppError(
      'conflict',
      `the action was let through, but ${why}: evaluate it again with a new idempotency key`,
    );
  }
  return result as T | { kind: 'replayed'; response: string };
}

/** The stored response, a JSON object, marked as a repeated one. Only its text was kept: it is parsed when it is asked for. */
export function replayedResponse<Data>(response: string): {
  readonly data: Data;
  text: string;
  replayed: true;
} {
  const text = `${response.slice(0, -1)},"replayed":true}`;
  return {
    get data() {
      return parseJson(text) as Data;
    },
    text,
    replayed: true,
  };
}
