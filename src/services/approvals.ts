import { hash } from 'node:crypto';
import { type CallArguments, type Decision, normalizedToolName } from '../engine/index.ts';
import { canonicalJson } from '../json/canonical.ts';
import type { Cost } from '../schemas/costs.ts';
import { type Phase, severities, type Violation } from '../schemas/decisions.ts';
import type { Approval, ApprovalReason } from '../schemas/evaluations.ts';
import type { NamedReview, NewEvaluation, Rejection } from '../store/store.ts';
import { noTexts, type SentTexts, spelledAsSent } from './sent-texts.ts';

/** The action that an approval is bound to, beside its integration. */
export interface Action {
  sessionId: string | null;
  tool: string;
  inputHash: string;
}

/**
 * SHA-256 of the canonical JSON (RFC 8785) of what is done to what. The target and its metadata belong to it: an
 * approval to pay Bob must not pay Eve with the same input. So does the phase: an approved prompt must not let through
 * an action with the same input.
 */
export const hashAction = (
  input: object,
  targetKey: string | null,
  targetMetadata: object | null,
  phase: Phase,
  texts: SentTexts = noTexts,
): string => hash('sha256', canonicalJson({ input, targetKey, targetMetadata, phase }, spelledAsSent(texts)));

/**
 * The hashes of an action, each made once, when it is asked for. An approval is bound to what the action is said to cost as well:
 * one to spend 10 must not spend 1,000.
 */
export function actionHashes(
  salt: string,
  hashContent: () => string,
  cost: Cost | null,
): Pick<NewEvaluation, 'salt' | 'contentHash' | 'inputHash'> {
  let content: string | undefined;
  let input: string | undefined;
  const contentHash = (): string => {
    content ??= hashContent();
    return content;
  };
  return {
    salt,
    contentHash,
    inputHash() {
      input ??= inputHash(salt, contentHash(), cost);
      return input;
    },
  };
}

/** Salted, because it is stored: an action of few possible contents could be found by trying. */
export const inputHash = (salt: string, contentHash: string, cost: Cost | null): string =>
  hash('sha256', `${salt} ${contentHash} ${cost === null ? '' : canonicalJson(cost)}`);

/**
 * What a rejection is bound to: what is done to what, in whatever format and spelling. Cost is left out, as are the id that each new
 * call gets, white space at the ends of texts and their Unicode form; an alias of the tool stands for its name, and an empty target
 * is none: an agent must not get another review of the same action by such a change. Of a prompt or a result, all of it is what was
 * rejected.
 */
export function rejectionHash(
  salt: string,
  { input, call, targetKey, targetMetadata, phase }: RejectedAction,
  { asked, tool }: { asked: string; tool: string },
): string {
  const spelled = (text: string): string => {
    const plain = normalizedToolName(text);
    return JSON.stringify(plain === asked ? tool : plain);
  };
  const target = normalizedToolName(targetKey ?? '');
  const rejected = {
    done: phase === 'ACTION' ? call.doneBy(asked) : input,
    // Where nothing else names the tool, its target does.
    target: target === asked ? '' : target,
    targetMetadata: targetMetadata && Object.keys(targetMetadata).length > 0 ? targetMetadata : null,
    phase,
  };
  return hash('sha256', `${salt} ${canonicalJson(rejected, spelled)}`);
}

interface RejectedAction {
  input: object;
  call: CallArguments;
  targetKey: string | null;
  targetMetadata: object | null;
  phase: Phase;
}

/** What the named review means for this decision. Pure. */
export function judgeApproval(review: NamedReview, decision: Decision, action: Action): Approval {
  const reason = reasonFor(review, decision, action);
  return {
    reviewRequestId: review.id,
    applied: reason === 'applied',
    reason,
    message: messageFor(reason, review, decision),
    ...(reason === 'rejected' && { comment: review.comment }),
  };
}

/**
 * The action is always evaluated anew, and only what the reviewer saw is lifted: a BLOCK stays one, and what needs no
 * approval does not use it up. A rejection of this very action stands, whatever the policies say now.
 */
