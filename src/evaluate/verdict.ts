import type { ContentRetention } from '../features/integrations/words.ts';
import { rejectionCounts } from '../policy/counters/count.ts';
import type { Decision } from '../policy/subject.ts';
import { type EnforcementAction, letsThrough, type Outcome, type Violation } from '../schemas/decisions.ts';
import type { Approval, EvaluateResult } from '../schemas/evaluations.ts';
import type { OpenGrant, UsedGrant } from '../schemas/review-terms.ts';
import {
  type Action,
  type ComparedAction,
  coveringGrants,
  grantOffers,
  judgeApproval,
  rejected,
} from './approval.ts';
import type {
  ActionReviews,
  HeldContent,
  NewEvaluation,
  Rejection,
  ReviewLife,
  Verdict,
} from './evaluation.ts';
import { noSightingWrites } from './sightings.ts';

/** The inputs of a verdict besides the decision. */
export interface VerdictContext {
  evaluation: NewEvaluation;
  sessionId: string | null;
  retention: ContentRetention;
  /** The callback URL as reads show it. */
  callbackUrl: string | null;
  /** Called at most once, and only when the action is held. */
  heldContent: () => HeldContent;
  /** The name of the tool as events show it; called at most once, and only when the action is held. */
  shownTool: () => string;
  /** SHA-256 of a text. */
  sha256: (text: string) => string;
  newId: () => string;
  /** The response as text: nobody gets one to what is judged again. */
  write: (response: object) => string;
  /** That blocks the action; null for none. */
  rejection: Rejection | null;
  /** The parts of the action that grants compare, besides the fields of this context. */
  compared: Omit<ComparedAction, 'evaluation' | 'sessionId' | 'sha256'>;
}

/** A verdict and its response before it became text. */
export interface VerdictWithResponse extends Verdict {
  data: Omit<EvaluateResult, 'correlationId'>;
}

/**
 * Combines the decision with the reviews of this action: the response to the caller, and the changes to the reviews. A held
 * action has one PENDING review, however often it is tried. Pure except for `newId`.
 */
export function verdictOf(
  decision: Decision,
  reviews: ActionReviews,
  context: VerdictContext,
): VerdictWithResponse {
  const { evaluation, sessionId, rejection } = context;
  const { named } = reviews;
  const isHeld = decision.enforcementAction === 'APPROVAL_REQUIRED';
  const inputHash = isHeld || named ? evaluation.inputHash() : '';
  const action: Action = { sessionId, tool: evaluation.tool, inputHash };
  const approval = rejection ? rejected(rejection) : named && judgeApproval(named, decision, action);
  const offers = decision.grantable.length === 0 ? noOffers : offersOf(decision, context);
  const grants = usableGrants(decision, offers, reviews, approval, evaluation);
  const { enforcementAction, outcome } = lifted(decision, approval, grants);
  const hold =
    enforcementAction === 'APPROVAL_REQUIRED' ? holdOf(decision, reviews, approval, context, offers) : null;
  const violations =
    decision.violations.length === 0 ? [] : decision.violations.map((one) => recorded(one, context));
  const reviewRequestId = hold?.id ?? (approval?.reason === 'rejected' ? approval.reviewRequestId : null);
  const labels = letsThrough(enforcementAction) ? decision.labels : [];
  const response: Omit<EvaluateResult, 'correlationId'> = {
    evaluationRunId: evaluation.id,
    outcome,
    enforcementAction,
    severity: decision.severity,
    violations,
    dataTags: [...evaluation.dataTags],
    sessionId,
    reviewRequestId,
    pollUrl: hold && `/v1/reviews/${hold.id}`,
    policiesEvaluated: evaluation.policySet.members.length,
  };
  if (labels.length > 0) response.labels = [...labels];
  if (approval) response.approval = approval;
  if (grants.length > 0) response.grants = grants.map(shownGrant);
  return {
    data: response,
    outcome,
    enforcementAction,
    severity: decision.severity,
    enforcedSeverity: decision.enforcedSeverity,
    violations,
    labels,
    monitoredLabels: letsThrough(enforcementAction) ? decision.monitoredLabels : [],
    review: hold?.review ?? null,
    heldAgain: hold?.heldAgain ?? null,
    consumesReview: approval?.applied ?? false,
    usesGrants: grants.length === 0 ? none : grants.map(({ id }) => id),
    reviewRequestId,
    fullQueue: null,
    events: none,
    counterWrites: none,
    sightings: noSightingWrites,
    repeats: null,
    response: context.write(response),
    tookUs: null,
  };
}

