import type { CounterRows } from '../schemas/counter-rows.ts';
import { letsThrough } from '../schemas/decisions.ts';
import type { SessionContext } from '../schemas/session-context.ts';
import { type CounterRow, counterRowsOf, type FindCounterRow, scopedWrites } from './counters.ts';
import type { NewSession } from './evaluation-sessions.ts';
import type {
  ActionReviews,
  NamedReview,
  NamedSession,
  NewEvaluation,
  PendingReview,
  RecordResult,
  Verdict,
} from './evaluations.ts';
import { answerAgain, type StoredAnswer } from './idempotency.ts';
import { reviewStatusAt, type WrittenReviewStatus } from './review-status.ts';
import { newContext, type SessionProgress, statusAt } from './session-progress.ts';

// What recording an evaluation decides, for every backend. Pure: a store loads, calls `settle`, and applies what it returns,
// all in one step.

/** What a store loads for an evaluation: all of one moment, and of the evaluation's integration only. */
export interface Loaded {
  /** Under the idempotency key; null when nothing is stored, and without a key. */
  stored: StoredAnswer | null;
  /** Of what decides for the integration now; differs from any that an evaluation has when there is no such integration. */
  revision: number;
  /** The session that the evaluation names, or the one that its name or external id stands for; null when there is none. */
  session: SessionProgress | null;
  /** The action that a RESULT names; null when there is none. */
  action: { hasResult: boolean } | null;
  /** The review that the evaluation names; null when there is none. */
  review: (Omit<NamedReview, 'status'> & WrittenReviewStatus) | null;
  /** The newest undecided review of this action; null when there is none, or `needs.pendingReview` is false. */
  pending: (PendingReview & WrittenReviewStatus) | null;
  /** Null unless `needs.counters`. */
  findCounterRow: FindCounterRow | null;
}

/** What a store writes for a recorded evaluation, besides the evaluation itself and the progress of its session (`advance`). */
export interface Writes {
  verdict: Verdict;
  /** The session to open; null when the evaluation has none, or one that exists. */
  opens: NewSession | null;
  /** The name that its session has from now on. */
  names: NamedSession | null;
  /** Place among the actions of its session; null without a session, and for a PROMPT and a RESULT. */
  seq: number | null;
  /** The review that the record shows: the one that holds the action, or the one whose approval it used. */
  reviewRequestId: string | null;
  /** Whether the stored answer is a `Permit`: it rests on the session and the policies. */
  permits: boolean;
  counterRows: readonly CounterRow[];
}

export type Settled =
  | { result: RecordResult & { kind: 'recorded' }; writes: Writes }
  | { result: Exclude<RecordResult, { kind: 'recorded' }>; writes: null };

export type Decide = (context: SessionContext, reviews: ActionReviews, counters: CounterRows) => Verdict;

/** Decides and says what to write, or why nothing is. Pure, except for `decide`, which it calls at most once. */
export function settle(loaded: Loaded, evaluation: NewEvaluation, decide: Decide): Settled {
  const result = refusalOf(loaded, evaluation);
  if (result) return { result, writes: null };
  const { at, session: asked, phase } = evaluation;
  const { session } = loaded;
  const opens = asked && 'open' in asked && !session ? asked.open : null;
  const reviews = reviewsAt(loaded, at);
  const context = session ?? newContext(opens ?? sessionless(at));
  const { findCounterRow } = loaded;
  const verdict = decide(context, reviews, findCounterRow ? counterRowsOf(context, findCounterRow) : noRows);
  checkReviews(verdict, reviews);
  const countsAsAction = phase === 'ACTION' && (session ?? opens) !== null;
  return {
    result: { kind: 'recorded', answer: verdict.answer },
    writes: {
      verdict,
      opens,
      names: asked && 'name' in asked ? asked : null,
      seq: countsAsAction ? (session?.actionCount ?? 0) + 1 : null,
      reviewRequestId:
        verdict.reviewRequestId ?? (verdict.consumesReview ? evaluation.reviewRequestId : null),
      permits: letsThrough(verdict.enforcementAction),
      counterRows: scopedWrites(context, (session ?? opens)?.expiresAt ?? null, verdict.counterWrites),
    },
  };
}

const noRows: CounterRows = { find: () => null };

type Refused = Exclude<RecordResult, { kind: 'recorded' }>;

/** The first reason for which nothing is recorded; null when there is none. */
function refusalOf(loaded: Loaded, evaluation: NewEvaluation): Refused | null {
  const { stored, revision, action, review } = loaded;
  const { idempotency, policySet } = evaluation;
  if (revision !== evaluation.revision) return { kind: 'stale' };
  const earlier = idempotency && answerAgain(stored, idempotency, policySet.key);
  if (earlier) return earlier;
  const refused = refusalBySession(loaded.session, evaluation);
  if (refused) return refused;
  if (evaluation.resultOf !== null) {
    if (!action) return { kind: 'no_action' };
    if (action.hasResult) return { kind: 'has_result' };
  }
  if (evaluation.reviewRequestId !== null && !review) return { kind: 'no_review' };
  return null;
}

function refusalBySession(
  session: SessionProgress | null,
  { session: asked, at }: NewEvaluation,
): Refused | null {
  if (!asked) return null;
  if ('id' in asked) {
    if (!session) return { kind: 'no_session' };
    const status = statusAt(session, at);
    return status === 'ACTIVE' ? null : { kind: 'not_active', status };
  }
  const isOthers =
    'externalSessionId' in asked &&
    asked.entityId !== null &&
    session !== null &&
    session.entityId !== asked.entityId;
  return isOthers ? { kind: 'other_entity' } : null;
}

function reviewsAt({ review, pending }: Loaded, at: number): ActionReviews {
  return {
    named: review && { ...review, status: reviewStatusAt(review, at) },
    pending: pending && reviewStatusAt(pending, at) === 'PENDING' ? pending : null,
  };
}

/** A verdict that uses or keeps a review otherwise than its status allows is a bug, and must not be recorded. */
function checkReviews({ consumesReview, heldAgain }: Verdict, { named, pending }: ActionReviews): void {
  if (consumesReview && named?.status !== 'APPROVED') {
    throw new Error('an approval was used that is not APPROVED');
  }
  const isPending =
    heldAgain === null ||
    heldAgain.id === pending?.id ||
    (heldAgain.id === named?.id && named.status === 'PENDING');
  if (!isPending) throw new Error('an action is held by a review that is not PENDING');
}

/** What an evaluation without a session sees: a session in which nothing has happened yet. */
const sessionless = (startedAt: number) => ({ id: '', entityId: null, metadata: '{}', startedAt });
