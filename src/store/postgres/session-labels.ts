import { eq } from 'drizzle-orm';
import type { SessionStore } from '../evaluation-sessions.ts';
import type { Postgres } from './database.ts';
import { closeGrant } from './grants.ts';
import { lockSessions } from './locks.ts';
import { sessionChanges, sessionStates } from './tables.ts';

/** What operators change in a session: with `change` of the audit, so that it is recorded. */
export const createSessionLabels = ({
  change,
}: Pick<Postgres, 'change'>): Pick<SessionStore, 'removeLabel' | 'removeGrant'> => ({
  removeGrant: (sessionId, grantId, now) =>
    change(async (tx) => {
      await lockSessions(tx, [sessionId]);
      return closeGrant(tx, sessionId, grantId, now);
    }),

  removeLabel: (id, label) =>
    change(async (tx) => {
      await lockSessions(tx, [id]);
      const isIt = eq(sessionStates.sessionId, id);
      const [state] = await tx.select({ labels: sessionStates.labels }).from(sessionStates).where(isIt);
      const labels = state ? (JSON.parse(state.labels) as string[]) : [];
      if (!labels.includes(label)) return false;
      const kept = labels.filter((one) => one !== label);
      await tx
        .update(sessionStates)
        .set({ labels: JSON.stringify(kept) })
        .where(isIt);
      await tx.insert(sessionChanges).values({ sessionId: id, kind: 'LABEL_REMOVED', label });
      return true;
    }),
});
