import { EventEmitter } from 'node:events';
import { AppError } from '../../errors.ts';
import { parseForWriting } from '../../json/parse.ts';
import { type RejectionCount, rejectionWrites } from '../../policy/counters/count.ts';
import type { JsonObject } from '../../schemas/values.ts';
import { type OperatorCaller, operatorsOfPerson, personOf } from '../../services/access/authentication.ts';
import { ownRequest } from '../../services/access/permissions.ts';
import { createTurns } from '../../services/fairness.ts';
import {
  entryBytes,
  fitEntry,
  type Listed,
  type ResponsePage,
  responsePage,
} from '../../services/list-entries.ts';
import { foundBy, notFoundBy } from '../../services/refusals.ts';
import { isoTime, isoTimeOrNull, parseTime } from '../../services/times.ts';
import type { PageRequest, ReviewDecision, ReviewFilter, Store, StoredReview } from '../../store/store.ts';
import { reviewEvent } from './events.ts';
import type { ApprovalRefusal, Review } from './schema.ts';

/** Who reads one review. */
interface Reader {
  /** Null reads any integration's: an operator's right. */
  integrationId: string | null;
  /** Whether they may decide it, and so see what is to be approved; everyone else sees what is kept. */
  decides: boolean;
}

/** In a list, what an entry leaves out to fit in its page. */
const emptyReview = {
  input: null,
  targetMetadata: null,
  violations: [],
  dataTags: [],
  tool: null,
  targetKey: null,
  correlationId: null,
  comment: null,
  callback: null,
} satisfies Partial<Review>;

/** In the form of the Standard Webhooks specification: a type, a time, and the data. It carries no content. */
export function callbackBody(review: StoredReview, at: number): string {
  return JSON.stringify({
    type: review.status === 'CANCELLED' ? 'review.cancelled' : 'review.decided',
    timestamp: isoTime(at),
    data: {
      reviewRequestId: review.id,
      status: review.status,
      comment: review.comment,
      decidedAt: isoTimeOrNull(review.decidedAt),
      expiresAt: isoTime(review.expiresAt),
      evaluationRunId: review.evaluationRunId,
      sessionId: review.sessionId,
      correlationId: review.correlationId,
    },
  });
}

/** As this reader may see it. */
function responseTo({ integrationId, decides }: Reader, review: StoredReview): Review {
  const { whole, input, targetKey, targetMetadata } = review;
  if (whole === null) return shown(review);
  if (decides) return shown({ ...review, ...whole });
  if (integrationId !== null || !whole.isMasked) return shown(review);
  return shown({
    ...review,
    input: input && whole.input,
    targetKey: targetKey && whole.targetKey,
    targetMetadata: targetMetadata && whole.targetMetadata,
  });
}

const parsed = (text: string | null): JsonObject | null =>
  text === null ? null : (parseForWriting(text) as JsonObject);

const decidedBy = ({ decidedBy: id, decidedByName }: StoredReview): Review['decidedBy'] =>
  id === null ? null : personOf(id, decidedByName);

/** As an operator reads it. */
const shown = (review: StoredReview): Review => ({
  id: review.id,
  status: review.status,
  integrationId: review.integrationId,
  sessionId: review.sessionId,
  evaluationRunId: review.evaluationRunId,
  tool: review.tool || null,
  targetKey: review.targetKey,
  targetMetadata: parsed(review.targetMetadata),
  correlationId: review.correlationId,
  cost: review.cost,
  identity: review.identity,
  severity: review.severity,
  violations: review.violations,
  dataTags: review.dataTags,
  input: parsed(review.input),
  requires: review.terms.requires.map(({ quorum, from }) => ({ quorum, from: [...from] })),
  notRequester: review.terms.notRequester,
  grants: review.grants.map(({ id, policyId, ruleId, same, seconds, uses, usedCount, expiresAt }) => ({
    id,
    policyId,
    ruleId,
    same: same && [...same],
    seconds,
    uses,
    usedCount,
    expiresAt: isoTimeOrNull(expiresAt),
  })),
  approvals: review.approvals.map((approval) => ({
    by: personOf(approval.operatorId, approval.operatorName),
    comment: approval.comment,
    at: isoTime(approval.createdAt),
  })),
  decidedBy: decidedBy(review),
  comment: review.comment,
  reason: review.reason as Review['reason'],
  assignee: review.assignee === null ? null : personOf(review.assignee, review.assigneeName),
  assignedAt: isoTimeOrNull(review.assignedAt),
  createdAt: isoTime(review.createdAt),
  expiresAt: isoTime(review.expiresAt),
  decidedAt: isoTimeOrNull(review.decidedAt),
  consumedAt: isoTimeOrNull(review.consumedAt),
  callback: callbackResponse(review),
});

