import type { Hold, NewEvaluation, Rejection, Verdict } from '../../../evaluate/evaluation.ts';
import type { Decide, Loaded, RecordResult } from '../../../evaluate/port.ts';
import { noUsage } from '../../../evaluate/quotas.ts';
import { advance, countEvaluation, statusAt, TreeCounts } from '../../../evaluate/session.ts';
import { settle } from '../../../evaluate/settle.ts';
import { rejectionWrites } from '../../../policy/counters/count.ts';
import { letsThrough } from '../../../schemas/decisions.ts';
import type { OpenGrant } from '../../../schemas/review-terms.ts';
import { reviewStatusAt } from '../../../store/reviews.ts';
import type { CounterCells } from '../../../store/store.ts';
import { createMemoryCounters } from './memory-counters.ts';
import { ancestorsOf, gather, gatherLate, MemorySession } from './memory-session.ts';

type KeptReview = NonNullable<Loaded['review']> &
  Pick<Hold, 'grants' | 'rejectionCounts'> & {
    dataTags: readonly string[];
    /** The last one that it held. */
    evaluation: NewEvaluation;
    session: MemorySession | null;
  };

/** The evaluations that the steps of one test have recorded. `settle` and `advance` make them, as they do for every store. */
export interface MemoryRecord {
  record(evaluation: NewEvaluation, decide: Decide): RecordResult;
  /** As an operator decides. False when the review is not PENDING. */
  decideReview(id: string, status: 'APPROVED' | 'REJECTED', at: number): boolean;
  /** The newest session of the name, while it is ACTIVE. */
  sessionNamed(name: string, at: number): MemorySession | null;
}

