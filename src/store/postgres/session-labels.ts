import { and, eq, inArray, or, type SQL } from 'drizzle-orm';
import type { SessionStore } from '../evaluation-sessions.ts';
import type { Requester } from '../reviews.ts';
import type { Db, Postgres } from './database.ts';
import { closeGrant } from './grants.ts';
import { lockSessions } from './locks.ts';
import { evaluationSessions, integrationKeys, sessionChanges, sessionStates } from './tables.ts';

/** What operators change in a session: with `change` of the audit, so that it is recorded. */
export const createSessionLabels = ({
  change,
}: Pick<Postgres, 'change'>): Pick<SessionStore, 'removeLabel' | 'removeGrant'> => ({
  removeGrant: (sessionId, grantId, now) =>
    change(async (tx) => {
      await lockSessions(tx, [sessionId]);
      return closeGrant(tx, sessionId, grantId, now);
    }),

  removeLabel: (id, label, notBy = null) =>
    change(async (tx) => {
      await lockSessions(tx, [id]);
      const isIt = eq(sessionStates.sessionId, id);
      const [state] = await tx.select({ labels: sessionStates.labels }).from(sessionStates).where(isIt);
      const labels = state ? (JSON.parse(state.labels) as string[]) : [];
      if (!labels.includes(label)) return 'no_label';
      if (notBy && (await mayHaveRequested(tx, id, notBy))) return 'own_request';
      const kept = labels.filter((one) => one !== label);
      await tx
        .update(sessionStates)
        .set({ labels: JSON.stringify(kept) })
        .where(isIt);
      await tx.insert(sessionChanges).values({ sessionId: id, kind: 'LABEL_REMOVED', label });
      return 'removed';
    }),
});

/** In any session of its tree. */
async function mayHaveRequested(tx: Db, sessionId: string, requester: Requester): Promise<boolean> {
  const { id, rootUid, integrationId } = evaluationSessions;
  const [session] = await tx.select({ rootUid }).from(evaluationSessions).where(eq(id, sessionId));
  const root = session?.rootUid ?? sessionId;
  const found = await tx
    .select({ id })
    .from(evaluationSessions)
    .leftJoin(integrationKeys, eq(integrationKeys.integrationId, integrationId))
    .where(and(or(eq(id, root), eq(rootUid, root)), isRequester(requester)))
    .limit(1);
  return found.length > 0;
}

/** Whether the person has seen a key of the integration, replaced and expired ones included, or is the entity of the session. */
export const isRequester = ({ operatorIds, entityId }: Requester): SQL | undefined =>
  or(
    inArray(integrationKeys.issuedBy, [...operatorIds]),
    entityId === null ? undefined : eq(evaluationSessions.entityId, entityId),
  );