function callbackResponse({ callbackUrl: url, callback }: StoredReview): Review['callback'] {
  if (url === null) return null;
  return {
    status: callbackStatus(callback),
    url,
    attemptCount: callback?.attemptCount ?? 0,
    nextAttemptAt: isoTimeOrNull(callback?.nextAttemptAt ?? null),
    deliveredAt: isoTimeOrNull(callback?.deliveredAt ?? null),
    lastError: callback?.lastError ?? null,
  };
}

function callbackStatus(callback: StoredReview['callback']): 'WAITING' | 'PENDING' | 'DELIVERED' | 'FAILED' {
  if (!callback) return 'WAITING';
  if (callback.deliveredAt !== null) return 'DELIVERED';
  return callback.nextAttemptAt === null ? 'FAILED' : 'PENDING';
}

export interface Reviews {
  read(reader: Reader, id: string): Promise<Review>;
  /** Returns at once when the review is decided; else as soon as it is, or as it stands after `waitMs`. */
  await(reader: Reader, id: string, waitMs: number, signal: AbortSignal): Promise<Review>;
  list(query: ReviewQuery, page: PageRequest): Promise<ResponsePage<Listed<Review>>>;
  decide(caller: Pick<OperatorCaller, 'operator'>, id: string, decision: Decision): Promise<Review>;
  /** Why this operator's approval of the review would be refused; null when it would count, or the review is not PENDING. */
  approvalRefusal(caller: Pick<OperatorCaller, 'operator'>, id: string): Promise<ApprovalRefusal>;
  /** Lets everyone who waits go, with the review as it stands. */
  stopWaiting(): void;
  /** As an operator reads it. */
  show(review: StoredReview): Review;
  /** Why a review that is not PENDING cannot be changed. */
  alreadyDecided(review: StoredReview): AppError;
}

/** Times as they were sent. */
interface ReviewQuery extends Omit<ReviewFilter, 'from' | 'to'> {
  from?: string;
  to?: string;
}

export type Decision = Omit<ReviewDecision, 'now' | 'decidedBy' | 'fourEyes' | 'groups' | 'requester'>;

/** Another process on the same data decides too, and cannot call this one: waiting looks this often, in milliseconds. */
const lookEveryMs = 1_000;
/** So many of those who wait look at once: however many there are, they leave the connections of the database to evaluations. */
const looksAtOnce = 2;

