import type { Awaitable } from '../awaitable.ts';
import { AppError } from '../errors.ts';
import type { StoredIntegration } from '../features/integrations/store.ts';
import type { CreateEvaluationSession } from '../features/sessions/schema.ts';
import type { FoundParent, ParentRefusal } from '../features/sessions/store.ts';
import { metadataLimits } from '../features/sessions/words.ts';
import { memberText } from '../json/member-text.ts';
import type { EvaluateRequest } from '../schemas/evaluations.ts';
import { notFoundBy } from '../services/refusals.ts';
import type { Store } from '../store/store.ts';
import type { NamedSession, NewEvaluation } from './evaluation.ts';
import {
  deepestSession,
  type NewSession,
  type ParentSession,
  placeUnder,
  rootIdOf,
  type SessionPlace,
} from './session-places.ts';

export const notActive = (status: string, path?: string): AppError =>
  new AppError('conflict', `the session is ${status}`, path === undefined ? {} : { path });

/** Makes the session that an evaluation opens. */
export interface SessionOpener {
  /** `metadata` is JSON text that passed `checkMetadata`. */
  prepare(
    integrationId: string,
    of: { request: CreateEvaluationSession; metadata: string },
    parent: ParentOfNew | null,
  ): NewSession;
  /** The session that evaluations under this name share: the live one, or one to open. */
  prepareNamed(integrationId: string, name: string, entityId: string | null): NamedSession;
}

/**
 * The session that an evaluation belongs to, unless it is that of a RESULT's action. `mcpName`: the session that MCP
 * calls share when they name none. `text`: the request as JSON.
 */
export function chooseSession(
  integration: StoredIntegration,
  request: EvaluateRequest,
  {
    mcpName,
    text,
    parent,
    provenEntityId,
  }: {
    mcpName: string | undefined;
    text: string;
    parent: ParentOfNew | null;
    /** The entity of the identity that the request proves; null for none. */
    provenEntityId: string | null;
  },
  sessions: SessionOpener,
): NewEvaluation['session'] {
  const { sessionId, externalSessionId } = request;
  const entityId = entityOfNew(request, provenEntityId);
  if (sessionId !== undefined) {
    refuse(request, ['externalSessionId'], 'the session is named twice: leave out this or sessionId');
    refuse(request, ofNewSession, 'belongs to a new session, and sessionId names one that exists');
    return { id: sessionId.toLowerCase() };
  }
  if (externalSessionId !== undefined) {
    const open = sessions.prepare(integration.id, newSessionOf(request, text, entityId), parent);
    return { externalSessionId, entityId: open.entityId, open };
  }
  if (integration.settings.requireSession) {
    throw new AppError(
      'invalid',
      'this integration requires a session: send sessionId or externalSessionId',
      {
        path: '/sessionId',
      },
    );
  }
  if (mcpName === undefined && integration.kind === 'AGENT') {
    return { open: sessions.prepare(integration.id, newSessionOf(request, text, entityId), parent) };
  }
  refuse(request, ofNewSession, 'belongs to a session: send externalSessionId as well');
  return mcpName === undefined ? null : sessions.prepareNamed(integration.id, mcpName, entityId);
}

/** A RESULT belongs to the session of its action, and cannot say anything else. */
export function checkSessionOfResult(request: EvaluateRequest, externalSessionId: string | null): void {
  refuse(request, ofNewSession, 'the session of a RESULT is that of its action: leave it out');
  if (request.externalSessionId !== undefined && request.externalSessionId !== externalSessionId) {
    refuse(request, ['externalSessionId'], 'the session of a RESULT is that of its action: leave it out');
  }
}

/** The action is not decided: without its session, rules would not see what was done before. */
export const mayNotOpen = (): AppError =>
  new AppError(
    'forbidden',
    'this opens a session, which needs a key with the scope sessions:open: name a session that is ACTIVE by sessionId',
  );

export const otherEntity = (): AppError =>
  new AppError('conflict', 'the session of this externalSessionId belongs to another entity', {
    path: '/entityId',
  });

