import type { NewEvent } from './events.ts';
import type { Page, PageRequest } from './pages.ts';
import type { StoredReview } from './reviews.ts';

export interface StoredReviewComment {
  id: string;
  /** The id of an operator. */
  author: string;
  /** Null for an id that no operator has. */
  authorName: string | null;
  text: string;
  createdAt: number;
}

/** Counts of the newest reviews of a time. Times are in milliseconds. */
export interface ReviewStats {
  /** How many reviews were looked at: at most `most`. */
  reviewCount: number;
  pendingCount: number;
  approvedCount: number;
  rejectedCount: number;
  /** Nobody decided before its session was over. */
  cancelledCount: number;
  /** Nobody decided in time. */
  expiredCount: number;
  /** Of these, those that no operator who may decide had read. */
  expiredUnseenCount: number;
  /** Each from the first hold to the decision, in no order. */
  decisionTimesMs: number[];
}

export type QueueEvent = (review: StoredReview) => NewEvent;
export type Queued = StoredReview | 'no_review' | { notPending: StoredReview } | { assignedTo: StoredReview };

/** What operators do with a PENDING review before they decide it. Each change is one step, with its event. */
export interface ReviewQueueStore {
  /** Refused when it is assigned to another operator; again by the same one changes nothing. */
  claim(id: string, operatorId: string, now: number, event: QueueEvent): Promise<Queued>;
  /** Refused when it is assigned to another operator, unless `anybodys`. */
  release(id: string, operatorId: string, anybodys: boolean, now: number, event: QueueEvent): Promise<Queued>;
  /** Of a review in any state. */
  comment(
    id: string,
    comment: { id: string; author: string; text: string; createdAt: number },
    event: QueueEvent,
  ): Promise<StoredReview | 'no_review'>;
  /** Oldest first; null when there is no such review. */
  listComments(id: string, page: PageRequest): Promise<Page<StoredReviewComment> | null>;
  /**
   * Puts off the expiry by `ms`, at most until `longestMs` after its first hold ('too_long') and the expiry of its session
   * ('outlasts_session'). It is announced anew.
   */
  extend(
    id: string,
    ms: number,
    longestMs: number,
    now: number,
    event: QueueEvent,
  ): Promise<Queued | 'too_long' | 'outlasts_session'>;
  /** Keeps when somebody who may decide it read it first. */
  recordSeen(id: string, now: number): Promise<void>;
  /**
   * Writes an event, once, for each PENDING review that expires within `withinMs`, or within half of its life where that is
   * shorter.
   */
  remindExpiring(now: number, withinMs: number, event: QueueEvent): Promise<void>;
  /** Of the newest `most` reviews that were opened from `from` on. `integrationId` null: of all. */
  stats(integrationId: string | null, from: number, now: number, most: number): Promise<ReviewStats>;
}
