import { AppError } from '../../errors.ts';
import {
  type IdempotencyKey,
  idempotencyAt,
  replayedResponse,
  requestedBy,
  unlessRefused,
} from '../../evaluate/idempotency.ts';
import type { DecidingPoliciesSource } from '../../evaluate/in-force.ts';
import { quotaExceeded } from '../../evaluate/quotas.ts';
import {
  checkMetadata,
  entityOfNew,
  findParent,
  notActive,
  type ParentOfNew,
  parentRefused,
  type SessionOpener,
  underParent,
} from '../../evaluate/session-choice.ts';
import { rootIdOf } from '../../evaluate/session-places.ts';
import { counterScopes } from '../../schemas/counter-cells.ts';
import { minuteMs } from '../../schemas/durations.ts';
import type { OpenGrant, SessionGrant } from '../../schemas/review-terms.ts';
import { type OperatorCaller, operatorsOfPerson } from '../../services/access/authentication.ts';
import { ownRequest } from '../../services/access/permissions.ts';
import type { Clock } from '../../services/clock.ts';
import { counterReadings } from '../../services/counter-readings.ts';
import type { Identities } from '../../services/identities/identities.ts';
import { entryBytes, type ResponsePage, widestFields } from '../../services/list-entries.ts';
import { notFoundBy } from '../../services/refusals.ts';
import { createSteppedSweeper, type Sweeper } from '../../services/sweeper.ts';
import { isoTime, isoTimeOrNull, parseTime } from '../../services/times.ts';
import type {
  IdleCursor,
  ListedSession,
  NewSession,
  PageRequest,
  SessionAction,
  SessionFilter,
  Store,
  StoredIntegration,
  StoredSession,
} from '../../store/store.ts';
import { reviewCancelling } from '../reviews/expiry.ts';
import { sessionEnded, sessionOpened } from './events.ts';
import type {
  CreatedEvaluationSession,
  CreateEvaluationSession,
  EndedEvaluationSession,
  EndStatus,
  EvaluationSession,
  RecentAction,
  SessionCounter,
} from './schema.ts';

interface SessionLimits {
  /** Life of a session that asks for none, and the longest that may be asked for; milliseconds. */
  defaultLifeMs: number;
  longestLifeMs: number;
}

/**
 * The answer to a request, and the same as JSON text, which is what must be sent: parts of it are the caller's own text, to the
 * byte. `replayed`: it was kept from an earlier request.
 */
export interface ServiceResponse<Data> {
  readonly data: Data;
  text: string;
  replayed: boolean;
}

/** `metadata` is in the text alone: an object would lose the order of its keys. */
type WithoutMetadata<Session> = Omit<Session, 'metadata'>;

export interface EvaluationSessions extends SessionOpener {
  /** `metadata` is the JSON text as it was sent, because it is given back as given, key order included. */
  create(
    integration: Pick<StoredIntegration, 'id' | 'settings'>,
    request: CreateEvaluationSession,
    metadata: string | null,
    idempotencyKey: IdempotencyKey | null,
    /** `endsWhenIdle`: see `NewSession`; default false. `identityToken`: JSON Web Token of who acts; default none. */
    options?: { endsWhenIdle?: boolean; identityToken?: string | null },
  ): Promise<ServiceResponse<WithoutMetadata<CreatedEvaluationSession>>>;
  /** `integrationId` null ends any integration's: an operator's right. */
  end(
    integrationId: string | null,
    id: string,
    status: EndStatus,
    idempotencyKey: IdempotencyKey | null,
  ): Promise<ServiceResponse<EndedEvaluationSession>>;
  /** `integrationId` null reads any integration's: an operator's right. `text` as in `ServiceResponse`. */
  read(
    integrationId: string | null,
    id: string,
  ): Promise<{ data: WithoutMetadata<EvaluationSession>; text: string }>;
  list(integrationId: string | null, filter: SessionFilter, page: PageRequest): Promise<ResponsePage<string>>;
  /** An operator's right; the session may be of any integration. Under four-eyes control, not who may have requested its actions. */
  removeLabel(
    caller: Pick<OperatorCaller, 'operator'>,
    id: string,
    label: string,
  ): Promise<{ data: WithoutMetadata<EvaluationSession>; text: string }>;
  /** Removes a grant: no action can use it from then on. */
  removeGrant(
    id: string,
    grantId: string,
  ): Promise<{ data: WithoutMetadata<EvaluationSession>; text: string }>;
  /** The id of the live session of this name, if there is one. */
  findNamed(integrationId: string, name: string): Promise<string | null>;
  /** Whether evaluations can be added; false for one that is not this integration's. */
  isActive(integrationId: string, id: string): Promise<boolean>;
}

