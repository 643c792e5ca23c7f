import { AppError } from '../errors.ts';
import type { SessionStatus } from '../features/sessions/schema.ts';
import { parseJson } from '../json/parse.ts';

/**
 * A change under an idempotency key: made now, or made before with this response, or refused because the key belongs to
 * another request or the response no longer stands.
 */
export type Idempotent<T> = T | { kind: 'replayed'; response: string } | { kind: 'key_reused' } | Lapsed;

/** A request that must count once: the same key with the same hash gets the response stored for it. */
export interface Idempotency {
  /** SHA-256 of the key that was sent. */
  key: string;
  requestHash: string;
  /** Keys written before this moment are forgotten. */
  notBefore: number;
  /** Whether nothing passes now, so that no stored response may let an action through. */
  blocksAll: boolean;
}

/** The response stored under a key. */
export interface StoredResponse {
  requestHash: string;
  response: string;
  createdAt: number;
  /** Null for a response that let nothing through. */
  permit: Permit | null;
}

/** The session and policies that a response rests on which let an action through. */
export interface Permit {
  /** As of now; null when the action had no session. */
  sessionStatus: SessionStatus | null;
  /** Key of the policies that decided. */
  policySetKey: string;
}

/** Why a response that let an action through is not given again. */
export type Lapsed =
  | { kind: 'lapsed'; why: 'not_active'; status: SessionStatus }
  | { kind: 'lapsed'; why: 'policies_changed' };

/**
 * The outcome of a request under a key: nothing stored that still counts (null), the stored response, or a refusal. A response
 * that let an action through is a permission: it is not given again once its session is over or other policies are in
 * force. `policySetKey`: of the policies in force; null for a request that no policy decides. Pure.
 */
export function respondAgain(
  stored: StoredResponse | null,
  { requestHash, notBefore, blocksAll }: Idempotency,
  policySetKey: string | null,
): { kind: 'replayed'; response: string } | { kind: 'key_reused' } | Lapsed | null {
  if (!stored || stored.createdAt < notBefore) return null;
  if (stored.requestHash !== requestHash) return { kind: 'key_reused' };
  const { permit, response } = stored;
  if (permit) {
    const { sessionStatus } = permit;
    if (sessionStatus !== null && sessionStatus !== 'ACTIVE') {
      return { kind: 'lapsed', why: 'not_active', status: sessionStatus };
    }
    if (blocksAll || permit.policySetKey !== policySetKey) return { kind: 'lapsed', why: 'policies_changed' };
  }
  return { kind: 'replayed', response };
}

/** The idempotency key of a request. */
export interface IdempotencyKey {
  /** SHA-256 of the key that was sent: callers may put content into it, and it is stored. */
  key: string;
  /** Hash of everything that makes the request what it is: method, path and body. */
  requestHash: string;
}

/** The same request of somebody else is another request: it must not get the response of the first. */
export const requestedBy = (sent: IdempotencyKey, provenEntityId: string | null): IdempotencyKey =>
  provenEntityId === null ? sent : { ...sent, requestHash: `${sent.requestHash} ${provenEntityId}` };

/**
 * The key as the store needs it to count the request once.
 * `rememberedMs` 0 means that idempotency keys are turned off, and a key that is sent is refused. `blocksAll`: nothing
 * passes now, whatever the policies say.
 */
export function idempotencyAt(
  sent: IdempotencyKey | null,
  now: number,
  rememberedMs: number,
  blocksAll = false,
): Idempotency | null {
  if (!sent) return null;
  if (rememberedMs === 0) {
    throw new AppError('invalid', 'idempotency keys are turned off: send no Idempotency-Key header');
  }
  return {
    key: sent.key,
    requestHash: sent.requestHash,
    notBefore: now - rememberedMs,
    blocksAll,
  };
}

/** The result, unless the key belongs to another request or the stored response no longer stands. */
export function unlessRefused<T>(result: Idempotent<T>): T | { kind: 'replayed'; response: string } {
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
