import { and, asc, eq, isNull } from 'drizzle-orm';
import { type CounterStore, scopeName } from '../../evaluate/counters/counters.ts';
import { scopeReadings } from '../../evaluate/counters/scope.ts';
import type { Idempotency, Idempotent } from '../../evaluate/idempotency.ts';
import type { OverQuota, Quotas } from '../../evaluate/quotas.ts';
import { findingsOf, type SessionProgress, statusAt } from '../../evaluate/session.ts';
import type { NewSession, ParentSession } from '../../evaluate/session-places.ts';
import type { OpenGrant } from '../../schemas/review-terms.ts';
import type { SessionAction } from '../../schemas/session-context.ts';
import { keyOf, uidOf } from '../../sql/hot-tables.ts';
import { all, type Db, first, type Sql, type Step } from '../../sql/steps.ts';
import type { Page, PageRequest } from '../../store/pages.ts';
import type { Requester, ReviewCancelling } from '../../store/reviews.ts';
import { parseList } from '../../store/rows.ts';
import type { NewEvent } from '../events/store.ts';
import type { EndStatus, SessionStatus } from './schema.ts';

export interface StoredSession extends NewSession {
  /** As of the moment that was asked for: EXPIRED is derived from the clock, never written. */
  status: SessionStatus;
  endedAt: number | null;
  actionCount: number;
  warningCount: number;
  blockCount: number;
  reviewCount: number;
  rejectionCount: number;
  /** In order of first sight. */
  dataTags: string[];
  /** That policies gave it, in order of first sight; without those in mode MONITOR. */
  labels: string[];
  /** Calls by tool that were let through, in order of first use. */
  toolCounts: ReadonlyMap<string, number>;
  /** Every evaluation of an action. */
  attemptCounts: ReadonlyMap<string, number>;
}

/** In a list: without the counts of its tools. */
export interface ListedSession extends Omit<StoredSession, 'toolCounts' | 'attemptCounts'> {
  /** The first 20 in order of first use. */
  toolsUsed: string[];
  toolsUsedTotal: number;
}

export interface FoundParent extends ParentSession {
  readonly status: SessionStatus;
  readonly entityId: string | null;
  readonly expiresAt: number;
  /** Ids of the integrations that its own lets have children of its sessions. */
  readonly delegatesTo: readonly string[];
}

export interface SessionFilter {
  status?: SessionStatus;
  entityId?: string;
  externalSessionId?: string;
  parentSessionId?: string;
}

/** Why no child is opened. */
export type ParentRefusal =
  | { kind: 'parent_not_active'; status: SessionStatus }
  | { kind: 'too_many_children' };

/** Where a look through the sessions that end when idle has come to. */
export interface IdleCursor {
  startedAt: number;
  /** The id of the session that was looked at last. */
  id: string;
}

/** How a session is ended. */
export interface SessionEnding {
  status: EndStatus;
  now: number;
  /** Makes the text that is stored with the idempotency key. It must be pure. */
  response: (ended: StoredSession) => string;
  idempotency?: Idempotency | null;
  /** The event of each session that ends, those below it included. */
  event?: (ended: StoredSession) => NewEvent;
  cancelling?: ReviewCancelling;
}

export interface SessionStore {
  /** `response` is stored with the idempotency key, if there is one. */
  create(
    session: NewSession,
    response: string,
    idempotency: Idempotency | null,
    more?: { event?: NewEvent; quotas?: Quotas },
  ): Promise<Idempotent<{ kind: 'created' } | ParentRefusal | OverQuota>>;

  /** A session of any integration, as its children need to know it; null when there is none. */
  findParent(id: string, now: number): Promise<FoundParent | null>;