export function createEvaluationSessions(deps: {
  store: Store;
  now: () => number;
  newId: () => string;
  identities: Identities;
  deciding: Pick<DecidingPoliciesSource, 'find'>;
  limits: SessionLimits;
  /** How long idempotency keys are remembered; 0 turns them off. */
  idempotencyMs: number;
  /** Told after a callback was kept. */
  callbackWaits: () => void;
  /** Whether who may have requested an action may not take away the label that holds it. */
  fourEyes: boolean;
}): EvaluationSessions {
  const { store, now, newId, identities, deciding, limits, idempotencyMs, callbackWaits, fourEyes } = deps;

  function open(
    integrationId: string,
    request: CreateEvaluationSession,
    metadata: string,
    parent: ParentOfNew | null,
  ): NewSession {
    const id = newId();
    const startedAt = now();
    const session: NewSession = {
      id,
      integrationId,
      entityId: request.entityId?.toLowerCase() ?? null,
      externalSessionId: request.externalSessionId ?? id,
      metadata,
      startedAt,
      expiresAt: expiryOf(request.expiresAt, startedAt, limits),
      place: null,
    };
    return underParent(session, parent, request.expiresAt !== undefined);
  }

  async function countersOf(session: StoredSession): Promise<SessionCounter[]> {
    const inForce = await deciding.find(session.integrationId);
    if (!inForce?.policies.some(({ counters }) => counters.length > 0)) return [];
    const { id, entityId } = session;
    const cells = await store.counters.ofSession({ id, entityId, rootId: rootIdOf(session) });
    return counterScopes.flatMap((over) =>
      counterReadings(inForce, over, cells[over], now()).map((reading) => ({ over, ...reading })),
    );
  }

  async function read(...[integrationId, id]: Parameters<EvaluationSessions['read']>) {
    const found = await store.sessions.findWithActions(integrationId, id, now());
    if (!found) throw notFoundBy('sessionId', 'evaluation session');
    const { session, recentActions, grants } = found;
    const data = {
      ...readResponse(session),
      grants: grants.map(grantResponse),
      recentActions: recentActions.map(actionResponse),
      ...(integrationId === null && { counters: await countersOf(session) }),
    };
    return { data, text: withMetadata(data, session.metadata) };
  }

  return {
    async create(
      { id: integrationId, settings },
      asked,
      metadata,
      idempotencyKey,
      { endsWhenIdle = false, identityToken = null } = {},
    ) {
      if (metadata !== null) checkMetadata(metadata);
      const proven = await identities.verify(settings.identity, identityToken, now());
      if (proven && 'refused' in proven) throw new AppError('forbidden', proven.message);
      const provenEntityId = proven?.entityId ?? null;
      const entityId = entityOfNew(asked, provenEntityId);
      const request = entityId === null ? asked : { ...asked, entityId };
      const parent = await findParent(store, integrationId, request, now());
      const session = { ...open(integrationId, request, metadata ?? '{}', parent), endsWhenIdle };
      const data = createdResponse(session);
      const text = withMetadata(data, session.metadata);
      const result = unlessRefused(
        await store.sessions.create(
          session,
          text,
          idempotencyAt(
            idempotencyKey && requestedBy(idempotencyKey, provenEntityId),
            session.startedAt,
            idempotencyMs,
          ),
          { event: sessionOpened(session, newId), quotas: settings },
        ),
      );
      if (result.kind === 'parent_not_active' || result.kind === 'too_many_children')
        throw parentRefused(result);
      if (result.kind === 'over_quota') throw quotaExceeded(result, session.startedAt);
      return result.kind === 'replayed' ? replayedResponse(result.response) : { data, text, replayed: false };
    },

    async end(integrationId, id, status, idempotencyKey) {
      const at = now();
      const owner = integrationId ?? (await store.sessions.find(null, id, at))?.integrationId;
      if (owner === undefined) throw notFoundBy('sessionId', 'evaluation session');
      const cancelling = reviewCancelling(at, newId);
      let data: EndedEvaluationSession | undefined;
      const response = (ended: StoredSession): string => {
        data = endedResponse(ended);
        return JSON.stringify(data);
      };
      const result = unlessRefused(
        await store.sessions.end(owner, id, {
          status,
          now: at,
          response,
          idempotency: idempotencyAt(idempotencyKey, at, idempotencyMs),
          event: (ended) => sessionEnded(ended, at, newId),
          cancelling,
        }),
      );
      if (cancelling.hasCallbacks) callbackWaits();
      if (result.kind === 'no_session') throw notFoundBy('sessionId', 'evaluation session');
      if (result.kind === 'not_active') throw notActive(result.status);
      if (result.kind === 'replayed' || !data) return replayedResponse(result.response);
      return { data, text: result.response, replayed: false };
    },

    read,

    async list(integrationId, filter, page) {
      const { items, total } = await store.sessions.list(integrationId, filter, page, now());
      return {
        data: items.map((session) => listedText(session, entryBytes(page.size))),
        pagination: { total, ...page },
      };
    },

    async removeGrant(id, grantId) {
      if (await store.sessions.removeGrant(id, grantId, now())) return read(null, id);
      const message = 'there is no evaluation session with this sessionId that has this grant';
      throw new AppError('not_found', message, { path: '/grantId' });
    },

    async removeLabel({ operator }, id, label) {
      const notBy = fourEyes
        ? { operatorIds: await operatorsOfPerson(store, operator), entityId: operator.entityId }
        : null;
      const result = await store.sessions.removeLabel(id, label, notBy);
      if (result === 'removed') return read(null, id);
      if (result === 'own_request') throw ownRequest();
      const message = 'there is no evaluation session with this sessionId that carries the label';
      throw new AppError('not_found', message, { path: '/label' });
    },

    prepare: (integrationId, { request, metadata }, parent) => open(integrationId, request, metadata, parent),

    prepareNamed: (integrationId, name, entityId) => ({
      name,
      usedAfter: now() - idleMs,
      open: {
        ...open(
          integrationId,
          { externalSessionId: name, ...(entityId !== null && { entityId }) },
          '{}',
          null,
        ),
        endsWhenIdle: true,
      },
    }),

    findNamed: (integrationId, name) => store.sessions.findNamed(integrationId, name, now() - idleMs, now()),

    async isActive(integrationId, id) {
      const session = await store.sessions.find(integrationId, id, now());
      return session?.status === 'ACTIVE';
    },
  };
}