export function createMemoryRecord(): MemoryRecord {
  const sessions: MemorySession[] = [];
  const reviews = new Map<string, KeptReview>();
  const actions = new Map<string, { hasResult: boolean }>();
  const counters = createMemoryCounters();
  let grants: readonly (OpenGrant & { sessionId: string | null })[] = [];

  function sessionNamed(name: string, at: number): MemorySession | null {
    const named = sessions.findLast(({ opened }) => opened.externalSessionId === name);
    return named !== undefined && statusAt(named, at) === 'ACTIVE' ? named : null;
  }

  /** The session of the evaluation, and its parent; that of the session to open where there is none yet. */
  function findSession({ session: asked, at }: NewEvaluation) {
    if (asked === null || !('externalSessionId' in asked)) return { found: null, parent: null };
    const found = sessionNamed(asked.externalSessionId, at);
    const { place } = asked.open;
    const parent = found ? found.parent : (sessions.find(({ id }) => id === place?.parentId) ?? null);
    return { found, parent };
  }

  function findPending(sessionId: string | null, { tool, inputHash }: NewEvaluation): KeptReview | null {
    const isOfAction = (review: KeptReview): boolean =>
      review.status === 'PENDING' &&
      review.sessionId === sessionId &&
      review.tool === tool &&
      review.inputHash === inputHash();
    return [...reviews.values()].findLast(isOfAction) ?? null;
  }

  const isPendingAt =
    (at: number) =>
    (review: KeptReview): boolean =>
      reviewStatusAt(review, at) === 'PENDING' &&
      (!review.session || statusAt(review.session, at) === 'ACTIVE');

  function findRejection(root: string | null, { tool, rejectionHash }: NewEvaluation): Rejection | null {
    const found = [...reviews.values()].findLast(
      (review) =>
        review.status === 'REJECTED' &&
        (review.session?.rootId ?? null) === root &&
        review.tool === tool &&
        review.evaluation.rejectionHash() === rejectionHash(),
    );
    return found ? { reviewRequestId: found.id, comment: null, decidedAt: found.decidedAt ?? 0 } : null;
  }

  /** Changes the session and the counters when a person rejects a held action. */
  function countRejection({ evaluation: held, session, rejectionCounts }: KeptReview, at: number): void {
    const evaluation = { ...held, at };
    if (session) {
      session.rejectionCount++;
      if (session.root.treeCounts) session.root.treeCounts.rejectionCount++;
    }
    if (rejectionCounts === null) return;
    const cells = counters.load(evaluation, session);
    const find: CounterCells['find'] = (counter, scope, name) =>
      cells?.of(scope)?.find(counter, name) ?? null;
    counters.write(evaluation, session, rejectionWrites(JSON.parse(rejectionCounts), { find }, at));
  }

  function keepReviews(evaluation: NewEvaluation, verdict: Verdict, session: MemorySession | null): void {
    const sessionId = session?.id ?? null;
    const { review, heldAgain, consumesReview, usesGrants, violations } = verdict;
    const { dataTags } = evaluation;
    const named = evaluation.reviewRequestId;
    if (consumesReview && named !== null) setStatus(named, 'CONSUMED');
    grants = grants.map((grant) =>
      usesGrants.includes(grant.id) && grant.usesLeft !== null
        ? { ...grant, usesLeft: grant.usesLeft - 1 }
        : grant,
    );
    if (review) {
      const { id, expiresAt, expirySeconds, endsWithSession, inputHash, rejectionCounts } = review;
      const { grants: offers } = review;
      const { tool } = evaluation;
      const life = { expiresAt, expirySeconds, endsWithSession, status: 'PENDING' as const };
      const held = { sessionId, tool, inputHash, violations, grants: offers, dataTags, rejectionCounts };
      reviews.set(id, { id, ...life, ...held, evaluation, session, comment: null, decidedAt: null });
    }
    const again = heldAgain && reviews.get(heldAgain.id);
    if (heldAgain && again) {
      const { expiresAt, expirySeconds, endsWithSession, rejectionCounts, grants: offers } = heldAgain;
      const held = {
        expiresAt,
        expirySeconds,
        endsWithSession,
        violations,
        grants: offers,
        dataTags,
        rejectionCounts,
      };
      reviews.set(again.id, { ...again, ...held, evaluation });
    }
  }

  /** Adds the grants of a review's approval; a rejection takes the same back. */
  function decideGrants(
    { id, sessionId, tool, dataTags, grants: offers }: KeptReview,
    isApproved: boolean,
    at: number,
  ) {
    const keys = new Set(offers.map(({ key }) => key));
    if (!isApproved) grants = grants.filter((grant) => grant.sessionId !== sessionId || !keys.has(grant.key));
    else
      grants = [
        ...grants,
        ...offers.map(({ uses, seconds, ...offer }) => ({
          ...offer,
          ...{ reviewRequestId: id, sessionId, tool, dataTags, usesLeft: uses },
          expiresAt: seconds === null ? null : at + seconds * 1_000,
        })),
      ];
  }

  function setStatus(id: string, status: KeptReview['status']): void {
    const review = reviews.get(id);
    if (review) reviews.set(id, { ...review, status });
  }

  function load(
    evaluation: NewEvaluation,
    found: MemorySession | null,
    parent: MemorySession | null,
  ): Loaded {
    if (found) gather(found, evaluation.at);
    const ancestors = ancestorsOf(parent, found === null, evaluation.at);
    const tree =
      (found ?? parent)?.root.treeCounts ?? (found === null && parent ? new TreeCounts(parent) : null);
    const { resultOf, reviewRequestId } = evaluation;
    const root = (found ?? parent)?.rootId ?? null;
    return {
      stored: null,
      revision: evaluation.revision,
      session: found,
      action: resultOf === null ? null : (actions.get(resultOf) ?? null),
      review: reviewRequestId === null ? null : (reviews.get(reviewRequestId) ?? null),
      pending: findPending(found?.id ?? null, evaluation),
      grants: grants.filter((grant) => grant.sessionId === (found?.id ?? null)),
      rejection: findRejection(root, evaluation),
      counters: counters.load(evaluation, found),
      usage: {
        ...noUsage,
        pendingReviews: () => [...reviews.values()].filter(isPendingAt(evaluation.at)).length,
        pendingReviewsOfSession: () =>
          [...reviews.values()].filter(
            (review) => review.session?.rootId === root && isPendingAt(evaluation.at)(review),
          ).length,
      },
      sightings: found && {
        count: found.sightings.size,
        isFull: found.sightingsFull,
        find: (digest) => found.sightings.get(digest) ?? [],
        inherited: ancestors.map(({ sightings }) => sightings),
      },
      ancestors,
      tree,
      delegatorRevisions: [],
    };
  }

  return {
    record(evaluation, decide) {
      const { found, parent } = findSession(evaluation);
      const loaded = load(evaluation, found, parent);
      const { result, writes } = settle(loaded, evaluation, decide);
      if (writes === null) return result;
      const { verdict, opens } = writes;
      const session = opens === null ? found : new MemorySession(opens, parent);
      if (session !== null && opens !== null) sessions.push(session);
      if (session !== null) advanceSession(session, loaded.tree, evaluation, verdict);
      counters.write(evaluation, session, verdict.counterWrites);
      if (letsThrough(verdict.enforcementAction)) actions.set(evaluation.id, { hasResult: false });
      if (evaluation.resultOf !== null) actions.set(evaluation.resultOf, { hasResult: true });
      keepReviews(evaluation, verdict, session);
      return result;
    },

    sessionNamed,

    decideReview(id, status, at) {
      const review = reviews.get(id);
      if (!review || !isPendingAt(at)(review)) return false;
      // An approval may be used for as long again as the review could wait.
      const expiresAt = status === 'APPROVED' ? at + review.expirySeconds * 1_000 : review.expiresAt;
      reviews.set(id, { ...review, status, expiresAt, decidedAt: at });
      if (status === 'REJECTED') countRejection(review, at);
      decideGrants(review, status === 'APPROVED', at);
      return true;
    },
  };
}

function advanceSession(
  session: MemorySession,
  tree: TreeCounts | null,
  evaluation: NewEvaluation,
  verdict: Verdict,
): void {
  advance(session, evaluation, verdict);
  if (tree !== null) countEvaluation(tree, evaluation, verdict);
  session.root.treeCounts = tree;
  const { writes: seen, isFull } = verdict.sightings;
  for (const { digest, sightings } of seen) session.sightings.set(digest, sightings);
  session.sightingsFull ||= isFull;
  gatherLate(session, evaluation.at);
}