export const otherIdentity = (): AppError =>
  new AppError(
    'conflict',
    'the session belongs to somebody else than the token says, or to nobody: open one with the token',
    {
      path: '/sessionId',
    },
  );

type Field = 'externalSessionId' | 'entityId' | 'metadata' | 'parentSessionId' | 'previousSessionId';
const ofNewSession: readonly Field[] = ['entityId', 'metadata', 'parentSessionId', 'previousSessionId'];

function refuse(request: EvaluateRequest, fields: readonly Field[], message: string): void {
  const field = fields.find((name) => request[name] !== undefined);
  if (field !== undefined) throw new AppError('invalid', message, { path: `/${field}` });
}

/**
 * The entity of a session that a request opens: that of the identity which its token proves. Null when it names none. Throws when the
 * request names another one.
 */
export function entityOfNew(
  { entityId }: { entityId?: string | null },
  provenEntityId: string | null,
): string | null {
  const named = entityId?.toLowerCase() ?? null;
  if (provenEntityId === null || named === null || named === provenEntityId) return provenEntityId ?? named;
  throw new AppError(
    'invalid',
    `the token says who acts, whose entity is ${provenEntityId}: leave this out`,
    {
      path: '/entityId',
    },
  );
}

function newSessionOf(
  { externalSessionId, metadata }: EvaluateRequest,
  text: string,
  entityId: string | null,
) {
  const request = {
    ...(entityId !== null && { entityId }),
    ...(externalSessionId !== undefined && { externalSessionId }),
  };
  if (metadata === undefined) return { request, metadata: '{}' };
  const given = memberText(text, 'metadata') ?? '{}';
  checkMetadata(given);
  return { request, metadata: given };
}

/** The parts of a parent that a new session takes over. */
export interface ParentOfNew {
  readonly place: SessionPlace;
  readonly entityId: string | null;
  /** The parent's expiry, which bounds the session's. Null when the session continues an ended parent. */
  readonly expiresAt: number | null;
}

type Named = Pick<CreateEvaluationSession, 'parentSessionId' | 'previousSessionId'>;

const path = '/parentSessionId';
const previousPath = '/previousSessionId';

/**
 * The parent of a new session: the one that the request names, or the root of the session that it continues; null when it
 * names neither. A session of another integration that does not let this one have children of its sessions is not found, as
 * one that there is not. Whether the parent is ACTIVE is checked when the session is opened.
 */
export function findParent(
  store: Store,
  integrationId: string,
  named: Named,
  now: number,
): Awaitable<ParentOfNew | null> {
  const { parentSessionId, previousSessionId } = named;
  if (parentSessionId === undefined && previousSessionId === undefined) return null;
  return findNamed(store, integrationId, named, now);
}

async function findNamed(
  store: Store,
  integrationId: string,
  { parentSessionId, previousSessionId }: Named,
  now: number,
): Promise<ParentOfNew | null> {
  const parent =
    parentSessionId === undefined ? null : await namedParent(store, integrationId, parentSessionId, now);
  if (previousSessionId === undefined) return parent;
  const previous = await findPrevious(store, integrationId, previousSessionId, now);
  if (parent === null) return continuing(previous, await findRoot(store, previous, now));
  if (parent.place.rootId !== rootIdOf(previous))
    throw notContinued('it is not in the tree of the parent session');
  return { ...parent, place: { ...parent.place, previousId: previous.id } };
}

async function namedParent(
  store: Store,
  integrationId: string,
  parentSessionId: string,
  now: number,
): Promise<ParentOfNew> {
  const parent = await store.sessions.findParent(parentSessionId, now);
  const may = parent?.integrationId === integrationId || parent?.delegatesTo.includes(integrationId);
  if (!parent || !may) throw notFoundBy('parentSessionId', 'evaluation session', path);
  const place = placeUnder(parent, integrationId);
  if (place.depth > deepestSession) {
    const message = `the session would stand ${place.depth} levels under its root, where ${deepestSession} are allowed`;
    throw new AppError('invalid', message, { path });
  }
  return { place, entityId: parent.entityId, expiresAt: parent.expiresAt };
}

