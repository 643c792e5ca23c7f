import { AppError } from '../errors.ts';
import type { StoredIntegration } from '../features/integrations/store.ts';
import { memberText } from '../json/member-text.ts';
import { type CreateEvaluationSession, metadataLimits } from '../schemas/evaluation-sessions.ts';
import type { EvaluateRequest } from '../schemas/evaluations.ts';
import { notFoundBy } from '../services/found.ts';
import type { ParentRefusal } from '../store/evaluation-sessions.ts';
import type { Store } from '../store/store.ts';
import type { NamedSession, NewEvaluation } from './evaluation.ts';
import { deepestSession, type NewSession, placeUnder, type SessionPlace } from './session-places.ts';

/** Makes the session that an evaluation opens. */
export interface SessionOpener {
  /** `metadata` is JSON text that passed `checkMetadata`. */
  prepare(
    integrationId: string,
    of: { request: CreateEvaluationSession; metadata: string },
    parent: ParentOfNew | null,
  ): NewSession;
  /** The session that evaluations under this name share: the live one, or one to open. */
  prepareNamed(integrationId: string, name: string): NamedSession;
}

/**
 * The session that an evaluation belongs to, unless it is that of a RESULT's action. `mcpName`: the session that MCP
 * calls share when they name none. `text`: the request as JSON.
 */
export function chooseSession(
  integration: StoredIntegration,
  request: EvaluateRequest,
  { mcpName, text, parent }: { mcpName: string | undefined; text: string; parent: ParentOfNew | null },
  sessions: SessionOpener,
): NewEvaluation['session'] {
  const { sessionId, externalSessionId } = request;
  if (sessionId !== undefined) {
    refuse(request, ['externalSessionId'], 'the session is named twice: leave out this or sessionId');
    refuse(request, ofNewSession, 'belongs to a new session, and sessionId names one that exists');
    return { id: sessionId.toLowerCase() };
  }
  if (externalSessionId !== undefined) {
    const open = sessions.prepare(integration.id, newSessionOf(request, text), parent);
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
    return { open: sessions.prepare(integration.id, newSessionOf(request, text), parent) };
  }
  refuse(request, ofNewSession, 'belongs to a session: send externalSessionId as well');
  return mcpName === undefined ? null : sessions.prepareNamed(integration.id, mcpName);
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

type Field = 'externalSessionId' | 'entityId' | 'metadata' | 'parentSessionId';
const ofNewSession: readonly Field[] = ['entityId', 'metadata', 'parentSessionId'];

function refuse(request: EvaluateRequest, fields: readonly Field[], message: string): void {
  const field = fields.find((name) => request[name] !== undefined);
  if (field !== undefined) throw new AppError('invalid', message, { path: `/${field}` });
}

function newSessionOf({ entityId, externalSessionId, metadata }: EvaluateRequest, text: string) {
  const request = {
    ...(entityId !== undefined && { entityId }),
    ...(externalSessionId !== undefined && { externalSessionId }),
  };
  if (metadata === undefined) return { request, metadata: '{}' };
  const given = memberText(text, 'metadata') ?? '{}';
  checkMetadata(given);
  return { request, metadata: given };
}

/** What a new session takes from its parent. */
export interface ParentOfNew {
  readonly place: SessionPlace;
  readonly entityId: string | null;
  readonly expiresAt: number;
}

const path = '/parentSessionId';

/**
 * The parent that a request names; null when it names none. A session of another integration that does not let this one
 * have children of its sessions is not found, as one that there is not.
 */
export async function findParent(
  store: Store,
  integrationId: string,
  parentSessionId: string | undefined,
  now: number,
): Promise<ParentOfNew | null> {
  if (parentSessionId === undefined) return null;
  const parent = await store.sessions.findParent(parentSessionId, now);
  const may = parent?.integrationId === integrationId || parent?.delegatesTo.includes(integrationId);
  if (!parent || !may) throw notFoundBy('parentSessionId', 'evaluation session', path);
  if (parent.status !== 'ACTIVE') throw parentRefused({ kind: 'parent_not_active', status: parent.status });
  const place = placeUnder(parent, integrationId);
  if (place.depth > deepestSession) {
    const message = `the session would stand ${place.depth} levels under its root, where ${deepestSession} are allowed`;
    throw new AppError('invalid', message, { path });
  }
  return { place, entityId: parent.entityId, expiresAt: parent.expiresAt };
}

/** A child is about whom its parent is about, and ends with it at the latest. */
export function underParent(
  session: NewSession,
  parent: ParentOfNew | null,
  asksExpiry: boolean,
): NewSession {
  if (!parent) return session;
  const { place, entityId, expiresAt } = parent;
  if (entityId !== null && session.entityId !== null && session.entityId !== entityId)
    throw new AppError('conflict', 'the parent session belongs to another entity', { path: '/entityId' });
  if (asksExpiry && session.expiresAt > expiresAt)
    throw new AppError('invalid', 'must not be after the end of the parent session', { path: '/expiresAt' });
  return {
    ...session,
    place,
    entityId: session.entityId ?? entityId,
    expiresAt: Math.min(session.expiresAt, expiresAt),
  };
}

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
