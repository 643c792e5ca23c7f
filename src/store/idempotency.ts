import type { SessionStatus } from '../schemas/evaluation-sessions.ts';

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

/** What was stored under a key. */
export interface StoredResponse {
  requestHash: string;
  response: string;
  createdAt: number;
  /** Of a response that let an action through; null for any other. */
  permit: Permit | null;
}

/** What a response that let an action through rests on. */
export interface Permit {
  /** As of now; null when the action had no session. */
  sessionStatus: SessionStatus | null;
  /** Of the policies that decided. */
  policySetKey: string;
}

/** Why a response that let an action through is not given again. */
export type Lapsed =
  | { kind: 'lapsed'; why: 'not_active'; status: SessionStatus }
  | { kind: 'lapsed'; why: 'policies_changed' };

/**
 * What a request under a key gets: nothing stored that still counts (null), the stored response, or a refusal. A response
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