const none: readonly never[] = [];

type Offers = ReturnType<typeof grantOffers>;
const noOffers: Offers = [];

const offersOf = (decision: Decision, { compared, evaluation, sessionId, sha256 }: VerdictContext): Offers =>
  grantOffers(decision, { ...compared, evaluation, sessionId, sha256 });

/** A violation as it is recorded. A rendered message shows content; a rule's name is the policy's. */
function recorded(
  violation: Decision['violations'][number],
  { retention, newId }: VerdictContext,
): Violation {
  return {
    id: newId(),
    ...violation,
    message: retention === 'none' ? violation.ruleName : violation.message,
  };
}

/** An approval that applies needs no grant. A grant for actions like this one never lets through an action that a person rejected. */
function usableGrants(
  decision: Decision,
  offers: Offers,
  { grants, rejection }: ActionReviews,
  approval: Approval | null,
  { dataTags }: NewEvaluation,
): readonly OpenGrant[] {
  if (grants.length === 0 || rejection !== null) return [];
  if (approval?.reason === 'applied' || approval?.reason === 'rejected') return [];
  return coveringGrants(decision, offers, grants, dataTags) ?? [];
}

const shownGrant = ({ id, reviewRequestId, policyId, ruleId }: OpenGrant): UsedGrant => ({
  id,
  reviewRequestId,
  policyId,
  ruleId,
});

/** An approval or a grant lifts a hold into ALLOW. A rejection of this very action turns it into BLOCK: a human has said no. */
function lifted(
  decision: Decision,
  approval: Approval | null,
  grants: readonly OpenGrant[],
): { enforcementAction: EnforcementAction; outcome: Outcome } {
  if (approval?.reason === 'applied' || grants.length > 0)
    return { enforcementAction: 'ALLOW', outcome: 'FLAG' };
  if (approval?.reason === 'rejected') return { enforcementAction: 'BLOCK', outcome: 'DENY' };
  return decision;
}

function holdOf(
  decision: Decision,
  reviews: ActionReviews,
  approval: Approval | null,
  { evaluation, callbackUrl, heldContent, shownTool, newId }: VerdictContext,
  offers: Offers,
): { id: string } & Pick<Verdict, 'review' | 'heldAgain'> {
  const pending = approval?.reason === 'pending' ? reviews.named : reviews.pending;
  const life = lifeOf(decision, evaluation.at, pending, reviews.sessionExpiresAt);
  const hold = {
    id: pending?.id ?? newId(),
    ...life,
    callbackUrl,
    shownTool: shownTool(),
    content: heldContent(),
    // Whom a token proves to be the requester may not approve: that is known, whatever the rule asks.
    terms: evaluation.identity === null ? decision.terms : { ...decision.terms, notRequester: true },
    grants: offers.map((offer) => ({ ...offer, id: newId() })),
    rejectionCounts: rejectionCountsText(decision.counted),
  };
  return pending
    ? { id: hold.id, review: null, heldAgain: hold }
    : { id: hold.id, review: { ...hold, ...hashesOf(evaluation) }, heldAgain: null };
}

const hashesOf = (evaluation: NewEvaluation) => ({
  inputHash: evaluation.inputHash(),
  rejectionHash: evaluation.rejectionHash(),
});

function rejectionCountsText(counted: Decision['counted']): string | null {
  const counts = rejectionCounts(counted);
  return counts.length === 0 ? null : JSON.stringify(counts);
}

/** Trying again never gives a review more time; a policy that asks for less gets less. No review outlives its session. */
function lifeOf(
  { reviewExpirySeconds }: Decision,
  at: number,
  pending: ReviewLife | null,
  sessionExpiresAt: number | null,
): ReviewLife {
  const ends = sessionExpiresAt ?? Number.POSITIVE_INFINITY;
  const expiresAt = Math.min(at + reviewExpirySeconds * 1_000, pending?.expiresAt ?? ends, ends);
  return {
    expiresAt,
    expirySeconds: Math.min(pending?.expirySeconds ?? reviewExpirySeconds, reviewExpirySeconds),
    endsWithSession: expiresAt >= ends,
  };
}
