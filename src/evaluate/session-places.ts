export interface NewSession {
  id: string;
  integrationId: string;
  entityId: string | null;
  externalSessionId: string;
  /** JSON text of an object, given back to the byte. */
  metadata: string;
  startedAt: number;
  expiresAt: number;
  /** Whether `endIdle` may end it; default false. */
  endsWhenIdle?: boolean;
  /** Null without a parent. */
  place: SessionPlace | null;
  /** Whether its parent may have ended, because it continues what was done there; default false. Not stored. */
  continuesEnded?: boolean;
}
/** Where a session stands under its parent. It never changes. */
export interface SessionPlace {
  readonly parentId: string;
  readonly rootId: string;
  /** 1 for a child of a root. */
  readonly depth: number;
  /** Other integrations of its ancestors: their policies apply, too. Each once, the nearest last. */
  readonly delegatedBy: readonly string[];
  /** The ended session that it continues; absent when it continues none. */
  readonly previousId?: string;
}

/** The place of a session from its columns: its parent, and JSON of the rest. Null without a parent. */
export const parsePlace = (parentId: string | null, rest: string | null): SessionPlace | null =>
  parentId === null || rest === null
    ? null
    : { parentId, ...(JSON.parse(rest) as Omit<SessionPlace, 'parentId'>) };

/** A session that is asked for as a parent. */
export interface ParentSession {
  readonly id: string;
  readonly integrationId: string;
  readonly place: SessionPlace | null;
}

/** The deepest that a session may stand under its root. */
export const deepestSession = 8;
/** Children of one session that are not over. */
export const mostChildren = 1_000;

/** The root of the session's tree: itself, where it has no parent. Counters over trees count by it. */
export const rootIdOf = ({ id, place }: Pick<ParentSession, 'id' | 'place'>): string => place?.rootId ?? id;

/** The place of a child, whose integration may be another one. */
export function placeUnder(parent: ParentSession, integrationId: string): SessionPlace {
  const above = new Set([...(parent.place?.delegatedBy ?? []), parent.integrationId]);
  above.delete(integrationId);
  return {
    parentId: parent.id,
    rootId: rootIdOf(parent),
    depth: (parent.place?.depth ?? 0) + 1,
    delegatedBy: [...above],
  };
}
