import { hash } from 'node:crypto';
import type { Decision } from '../engine/index.ts';
import { canonicalJson } from '../json/canonical.ts';
import type { Phase } from '../schemas/decisions.ts';
import type { ApprovalReason } from '../schemas/evaluations.ts';
import type { NamedReview } from '../store/store.ts';

/** What an approval is bound to: the exact action, and the policies that asked for it. */
export interface Binding {
  sessionId: string | null;
  tool: string;
  inputHash: string;
  policySetKey: string;
}

/**
 * SHA-256 of the canonical JSON (RFC 8785) of what is done to what. The target belongs to it: an approval to delete
 * one document must not delete another with the same input. So does the phase: an approved prompt must not let through
 * an action with the same input.
 */
export const hashAction = (input: unknown, targetKey: string | null, phase: Phase = 'ACTION'): string =>
  hash('sha256', canonicalJson({ input, targetKey, ...(phase !== 'ACTION' && { phase }) }));

/**
 * What the named review's approval means for this decision. The action is always judged anew: only a decision that
 * would hold it is lifted, so a BLOCK stays one, and what needs no approval does not use it up.
 */
export function judgeApproval(review: NamedReview, decision: Decision, binding: Binding): ApprovalReason {
  if (decision.enforcementAction === 'BLOCK') return 'blocked';
  if (decision.enforcementAction !== 'APPROVAL_REQUIRED') return 'not_needed';
  const sameAction =
    review.sessionId === binding.sessionId &&
    review.tool === binding.tool &&
    review.inputHash === binding.inputHash;
  if (!sameAction) return 'different_action';
  if (review.status === 'REJECTED') return 'rejected';
  if (review.status === 'CONSUMED') return 'consumed';
  if (review.status === 'EXPIRED') return 'expired';
  if (review.policySetKey !== binding.policySetKey) return 'policies_changed';
  return review.status === 'PENDING' ? 'pending' : 'applied';
}