/** The session to continue. All that is checked here never changes. */
async function findPrevious(
  store: Store,
  integrationId: string,
  previousSessionId: string,
  now: number,
): Promise<FoundParent> {
  const previous = await store.sessions.findParent(previousSessionId, now);
  if (previous?.integrationId !== integrationId)
    throw notFoundBy('previousSessionId', 'evaluation session', previousPath);
  if (previous.status === 'ACTIVE') throw notContinued('it is ACTIVE: evaluate in it');
  await refuseStopped(store, previous);
  return previous;
}

/** Somebody stopped the session before its work was done: its agent must not go on as if nothing had happened. */
async function refuseStopped(store: Store, { id, status }: FoundParent): Promise<void> {
  if (status === 'TERMINATED') throw notContinued('it is TERMINATED');
  const ends = { resource: 'evaluation-sessions', resourceId: id, action: 'endEvaluationSession' } as const;
  const byOperator = await store.audit.list({ ...ends, outcome: 'SUCCEEDED' }, { page: 1, size: 1 }, 0);
  if (byOperator.items.length > 0) throw notContinued('an operator ended it');
}

async function findRoot(store: Store, previous: FoundParent, now: number): Promise<FoundParent> {
  const { place } = previous;
  if (place === null) return previous;
  const root = await store.sessions.findParent(place.rootId, now);
  if (!root || root.status === 'ACTIVE' || place.depth > 1 || place.delegatedBy.length > 0)
    throw notContinued('it is below another session: name the one above it in parentSessionId as well');
  await refuseStopped(store, root);
  return root;
}

/** Below the root, where what is known of all that was continued before counts, however often that was. */
function continuing(previous: FoundParent, root: ParentSession & { integrationId: string }): ParentOfNew {
  const place = { ...placeUnder(root, root.integrationId), previousId: previous.id };
  return { place, entityId: previous.entityId, expiresAt: null };
}

/** A child is about whom its parent is about, and ends with it at the latest. */
export function underParent(
  session: NewSession,
  parent: ParentOfNew | null,
  asksExpiry: boolean,
): NewSession {
  if (!parent) return session;
  const { place, entityId, expiresAt } = parent;
  const isContinuing = expiresAt === null;
  if (entityId !== null && session.entityId !== null && session.entityId !== entityId) {
    const message = `the ${isContinuing ? 'previous' : 'parent'} session belongs to another entity`;
    throw new AppError('conflict', message, { path: '/entityId' });
  }
  if (asksExpiry && !isContinuing && session.expiresAt > expiresAt)
    throw new AppError('invalid', 'must not be after the end of the parent session', { path: '/expiresAt' });
  return {
    ...session,
    place,
    entityId: session.entityId ?? entityId,
    expiresAt: isContinuing ? session.expiresAt : Math.min(session.expiresAt, expiresAt),
    ...(isContinuing && { continuesEnded: true }),
  };
}

const notContinued = (why: string): AppError =>
  new AppError('conflict', `the previous session cannot be continued: ${why}`, { path: previousPath });

export const parentRefused = (refusal: ParentRefusal): AppError =>
  new AppError(
    'conflict',
    refusal.kind === 'too_many_children'
      ? 'the parent session has too many children that are not over'
      : `the parent session is ${refusal.status}`,
    { path },
  );

export const otherParent = (): AppError =>
  new AppError('conflict', 'the session of this externalSessionId has another parent, or none', { path });

/** Refuses metadata of a session or an entity that is too long as JSON text, as it was sent. */
export function checkMetadata(text: string): void {
  if (Buffer.byteLength(text) <= metadataLimits.bytes) return;
  throw new AppError('invalid', `must be at most ${metadataLimits.bytes} bytes of JSON`, {
    path: '/metadata',
  });
}