function reasonFor(review: NamedReview, decision: Decision, action: Action): ApprovalReason {
  const sameAction = isOf(review, action);
  if (sameAction && review.status === 'REJECTED') return 'rejected';
  if (decision.enforcementAction === 'BLOCK') return 'blocked';
  if (decision.enforcementAction !== 'APPROVAL_REQUIRED') return 'not_needed';
  if (!sameAction) return 'different_action';
  if (review.status === 'CONSUMED') return 'consumed';
  if (review.status === 'EXPIRED') return 'expired';
  if (review.status === 'CANCELLED') return 'cancelled';
  if (review.status === 'PENDING') return 'pending';
  return unseen(review, decision).reason ?? 'applied';
}

/** Whether the review is of this action. */
export const isOf = (review: NamedReview, action: Action): boolean =>
  review.sessionId === action.sessionId &&
  review.tool === action.tool &&
  review.inputHash === action.inputHash;

interface Unseen {
  /** Null when the reviewer saw all that holds the action. */
  reason: Extract<ApprovalReason, 'new_finding' | 'policies_changed' | 'higher_severity'> | null;
  rules: readonly string[];
}

/**
 * What holds the action and was not seen by the reviewer: another rule, another version of one that was seen, or one
 * that was seen at a lower severity. A rule that failed is not the same violation as that rule when it matched.
 */
function unseen(review: NamedReview, decision: Decision): Unseen {
  const seen = review.violations.filter(holds);
  const rules: string[] = [];
  let reason: Unseen['reason'] = null;
  for (const violation of decision.violations.filter(holds)) {
    const why = whyUnseen(violation, seen);
    if (why === null) continue;
    rules.push(`${violation.ruleName} (${violation.policyName})`);
    reason ??= why;
  }
  return { reason, rules };
}

type NewViolation = Omit<Violation, 'id'>;

function whyUnseen(violation: NewViolation, seen: readonly NewViolation[]): Unseen['reason'] {
  const same = seen.filter(
    ({ policyId, ruleId, reason }) =>
      policyId === violation.policyId && ruleId === violation.ruleId && reason === violation.reason,
  );
  if (same.length === 0) return 'new_finding';
  const ofVersion = same.filter(({ policyVersion }) => policyVersion === violation.policyVersion);
  if (ofVersion.length === 0) return 'policies_changed';
  const rank = severities.indexOf(violation.severity);
  return ofVersion.some(({ severity }) => severities.indexOf(severity) >= rank) ? null : 'higher_severity';
}

/** Whether it holds the action. */
export const holds = ({ mode, enforcementAction }: NewViolation): boolean =>
  mode === 'ENFORCE' && enforcementAction === 'APPROVAL_REQUIRED';

/** The rejection that an action gets in place of a review. */
export const rejected = ({ reviewRequestId, comment }: Rejection): Approval => ({
  reviewRequestId,
  applied: false,
  reason: 'rejected',
  message: withComment(messages.rejected, comment),
  comment,
});

export const withComment = (message: string, comment: string | null): string =>
  comment === null ? message : `${message}: ${comment}`;

const messages: Record<ApprovalReason, string> = {
  applied: 'the approval is used up',
  not_needed: 'the action needs no approval; the approval stays unused',
  blocked: 'a rule blocks the action; the approval stays unused',
  pending: 'nobody has decided yet',
  rejected: 'a human rejected it',
  expired: 'the review expired before it was decided or used',
  cancelled: 'the session of the review ended before anybody decided',
  consumed: 'the approval was already used',
  different_action: 'the approval was given for another action',
  new_finding: 'rules hold the action that the reviewer did not see',
  policies_changed: 'the action is held by a new version of a policy that the reviewer saw',
  higher_severity: 'rules hold the action at a higher severity than the reviewer saw',
};

function messageFor(reason: ApprovalReason, review: NamedReview, decision: Decision): string {
  const message = messages[reason];
  if (reason === 'rejected') return withComment(message, review.comment);
  const isUnseen = reason === 'new_finding' || reason === 'policies_changed' || reason === 'higher_severity';
  return isUnseen ? `${message}: ${unseen(review, decision).rules.join(', ')}` : message;
}
