import { AppError } from '../errors.ts';
import { deepestSession, placeUnder, type SessionPlace } from '../store/session-places.ts';
import type { NewSession, ParentRefusal, Store } from '../store/store.ts';
import { notFoundBy } from './found.ts';

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
