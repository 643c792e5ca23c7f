import { and, eq, gt, sql } from 'drizzle-orm';
import type { QueryConfig } from 'pg';
import type { BatchChains } from '../../evaluate/postgres/record-chains.ts';
import { inserting, WrittenRows } from '../../evaluate/postgres/rows.ts';
import type { SessionState } from '../../evaluate/postgres/session-state.ts';
import type { SessionStates } from '../../evaluate/postgres/session-states.ts';
import type { NewEvent } from '../../features/events/store.ts';
import { createReviewRows, type ReviewRow } from '../../features/reviews/store-reads.ts';
import { entryHash } from '../../record/entries.ts';
import { reviewEntry } from '../../record/review-entry.ts';
import { asSqlite, postgresDialect, runSteps } from '../../sql/postgres/sql.ts';
import { cancellationEntry, toStoredReview } from '../review-decisions.ts';
import type { ReviewCancelling } from '../reviews.ts';
import type { Db } from './database.ts';
import { reviews } from './tables.ts';

const rows = createReviewRows(postgresDialect);

/** Reviews that are PENDING at `now` in the tree of a session, which must be locked. */
export const pendingInTree = (db: Db, sessionId: string, now: number): Promise<ReviewRow[]> =>
  runSteps(
    rows.select(
      asSqlite(db),
      and(
        eq(reviews.status, 'PENDING'),
        gt(reviews.expiresAt, now),
        sql`${reviews.sessionId} IN (SELECT s.id FROM evaluation_sessions s WHERE s.id = ${sessionId}::uuid OR s.root_uid = (
          SELECT coalesce(root_uid, id) FROM evaluation_sessions WHERE id = ${sessionId}::uuid))`,
      ),
    ),
  );

/** The parts of a batch that a cancellation adds to. */
interface Cancelled {
  readonly chains: BatchChains;
  readonly events: NewEvent[];
  readonly sessions: SessionStates;
}

/** The reviews that a batch cancels because it ends their sessions. */
export class BatchCancellations {
  readonly #cancelled = new WrittenRows(
    'cancel reviews',
    { id: 'uuid' },
    (rows) => `UPDATE reviews r SET status = 'CANCELLED' FROM ${rows} WHERE r.id = rows.id`,
  );
  readonly #expired = new WrittenRows(
    'expire approvals',
    { session_id: 'uuid', at: 'bigint' },
    (rows) => `UPDATE reviews r SET expires_at = rows.at FROM ${rows}
      WHERE r.session_id = rows.session_id AND r.status = 'APPROVED' AND r.expires_at > rows.at`,
  );
  readonly #forgotten = new WrittenRows(
    'forget contents of reviews',
    { id: 'uuid' },
    (rows) => `DELETE FROM review_contents c USING ${rows} WHERE c.review_id = rows.id`,
  );
  readonly #emptied = new WrittenRows(
    'empty contents of reviews',
    { id: 'uuid' },
    (
      rows,
    ) => `UPDATE review_contents c SET input = NULL, target_key = NULL, target_metadata = NULL, rejection_counts = NULL,
      forget_at = NULL FROM ${rows} WHERE c.review_id = rows.id`,
  );
  readonly #callbacks = new WrittenRows(
    'insert callbacks',
    { id: 'uuid', review_id: 'uuid', body: 'text', attempt_count: 'int', next_attempt_at: 'bigint' },
    inserting('callbacks'),
  );
  readonly #entries = new WrittenRows(
    'insert record entries',
    {
      integration_id: 'uuid',
      session_id: 'uuid',
      kind: 'text',
      members: 'text',
      chain_seq: 'bigint',
      entry_hash: 'text',
    },
    inserting('record_entries'),
  );

  /** Nobody can decide what is PENDING in it, nor use what is APPROVED. `pending`: of its tree. */
  endSession(
    batch: Cancelled,
    session: SessionState,
    pending: readonly ReviewRow[],
    now: number,
    cancelling: ReviewCancelling | undefined,
  ): void {
    this.#expired.add({ session_id: session.id, at: now });
    for (const row of pending)
      if (row.sessionId === session.id) this.#cancel(batch, session, row, now, cancelling);
  }

  #cancel(
    { chains, events, sessions }: Cancelled,
    session: SessionState,
    row: ReviewRow,
    now: number,
    cancelling: ReviewCancelling | undefined,
  ): void {
    const cancelled = toStoredReview({ ...row, status: 'CANCELLED' }, now);
    const { id, callbackUrl } = cancelled;
    const { integrationId } = session.row;
    this.#cancelled.add({ id });
    const entry = cancellationEntry(cancelled, now);
    const link = chains.next(integrationId, session);
    const hash = entryHash(reviewEntry(link, entry));
    chains.add(link, hash, session);
    sessions.writes.change(session);
    this.#entries.add({
      integration_id: integrationId,
      session_id: session.id,
      kind: 'review',
      members: JSON.stringify(entry),
      chain_seq: link.seq,
      entry_hash: hash,
    });
    if (cancelling) events.push(cancelling.event(cancelled));
    if (!cancelling || callbackUrl === null) {
      this.#forgotten.add({ id });
      return;
    }
    this.#emptied.add({ id });
    const { id: callbackId, body } = cancelling.callback(cancelled);
    this.#callbacks.add({ id: callbackId, review_id: id, body, attempt_count: 0, next_attempt_at: now });
  }

  get statements(): (QueryConfig | null)[] {
    return [
      this.#cancelled.statement,
      this.#expired.statement,
      this.#forgotten.statement,
      this.#emptied.statement,
      this.#callbacks.statement,
      this.#entries.statement,
    ];
  }
}