function expiryOf(asked: string | undefined, startedAt: number, limits: SessionLimits): number {
  if (asked === undefined) return startedAt + limits.defaultLifeMs;
  const path = '/expiresAt';
  const at = parseTime(asked, path);
  if (at <= startedAt) throw new AppError('invalid', 'must be in the future', { path });
  if (at - startedAt > limits.longestLifeMs) {
    const latest = isoTime(startedAt + limits.longestLifeMs);
    throw new AppError('invalid', `must not be after ${latest}, the maximum lifetime of a session`, { path });
  }
  return at;
}

/** Ends the sessions that the service opened for MCP clients and that are out of use; none while the clock is in doubt. */
export type IdleSessions = Sweeper;

/** How long such a session is kept without an evaluation; milliseconds. */
const idleMs = 30 * minuteMs;
const lookEveryMs = minuteMs;

export function createIdleSessions(deps: {
  store: Store;
  clock: Pick<Clock, 'now' | 'isHeld'>;
  newId: () => string;
  onError: (error: unknown) => void;
}): IdleSessions {
  const { store, clock, newId, onError } = deps;
  return createSteppedSweeper({ begin, clock, everyMs: lookEveryMs, onError });

  function begin(): () => Promise<boolean> {
    let after: IdleCursor | null = null;
    return async () => {
      const now = clock.now();
      after = await store.sessions.endIdle({ idleSince: now - idleMs, now, after }, (ended) =>
        sessionEnded(ended, now, newId),
      );
      return after !== null;
    };
  }
}

