import type { EndStatus, SessionStatus } from '../schemas/evaluation-sessions.ts';
import type { SessionAction } from '../schemas/session-context.ts';
import type { Idempotency, Lapsed } from './idempotency.ts';
import type { Page, PageRequest } from './pages.ts';

export interface NewSession {
  id: string;
  integrationId: string;
  entityId: string | null;
  externalSessionId: string;
  /** JSON text of an object, given back to the byte. */
  metadata: string;
  startedAt: number;
  expiresAt: number;
}

export interface StoredSession extends NewSession {
  /** As of the moment that was asked for: EXPIRED is derived from the clock, never written. */
  status: SessionStatus;
  endedAt: number | null;
  actionCount: number;
  warningCount: number;
  blockCount: number;
  reviewCount: number;
  /** In order of first sight. */
  dataTags: string[];
  /** What was let through, in order of first use. */
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

export interface SessionFilter {
  status?: SessionStatus;
  entityId?: string;
  externalSessionId?: string;
}

/**
 * A change under an idempotency key: made now, or made before with this answer, or refused because the key belongs to
 * another request or the answer no longer stands.
 */
export type Once<T> = T | { kind: 'replayed'; answer: string } | { kind: 'key_reused' } | Lapsed;

export interface SessionStore {
  /** `answer` is kept beside the idempotency key, if there is one. */
  create(
    session: NewSession,
    answer: string,
    idempotency: Idempotency | null,
  ): Promise<Once<{ kind: 'created' }>>;

  /** `integrationId` null finds any integration's: an operator's right. So do the lists. */
  find(integrationId: string | null, id: string, now: number): Promise<StoredSession | null>;
  /** The id of the session that an evaluation under this name would join; null when it would open one. */
  findNamed(integrationId: string, name: string, usedAfter: number, now: number): Promise<string | null>;
  /** Newest first. */
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
  ): Promise<{ session: StoredSession; recentActions: readonly SessionAction[] } | null>;

  /**
   * Ends the session if it is ACTIVE at `now`; of two racing ends one succeeds. `answer` must be pure: it makes the
   * answer that is kept beside the idempotency key.
   */
  end(
    integrationId: string,
    id: string,
    status: EndStatus,
    now: number,
    answer: (ended: StoredSession) => string,
    idempotency: Idempotency | null,
  ): Promise<
    Once<
      | { kind: 'ended'; answer: string }
      | { kind: 'no_session' }
      | { kind: 'not_active'; status: SessionStatus }
    >
  >;
}