  /** `integrationId` null finds any integration's: an operator's right. So do the lists. */
  find(integrationId: string | null, id: string, now: number): Promise<StoredSession | null>;
  /** The id of the session that an evaluation under this name would join; null when it would open one. */
  findNamed(integrationId: string, name: string, usedAfter: number, now: number): Promise<string | null>;
  /** Newest first. PostgreSQL counts `total` up to `mostCounted`. */
  list(
    integrationId: string | null,
    filter: SessionFilter,
    page: PageRequest,
    now: number,
  ): Promise<Page<ListedSession>>;
  /** The session with its last actions, at most 50, newest first; both of one moment. */
  findWithActions(
    integrationId: string | null,
    id: string,
    now: number,
  ): Promise<{
    session: StoredSession;
    recentActions: readonly SessionAction[];
    /** That its actions can use at `now`; none in a session that is not ACTIVE. */
    grants: readonly OpenGrant[];
  } | null>;

  /** Takes a grant back. False when the session has no such grant that can be used at `now`. */
  removeGrant(sessionId: string, grantId: string, now: number): Promise<boolean>;

  /**
   * Takes a label from a session of any integration, whatever its status. 'own_request': `notBy` may have requested an action in
   * this session, or in another one of its tree, whose actions see the label, too.
   */
  removeLabel(
    id: string,
    label: string,
    notBy?: Requester | null,
  ): Promise<'removed' | 'no_label' | 'own_request'>;

  /**
   * Ends the session if it is ACTIVE at `now`; of two racing ends one succeeds. In the same step its PENDING reviews are cancelled, and its approvals that
   * nobody used expire; so are those of the sessions below it, which end, too.
   */
  end(
    integrationId: string,
    id: string,
    ending: SessionEnding,
  ): Promise<
    Idempotent<
      | { kind: 'ended'; response: string }
      | { kind: 'no_session' }
      | { kind: 'not_active'; status: SessionStatus }
    >
  >;

  /**
   * Ends, as COMPLETED, sessions with `endsWhenIdle` that were opened and last evaluated at `idleSince` or before. Leaves those
   * that are still needed: with children, with a review that is PENDING or APPROVED, with a grant that can be used. A session in
   * which an evaluation is recorded meanwhile is not ended. Looks at a few sessions after `after`, the earliest opened first, and
   * returns where to go on; null when it has looked at all.
   */
  endIdle(
    of: { idleSince: number; now: number; after: IdleCursor | null },
    event: (ended: StoredSession) => NewEvent,
  ): Promise<IdleCursor | null>;
}

type Row = Pick<
  StoredSession,
  | 'id'
  | 'integrationId'
  | 'entityId'
  | 'externalSessionId'
  | 'metadata'
  | 'startedAt'
  | 'expiresAt'
  | 'endedAt'
>;

type Progress = Pick<
  SessionProgress,
  | 'status'
  | 'expiresAt'
  | 'place'
  | 'actionCount'
  | 'warningCount'
  | 'blockCount'
  | 'reviewCount'
  | 'rejectionCount'
  | 'dataTags'
  | 'labels'
  | 'toolCounts'
  | 'attemptCounts'
>;

/** A session as reads return it, from its row and from what evaluations change in it. */
export const storedSessionOf = (row: Row, progress: Progress, now: number): StoredSession => ({
  id: row.id,
  integrationId: row.integrationId,
  status: statusAt(progress, now),
  entityId: row.entityId,
  externalSessionId: row.externalSessionId,
  metadata: row.metadata,
  startedAt: row.startedAt,
  expiresAt: row.expiresAt,
  place: progress.place,
  endedAt: row.endedAt,
  actionCount: progress.actionCount,
  warningCount: progress.warningCount,
  blockCount: progress.blockCount,
  reviewCount: progress.reviewCount,
  rejectionCount: progress.rejectionCount,
  dataTags: [...progress.dataTags],
  labels: [...progress.labels],
  toolCounts: new Map(progress.toolCounts),
  attemptCounts: new Map(progress.attemptCounts),
});

type ActionColumn = Exclude<keyof SessionAction, 'severity' | 'at' | 'rules' | 'reasons'> | 'violations';