/** Responses carry `metadata` as the very text that was sent: a parsed object would lose the order of keys like "10". */
const withMetadata = (response: object, metadata: string): string =>
  `${JSON.stringify(response).slice(0, -1)},"metadata":${metadata}}`;

const createdResponse = (session: NewSession): Omit<CreatedEvaluationSession, 'metadata'> => ({
  id: session.id,
  status: 'ACTIVE',
  entityId: session.entityId,
  externalSessionId: session.externalSessionId,
  parentSessionId: session.place?.parentId ?? null,
  rootSessionId: rootIdOf(session),
  depth: session.place?.depth ?? 0,
  previousSessionId: session.place?.previousId ?? null,
  startedAt: isoTime(session.startedAt),
  expiresAt: isoTime(session.expiresAt),
});

const countersOf = (session: StoredSession) => ({
  actionCount: session.actionCount,
  dataTags: session.dataTags,
  toolsUsed: [...session.toolCounts.keys()],
});

const endedResponse = (session: StoredSession): EndedEvaluationSession => ({
  id: session.id,
  status: session.status,
  endedAt: isoTime(session.endedAt ?? 0),
  ...countersOf(session),
});

const commonResponse = (session: StoredSession | ListedSession) => ({
  ...createdResponse(session),
  integrationId: session.integrationId,
  status: session.status,
  endedAt: isoTimeOrNull(session.endedAt),
  actionCount: session.actionCount,
  dataTags: session.dataTags,
  labels: session.labels,
  warningCount: session.warningCount,
  blockCount: session.blockCount,
  reviewCount: session.reviewCount,
  rejectionCount: session.rejectionCount,
});

const readResponse = (session: StoredSession) => ({
  ...commonResponse(session),
  toolsUsed: [...session.toolCounts.keys()],
  toolCounts: Object.fromEntries(session.toolCounts),
  attemptCounts: Object.fromEntries(session.attemptCounts),
});

/** Long names of tools give way first: their number says that there are more. */
function listedText(session: ListedSession, most: number): string {
  const { toolsUsedTotal, metadata } = session;
  const response = { ...commonResponse(session), toolsUsed: session.toolsUsed, toolsUsedTotal };
  const widthOf = (text: string): number => Buffer.byteLength(text);
  const text = withMetadata(response, metadata);
  if (widthOf(text) <= most) return text;
  const withoutTools = widthOf(withMetadata({ ...response, toolsUsed: [] }, metadata));
  response.toolsUsed = firstThatFit(session.toolsUsed, most - withoutTools);
  const widths = { metadata: widthOf(metadata), dataTags: widthOf(JSON.stringify(response.dataTags)) };
  const omitted = widestFields(widths, widthOf(withMetadata(response, metadata)), most);
  if (omitted.length === 0) return withMetadata(response, metadata);
  const dataTags = omitted.includes('dataTags') ? [] : response.dataTags;
  return withMetadata({ ...response, dataTags, omitted }, omitted.includes('metadata') ? '{}' : metadata);
}

function firstThatFit(names: readonly string[], most: number): string[] {
  let left = most;
  const end = names.findIndex((name) => {
    left -= Buffer.byteLength(JSON.stringify(name)) + 1;
    return left < 0;
  });
  return end === -1 ? [...names] : names.slice(0, end);
}

const grantResponse = (grant: OpenGrant): SessionGrant => ({
  id: grant.id,
  reviewRequestId: grant.reviewRequestId,
  policyId: grant.policyId,
  ruleId: grant.ruleId,
  tool: grant.tool || null,
  usesLeft: grant.usesLeft,
  expiresAt: isoTimeOrNull(grant.expiresAt),
});

const actionResponse = (action: SessionAction): RecentAction => ({
  ...action,
  dataTags: [...action.dataTags],
  rules: [...action.rules],
  reasons: [...action.reasons],
  labels: [...action.labels],
  tool: action.tool || null,
  at: isoTime(action.at),
});
