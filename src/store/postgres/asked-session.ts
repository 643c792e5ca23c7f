import type { NewEvaluation } from '../../evaluate/evaluation.ts';
import type { Known } from './batch.ts';
import { lockNames } from './locks.ts';

/** The lock of the name by which it names its session; null when it does not. */
export const nameKey = ({ integrationId, session }: NewEvaluation): string | null => {
  if (session && 'name' in session) return lockNames.sessionName(integrationId, session.name);
  if (session && 'externalSessionId' in session)
    return lockNames.externalId(integrationId, session.externalSessionId);
  return null;
};

/** The session to open when there is none yet; null when the evaluation opens none. */
export const opensOf = ({ session }: NewEvaluation) => (session && 'open' in session ? session.open : null);

/** The session that it most likely is of; null when that is not known, or there is none yet. */
export function likelySession(evaluation: NewEvaluation, known: Known): string | null {
  const { session } = evaluation;
  if (session && 'id' in session) return session.id;
  const name = nameKey(evaluation);
  return name === null ? null : known.sessions.guess(name);
}
