import type { QueryConfig } from 'pg';
import { dayMs } from '../../schemas/durations.ts';
import type { GrantOffer, OpenGrant } from '../../schemas/review-terms.ts';
import { toOpenGrant } from '../../store/reviews.ts';
import type { Hold, NewEvaluation, NewReview, Rejection } from '../evaluation.ts';
import type { Loaded } from '../port.ts';
import type { TreeCounts } from '../session.ts';
import { rootIdOf } from '../session-places.ts';
import { inserting, Rows, WrittenRows } from './rows.ts';
import type { SessionState } from './session-state.ts';

type Named = NonNullable<Loaded['review']>;
type Status = Named['status'];
/** Nothing ends the rejection of an action outside of sessions: it holds as long as a session that names no expiry. */
const rejectedForMs = dayMs;
interface ActionReview {
  id: string;
  status: Status;
  expiresAt: number;
  expirySeconds: number;
  endsWithSession: boolean;
}
interface GrantRow extends Omit<OpenGrant, 'dataTags' | keyof GrantOffer> {
  id: string;
  offer: string;
  dataTags: string;
}

/** Reviews and grants, as far as the evaluations of a batch read and change them. */
export class HeldActions {
  readonly named = new Rows<Omit<Named, 'violations'> & { integrationId: string; violations: string | null }>(
    {
      name: 'named reviews',
      parts: 1,
      lock: 'SELECT 1 FROM reviews WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE',
      text: `SELECT r.id::text AS k0, r.id::text, r.status, r.expires_at AS "expiresAt", r.expiry_seconds AS "expirySeconds",
        r.ends_with_session AS "endsWithSession", r.integration_id::text AS "integrationId", r.session_id::text AS "sessionId", r.tool, r.input_hash AS "inputHash",
        e.violations, r.comment, r.decided_at AS "decidedAt"
      FROM reviews r JOIN evaluations e ON e.id = r.evaluation_id WHERE r.id = ANY($1::uuid[])`,
    },
  );
  /** PENDING ones of an action: its integration, session, tool and hash. The newest first. */
  readonly ofAction = new Rows<ActionReview>({
    name: 'reviews of actions',
    parts: 4,
    text: `SELECT k.integration_id::text AS k0, coalesce(k.session_id::text, '') AS k1, coalesce(k.tool, '') AS k2,
        coalesce(k.input_hash, '') AS k3, r.id::text, r.status, r.expires_at AS "expiresAt", r.expiry_seconds AS "expirySeconds",
        r.ends_with_session AS "endsWithSession"
      FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) AS k(integration_id, session_id, tool, input_hash)
      JOIN reviews r ON r.input_hash = coalesce(k.input_hash, '') AND r.integration_id = k.integration_id
        AND r.session_id IS NOT DISTINCT FROM k.session_id AND r.tool = coalesce(k.tool, '')
      WHERE r.status = 'PENDING' ORDER BY r.created_at DESC, r.id DESC`,
  });
  /** The rejections of an action: the root of its tree, its tool and content. The last one first. */
  readonly rejections = new Rows<Rejection>({
    name: 'rejections',
    parts: 3,
    text: `SELECT k.root_id::text AS k0, coalesce(k.tool, '') AS k1, k.rejection_hash AS k2, r.id::text AS "reviewRequestId", r.comment,
        r.decided_at AS "decidedAt"
      FROM unnest($1::uuid[], $2::text[], $3::text[]) AS k(root_id, tool, rejection_hash)
      JOIN reviews r ON r.rejection_hash = k.rejection_hash AND r.tool = coalesce(k.tool, '') AND r.status = 'REJECTED'
      JOIN evaluation_sessions s ON s.id = r.session_id AND coalesce(s.root_uid, s.id) = k.root_id
      ORDER BY r.decided_at DESC, r.id DESC`,
  });
  /** The same without a session, of an integration. */
  readonly rejectionsWithoutSession = new Rows<Rejection>({
    name: 'rejections without a session',
    parts: 3,
    text: `SELECT k.integration_id::text AS k0, coalesce(k.tool, '') AS k1, k.rejection_hash AS k2, r.id::text AS "reviewRequestId",
        r.comment, r.decided_at AS "decidedAt"
      FROM unnest($1::uuid[], $2::text[], $3::text[]) AS k(integration_id, tool, rejection_hash)
      JOIN reviews r ON r.rejection_hash = k.rejection_hash AND r.tool = coalesce(k.tool, '') AND r.status = 'REJECTED'
        AND r.integration_id = k.integration_id AND r.session_id IS NULL
      ORDER BY r.decided_at DESC, r.id DESC `,
  });
  /** The PENDING reviews of a tree, and when each expires. */
  readonly pendingOfTree = new Rows<{ expiresAt: number }>({
    name: 'pending reviews of trees',
    parts: 1,
    text: `SELECT coalesce(s.root_uid, s.id)::text AS k0, r.expires_at AS "expiresAt"
      FROM evaluation_sessions s JOIN reviews r ON r.session_id = s.id
      WHERE (s.id = ANY($1::uuid[]) OR s.root_uid = ANY($1::uuid[])) AND r.status = 'PENDING'`,
  });
  readonly grants = new Rows<GrantRow>({
    name: 'grants',
    parts: 1,
    text: `SELECT g.session_id::text AS k0, g.id::text, g.review_id::text AS "reviewRequestId", r.tool, g.offer,
        g.data_tags AS "dataTags", g.uses_left AS "usesLeft", g.expires_at AS "expiresAt"
      FROM grants g JOIN reviews r ON r.id = g.review_id
      WHERE g.session_id = ANY($1::uuid[]) AND g.closed_at IS NULL AND (g.uses_left IS NULL OR g.uses_left > 0)
      ORDER BY g.created_at, g.review_id, g.place`,
  });
  /** The reviews as this batch leaves them. */
  readonly #openedInTree = new Map<string, number>();
  readonly #opened = new Map<string, ActionReview>();
  readonly #statuses = new Map<string, Status>();
  readonly #uses = new Map<string, number>();
  readonly #inserts = new WrittenRows(
    'insert reviews',
    {
      id: 'uuid',
      integration_id: 'uuid',
      session_id: 'uuid',
      evaluation_id: 'uuid',
      tool: 'text',
      input_hash: 'text',
      rejection_hash: 'text',
      shown_tool: 'text',
      status: 'text',
      created_at: 'bigint',
      expires_at: 'bigint',
      expiry_seconds: 'int',
      ends_with_session: 'boolean',
      callback_url: 'text',
      terms: 'text',
      grants: 'text',
    },
    inserting('reviews'),
  );
  /** The last hold of each review. */
  readonly #holds = new Map<string, { hold: Hold; evaluationId: string }>();
  readonly #contents = new Map<string, Hold['content'] & Pick<Hold, 'rejectionCounts'>>();
  readonly #consumed = new Map<string, number>();
  readonly #grantUses = new WrittenRows(
    'insert grant uses',
    { evaluation_id: 'uuid', grant_id: 'uuid' },
    inserting('grant_uses'),
  );

  findNamed(integrationId: string, id: string): Loaded['review'] {
    const found = this.named.one(id);
    if (!found || found.integrationId !== integrationId) return null;
    const { integrationId: _, violations, ...named } = found;
    const status = this.#statuses.get(id) ?? named.status;
    return { ...named, status, violations: violations === null ? [] : JSON.parse(violations) };
  }

  /** The reviews and grants that an action has to do with. */
  load(
    session: SessionState | null,
    tree: TreeCounts | null,
    evaluation: NewEvaluation,
  ): Pick<Loaded, 'pending' | 'grants' | 'rejection'> {
    const { needs, session: asked } = evaluation;
    const rejection = this.#findRejection(session, tree, evaluation);
    // A session without a held action has no review. Held prompts are counted with all other records.
    const hasReviews = session ? session.reviewCount + session.otherCount > 0 : asked === null;
    if (!needs.pendingReview || !hasReviews) return { pending: null, grants: [], rejection };
    const pending =
      this.#opened.get(keyOf(session, evaluation)) ?? this.ofAction.one(...actionOf(session, evaluation));
    return {
      pending: pending ?? null,
      grants: session ? this.#openGrants(session.id) : [],
      rejection,
    };
  }
  /** Most sessions have no rejection: their actions are not hashed for one. */
  #findRejection(
    session: SessionState | null,
    tree: TreeCounts | null,
    evaluation: NewEvaluation,
  ): Rejection | null {
    const { needs, session: asked, tool, phase, rejectionHash, at, integrationId } = evaluation;
    if (phase === 'RESULT') return null;
    const own = session ?? (asked && 'open' in asked ? asked.open : null);
    if (own === null && asked === null) {
      if (!needs.pendingReview) return null;
      const found = this.rejectionsWithoutSession.one(integrationId, tool, rejectionHash());
      return found && found.decidedAt > at - rejectedForMs ? found : null;
    }
    if (own === null || ((tree ?? session)?.rejectionCount ?? 0) === 0) return null;
    return this.rejections.one(rootIdOf(own), tool, rejectionHash());
  }
  #openGrants(sessionId: string): OpenGrant[] {
    return this.grants.of(sessionId).flatMap((row) => {
      const usesLeft = row.usesLeft === null ? null : row.usesLeft - (this.#uses.get(row.id) ?? 0);
      return usesLeft === 0 ? [] : [toOpenGrant({ ...row, usesLeft })];
    });
  }

  /** Reviews that are PENDING in the tree of a session. */
  countPending(root: string, at: number): number {
    const before = this.pendingOfTree.of(root).filter(({ expiresAt }) => expiresAt > at).length;
    return before + (this.#openedInTree.get(root) ?? 0);
  }

  /** Whether this batch opened reviews in the tree, or holds one of these again: what was read of them before is out of date. */
  hasChanged(root: string, reviews: readonly { id: string }[]): boolean {
    return this.#openedInTree.has(root) || reviews.some(({ id }) => this.#contents.has(id));
  }

  open({ id, content, ...review }: NewReview, session: SessionState | null, evaluation: NewEvaluation): void {
    this.#inserts.add({
      id,
      integration_id: evaluation.integrationId,
      session_id: session?.id ?? null,
      evaluation_id: evaluation.id,
      tool: evaluation.tool,
      input_hash: review.inputHash,
      rejection_hash: review.rejectionHash,
      shown_tool: review.shownTool,
      status: 'PENDING',
      created_at: evaluation.at,
      expires_at: review.expiresAt,
      expiry_seconds: review.expirySeconds,
      ends_with_session: Boolean(review.endsWithSession),
      callback_url: review.callbackUrl,
      terms: JSON.stringify(review.terms),
      grants: offersText(review.grants),
    });
    if (session) this.#openedInTree.set(session.rootId, (this.#openedInTree.get(session.rootId) ?? 0) + 1);
    const { expiresAt, expirySeconds, endsWithSession } = review;
    this.#opened.set(keyOf(session, { ...evaluation, inputHash: () => review.inputHash }), {
      id,
      status: 'PENDING',
      expiresAt,
      expirySeconds,
      endsWithSession: Boolean(endsWithSession),
    });
    this.#contents.set(id, { ...content, rejectionCounts: review.rejectionCounts });
  }

  /** Makes a PENDING review show another evaluation of its action. */
  holdAgain(hold: Hold, evaluationId: string): void {
    // An earlier one of this batch may have named where to call.
    const callbackUrl = hold.callbackUrl ?? this.#holds.get(hold.id)?.hold.callbackUrl ?? null;
    this.#holds.set(hold.id, { hold: { ...hold, callbackUrl }, evaluationId });
    const before = this.#contents.get(hold.id)?.callbackUrl ?? null;
    const { content, rejectionCounts } = hold;
    this.#contents.set(hold.id, { ...content, rejectionCounts, callbackUrl: content.callbackUrl ?? before });
  }

  consume(id: string, at: number): void {
    this.#statuses.set(id, 'CONSUMED');
    this.#consumed.set(id, at);
  }

  use(grantIds: readonly string[], evaluationId: string): void {
    for (const id of grantIds) {
      this.#uses.set(id, (this.#uses.get(id) ?? 0) + 1);
      this.#grantUses.add({ evaluation_id: evaluationId, grant_id: id });
    }
  }

  /** In this order. */
  get statements(): (QueryConfig | null)[] {
    const holds = new WrittenRows('hold reviews again', holdTypes, holding);
    for (const [id, { hold, evaluationId }] of this.#holds)
      holds.add({
        id,
        evaluation_id: evaluationId,
        expires_at: hold.expiresAt,
        expiry_seconds: hold.expirySeconds,
        ends_with_session: Boolean(hold.endsWithSession),
        callback_url: hold.callbackUrl,
        terms: JSON.stringify(hold.terms),
        grants: offersText(hold.grants),
        shown_tool: hold.shownTool,
      });
    const contents = new WrittenRows('write review contents', contentTypes, writingContents);
    for (const [id, content] of this.#contents)
      contents.add({
        review_id: id,
        input: content.input,
        target_key: content.targetKey,
        target_metadata: content.targetMetadata,
        callback_url: content.callbackUrl,
        is_masked: content.isMasked,
        rejection_counts: content.rejectionCounts,
      });
    const consumed = new WrittenRows(
      'consume reviews',
      { id: 'uuid', at: 'bigint' },
      (rows) =>
        `UPDATE reviews r SET status = 'CONSUMED', consumed_at = rows.at FROM ${rows} WHERE r.id = rows.id`,
    );
    for (const [id, at] of this.#consumed) consumed.add({ id, at });
    const uses = new WrittenRows(
      'use grants',
      { id: 'uuid', count: 'int' },
      (rows) => `UPDATE grants g SET uses_left = g.uses_left - rows.count FROM ${rows} WHERE g.id = rows.id`,
    );
    for (const [id, count] of this.#uses) uses.add({ id, count });
    return [
      this.#inserts.statement,
      holds.statement,
      contents.statement,
      consumed.statement,
      uses.statement,
      this.#grantUses.statement,
    ];
  }
}

const offersText = (offers: Hold['grants']): string | null =>
  offers.length === 0 ? null : JSON.stringify(offers);

export const actionOf = (
  session: Pick<SessionState, 'id'> | null,
  { integrationId, tool, inputHash }: Pick<NewEvaluation, 'integrationId' | 'tool' | 'inputHash'>,
) => [integrationId, session?.id ?? '', tool, inputHash()] as const;
const keyOf = (...of: Parameters<typeof actionOf>): string => JSON.stringify(actionOf(...of));

// The rows written when a review holds an action again, and the content of the action that is kept.

/** Columns of a hold. */
const holdTypes = {
  id: 'uuid',
  evaluation_id: 'uuid',
  expires_at: 'bigint',
  expiry_seconds: 'int',
  ends_with_session: 'boolean',
  callback_url: 'text',
  terms: 'text',
  grants: 'text',
  shown_tool: 'text',
} as const;
/** An operator who put the expiry off has the time that they wanted, however often the agent tries again. */
const holding = (rows: string): string => `UPDATE reviews r SET evaluation_id = rows.evaluation_id,
    (expires_at, ends_with_session) = (SELECT CASE WHEN e.is THEN r.expires_at ELSE rows.expires_at END,
        CASE WHEN e.is THEN r.ends_with_session ELSE rows.ends_with_session END
      FROM (SELECT EXISTS (SELECT 1 FROM review_handling h WHERE h.review_id = r.id AND h.extended_at IS NOT NULL) AS is) AS e),
    expiry_seconds = rows.expiry_seconds, callback_url = coalesce(rows.callback_url, r.callback_url), terms = rows.terms,
    grants = rows.grants, shown_tool = rows.shown_tool
  FROM ${rows} WHERE r.id = rows.id`;

const contentTypes = {
  review_id: 'uuid',
  input: 'text',
  target_key: 'text',
  target_metadata: 'text',
  callback_url: 'text',
  is_masked: 'boolean',
  rejection_counts: 'text',
} as const;
/** It is forgotten when the review expires, which an operator may have put off. */
const writingContents = (rows: string): string => `INSERT INTO review_contents AS c
    (review_id, input, target_key, target_metadata, callback_url, is_masked, rejection_counts, forget_at)
  SELECT rows.review_id, rows.input, rows.target_key, rows.target_metadata, rows.callback_url, rows.is_masked,
    rows.rejection_counts, r.expires_at
  FROM ${rows} JOIN reviews r ON r.id = rows.review_id
  ON CONFLICT (review_id) DO UPDATE SET input = excluded.input, target_key = excluded.target_key,
    target_metadata = excluded.target_metadata, forget_at = excluded.forget_at,
    is_masked = excluded.is_masked, rejection_counts = excluded.rejection_counts,
    callback_url = coalesce(excluded.callback_url, c.callback_url)`;
