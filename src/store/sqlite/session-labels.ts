import { and, eq, inArray, or, type SQL, sql } from 'drizzle-orm';
import { rootIdOf } from '../../evaluate/session-places.ts';
import type { GrantRows } from '../../evaluate/sqlite/grants.ts';
import type { SessionChanges } from '../../evaluate/sqlite/session-changes.ts';
import type { SessionState } from '../../evaluate/sqlite/session-state.ts';
import type { SessionStates } from '../../evaluate/sqlite/session-states.ts';
import type { SessionStore } from '../evaluation-sessions.ts';
import type { Requester } from '../reviews.ts';
import type { Sqlite } from './database.ts';
import { evaluationSessions, integrationKeys, integrations } from './tables.ts';

/** What operators change in a session: with their database, so that it is recorded. */
export function createSessionLabels(
  { db, writer }: Pick<Sqlite, 'db' | 'writer'>,
  sessions: SessionStates,
  grants: GrantRows,
  changes: SessionChanges,
): Pick<SessionStore, 'removeLabel' | 'removeGrant'> {
  /** In any session of its tree. */
  const mayHaveRequested = ({ row, place }: SessionState, requester: Requester): boolean => {
    const { uid, place: places, integrationId } = evaluationSessions;
    const root = rootIdOf({ id: row.uid, place });
    return (
      db
        .select({ id: evaluationSessions.id })
        .from(evaluationSessions)
        .innerJoin(integrations, eq(integrations.row, integrationId))
        .leftJoin(integrationKeys, eq(integrationKeys.integrationId, integrations.id))
        .where(
          and(
            or(eq(uid, root), sql`${places} IS NOT NULL AND json_extract(${places}, '$.rootId') = ${root}`),
            isRequester(requester),
          ),
        )
        .limit(1)
        .get() !== undefined
    );
  };

  return {
    removeGrant: (sessionId, grantId, now) => writer.run(() => grants.close(sessionId, grantId, now)),

    removeLabel: (id, label, notBy = null) =>
      writer.run(() => {
        const state = sessions.findAny(id.toLowerCase());
        if (!state?.labels.includes(label)) return 'no_label';
        if (notBy && mayHaveRequested(state, notBy)) return 'own_request';
        sessions.removeLabel(state, label);
        changes.addRemovedLabel(state.row.id, label);
        return 'removed';
      }),
  };
}

/** Whether the person has seen a key of the integration, replaced and expired ones included, or is the entity of the session. */
export const isRequester = ({ operatorIds, entityId }: Requester): SQL | undefined =>
  or(
    inArray(integrationKeys.issuedBy, [...operatorIds]),
    entityId === null ? undefined : eq(evaluationSessions.entityId, entityId),
  );