/** The columns of an action in `recentActions`. Content is left out, because a response shows up to fifty actions. */
export const recentActionColumns = <
  Table extends Record<ActionColumn | 'enforcedSeverity' | 'createdAt', unknown>,
>({
  seq,
  tool,
  targetKey,
  dataTags,
  enforcementAction,
  enforcedSeverity,
  violations,
  labels,
  repeats,
  createdAt,
}: Table): Pick<Table, ActionColumn> & { severity: Table['enforcedSeverity']; at: Table['createdAt'] } => ({
  ...{ seq, tool, targetKey, dataTags, enforcementAction, violations, labels, repeats },
  severity: enforcedSeverity,
  at: createdAt,
});

/** JSON lists; null for an empty one. */
type ActionLists = Record<'violations' | 'labels' | 'dataTags', string | null>;

export const toRecentAction = <Row extends ActionLists & { seq: number | null }>({
  violations,
  ...row
}: Row) => ({
  ...row,
  ...findingsOf(parseList(violations)),
  seq: row.seq ?? 0,
  labels: parseList<string>(row.labels),
  dataTags: parseList<string>(row.dataTags),
});

/** The counters as operators see them, for both databases. Evaluations read theirs in their own transaction. */
export function createCounterReads(sql: Sql): Pick<CounterStore, 'ofEntity' | 'ofSession'> {
  const { integrations } = sql.tables;
  const { counterScopes, counterSets, evaluationSessions, sessionStates } = sql.hot;

  /** The cells that the integration of a session keeps in one of its scopes. Null when that has no counters. */
  const ofScope = (db: Db, sessionId: string, scope: string) =>
    first(
      db
        .select({ set: counterSets.data, cells: counterScopes.data })
        .from(evaluationSessions)
        .innerJoin(counterSets, eq(counterSets.integrationId, evaluationSessions.integrationId))
        .leftJoin(
          counterScopes,
          and(
            eq(counterScopes.integrationId, evaluationSessions.integrationId),
            eq(counterScopes.scope, scope),
          ),
        )
        .where(eq(uidOf(evaluationSessions), sessionId)),
    );
  const ofSessionItself = (db: Db, sessionId: string) =>
    first(
      db
        .select({ set: counterSets.data, cells: sessionStates.counters })
        .from(evaluationSessions)
        .innerJoin(counterSets, eq(counterSets.integrationId, evaluationSessions.integrationId))
        .leftJoin(sessionStates, eq(sessionStates.sessionId, evaluationSessions.id))
        .where(eq(uidOf(evaluationSessions), sessionId)),
    );

  return {
    ofEntity: (id) =>
      sql.read(function* (db) {
        const rows = yield* all(
          db
            .select({ integrationId: integrations.id, set: counterSets.data, cells: counterScopes.data })
            .from(integrations)
            .innerJoin(counterSets, eq(counterSets.integrationId, keyOf(integrations)))
            // Its key begins with the integration.
            .crossJoin(counterScopes)
            .where(
              and(
                eq(counterScopes.integrationId, keyOf(integrations)),
                eq(counterScopes.scope, scopeName('entity', { entityId: id.toLowerCase(), rootId: '' })),
                isNull(integrations.deletedAt),
              ),
            )
            .orderBy(asc(integrations.createdAt), asc(integrations.id)),
        );
        return rows.map((row) => ({ integrationId: row.integrationId, ...scopeReadings(row) }));
      }),

    ofSession: (session) =>
      sql.read(function* (db) {
        const { id, rootId } = session;
        const shown = function* (
          row: ReturnType<typeof ofScope>,
        ): Step<ReturnType<typeof scopeReadings> | null> {
          const found = yield* row;
          return found && scopeReadings(found);
        };
        return {
          session: yield* shown(ofSessionItself(db, id)),
          tree: yield* shown(ofScope(db, rootId, scopeName('tree', session))),
          entity: yield* shown(ofScope(db, id, scopeName('entity', session))),
          integration: yield* shown(ofScope(db, id, scopeName('integration', session))),
        };
      }),
  };
}