export function createReviews(deps: {
  store: Store;
  now: () => number;
  newId: () => string;
  onError: (error: unknown) => void;
  /** Told after a decision with a callback was kept. */
  callbackWaits: () => void;
  /** Whether who may have requested an action may not approve it. */
  fourEyes: boolean;
}): Reviews {
  const { store, now, newId, onError, callbackWaits, fourEyes } = deps;
  const inTurn = createTurns(looksAtOnce);
  const decided = new EventEmitter().setMaxListeners(0);
  const stopped = Symbol('stopped');
  let isStopped = false;

  async function read(integrationId: string | null, id: string): Promise<StoredReview> {
    const review = await store.reviews.find(integrationId, id, now());
    return foundBy(review, 'id', 'review');
  }

  async function decisionBy(
    operator: OperatorCaller['operator'],
    decision: Decision,
    at: number,
  ): Promise<ReviewDecision> {
    const requester = {
      operatorIds: await operatorsOfPerson(store, operator),
      entityId: operator.entityId,
    };
    return { ...decision, decidedBy: operator.id, groups: operator.groups, requester, fourEyes, now: at };
  }

  /** Not awaited: a read does not wait for the disk because of it. */
  function recordSeen({ decides }: Reader, { id, status, seenAt }: StoredReview): void {
    if (decides && status === 'PENDING' && seenAt === null) {
      store.reviewQueue.recordSeen(id, now()).catch(onError);
    }
  }

  /**
   * Resolves when the review is decided by this process, after `ms`, or when nobody waits any more. Not
   * `AbortSignal.any`: Node may collect the timeout in it before it fires (nodejs/node#57736).
   */
  function nextDecision(id: string, ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const go = () => {
        clearTimeout(timer);
        decided.removeListener(id, go).removeListener(stopped, go);
        signal.removeEventListener('abort', go);
        resolve();
      };
      const timer = setTimeout(go, ms);
      decided.on(id, go).on(stopped, go);
      signal.addEventListener('abort', go);
    });
  }

  return {
    async read(reader, id) {
      const review = await read(reader.integrationId, id);
      recordSeen(reader, review);
      return responseTo(reader, review);
    },

    async await(reader, id, waitMs, signal) {
      const { integrationId } = reader;
      let review = await read(integrationId, id);
      recordSeen(reader, review);
      const until = performance.now() + waitMs;
      while (review.status === 'PENDING' && !signal.aborted && !isStopped) {
        const leftMs = until - performance.now();
        if (leftMs <= 0) break;
        await nextDecision(review.id, Math.min(leftMs, lookEveryMs), signal);
        review = await inTurn(() => read(integrationId, id));
      }
      return responseTo(reader, review);
    },

    async list({ from, to, ...query }, page) {
      const filter: ReviewFilter = {
        ...query,
        ...(from !== undefined && { from: parseTime(from, '/from') }),
        ...(to !== undefined && { to: parseTime(to, '/to') }),
      };
      const most = entryBytes(page.size);
      return responsePage(
        await store.reviews.list(filter, page, now(), most),
        page,
        ({ omitted, ...review }) => fitEntry<Review>(shown(review), emptyReview, most, omitted),
      );
    },

    async approvalRefusal({ operator }, id) {
      const approval = await decisionBy(operator, { status: 'APPROVED', comment: null }, now());
      return await store.reviews.refusalOf(id, approval);
    },

    async decide({ operator }, id, decision) {
      const at = now();
      const result = await store.reviews.decide(
        id,
        await decisionBy(operator, decision, at),
        (review) => ({ id: newId(), body: callbackBody(review, at) }),
        {
          event(review) {
            const type = decision.status === 'APPROVED' ? 'review.approved' : 'review.rejected';
            return reviewEvent(type, review, { at, actor: { operator }, newId });
          },
          count: (counts, cells, at) => rejectionWrites(JSON.parse(counts) as RejectionCount[], cells, at),
        },
      );
      if (result === 'no_review') throw notFoundBy('id', 'review');
      if (result === 'other_evaluation') throw triedAgain();
      if (result === 'own_request') throw ownRequest();
      if (result === 'not_in_group') throw notInGroup(await read(null, id));
      if (result === 'already_approved') throw alreadyApproved();
      if ('notPending' in result) throw alreadyDecided(result.notPending);
      if (result.status !== 'PENDING') decided.emit(result.id);
      if (result.callback) callbackWaits();
      return shown(result);
    },

    show: shown,
    alreadyDecided,

    stopWaiting() {
      isStopped = true;
      decided.emit(stopped);
    },
  };
}

/** The error for the second of two who decide: it names the first. */
function alreadyDecided(review: StoredReview): AppError {
  if (review.status === 'CANCELLED')
    return new AppError('conflict', 'the review is CANCELLED: its session was over before anybody decided');
  const by = decidedBy(review);
  const at = isoTimeOrNull(review.decidedAt);
  const who = by === null ? '' : `: ${by.name} decided at ${at}`;
  return new AppError('conflict', `the review is ${review.status}${who}`);
}

const notInGroup = ({ terms }: StoredReview): AppError =>
  new AppError(
    'forbidden',
    `only operators of ${terms.requires.map(({ from }) => from.join(' or ')).join(', and of ')} can approve this`,
  );

const alreadyApproved = (): AppError =>
  new AppError('conflict', 'you have already approved it: another operator must approve it, too');

const triedAgain = (): AppError =>
  new AppError('conflict', 'the action was tried again since the review was read: read it again', {
    path: '/evaluationRunId',
  });
