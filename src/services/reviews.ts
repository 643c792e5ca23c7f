import { EventEmitter } from 'node:events';
import { AppError } from '../errors.ts';
import { type RejectionCount, rejectionWrites } from '../policy/index.ts';
import type { Review } from '../schemas/reviews.ts';
import type { PageRequest, ReviewDecision, ReviewFilter, Store, StoredReview } from '../store/store.ts';
import type { OperatorCaller } from './authentication.ts';
import { reviewEvent } from './events/review-events.ts';
import { createTurns } from './fairness.ts';
import { foundBy, notFoundBy } from './found.ts';
import { ownRequest } from './four-eyes.ts';
import { entryBytes, fitEntry, type Listed } from './list-entries.ts';
import { type ResponsePage, responsePage } from './pages.ts';
import { operatorsOfPerson } from './people.ts';
import { callbackBody, decidedBy, emptyReview, type Reader, responseTo, shown } from './review-responses.ts';
import { isoTimeOrNull, parseTime } from './times.ts';

export interface Reviews {
  read(reader: Reader, id: string): Promise<Review>;
  /** Returns at once when the review is decided; else as soon as it is, or as it stands after `waitMs`. */
  await(reader: Reader, id: string, waitMs: number, signal: AbortSignal): Promise<Review>;
  list(query: ReviewQuery, page: PageRequest): Promise<ResponsePage<Listed<Review>>>;
  decide(caller: Pick<OperatorCaller, 'operator'>, id: string, decision: Decision): Promise<Review>;
  /** Lets everyone who waits go, with the review as it stands. */
  stopWaiting(): void;
  /** As an operator reads it. */
  show(review: StoredReview): Review;
  /** Why a review that is not PENDING cannot be changed. */
  alreadyDecided(review: StoredReview): AppError;
}

/** Times as they were sent. */
export interface ReviewQuery extends Omit<ReviewFilter, 'from' | 'to'> {
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

    async decide({ operator }, id, decision) {
      const operatorIds = await operatorsOfPerson(store, operator);
      const requester = { operatorIds, entityId: operator.entityId };
      const at = now();
      const result = await store.reviews.decide(
        id,
        { ...decision, decidedBy: operator.id, groups: operator.groups, requester, fourEyes, now: at },
        (review) => ({ id: newId(), body: callbackBody(review, at) }),
        (review) => {
          const type = decision.status === 'APPROVED' ? 'review.approved' : 'review.rejected';
          return reviewEvent(type, review, { at, actor: { operator }, newId });
        },
        (counts, cells, at) => rejectionWrites(JSON.parse(counts) as RejectionCount[], cells, at),
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

/** Of two who decide, one wins, and the other is told who did. */
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
