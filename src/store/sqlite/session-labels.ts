import type { SessionStore } from '../evaluation-sessions.ts';
import type { Sqlite } from './database.ts';
import type { GrantRows } from './grants.ts';
import type { SessionChanges } from './session-changes.ts';
import type { SessionStates } from './session-states.ts';

/** What operators change in a session: with their database, so that it is recorded. */
export const createSessionLabels = (
  { writer }: Pick<Sqlite, 'writer'>,
  sessions: SessionStates,
  grants: GrantRows,
  changes: SessionChanges,
): Pick<SessionStore, 'removeLabel' | 'removeGrant'> => ({
  removeGrant: (sessionId, grantId, now) => writer.run(() => grants.close(sessionId, grantId, now)),

  removeLabel: (id, label) =>
    writer.run(() => {
      const state = sessions.findAny(id.toLowerCase());
      if (!state?.labels.includes(label)) return false;
      sessions.removeLabel(state, label);
      changes.add(state.row.id, 'LABEL_REMOVED', label);
      return true;
    }),
});
