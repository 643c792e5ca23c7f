import { and, asc, eq, isNull } from 'drizzle-orm';
import { createSnapshots } from '../../sql/snapshots.ts';
import { runSteps } from '../../sql/sqlite/sql.ts';
import { shownResource } from '../audited-calls.ts';
import type { Sqlite } from './database.ts';
import * as tables from './tables.ts';
import { evaluationSessions, grants, integrations, reviews, sessionStates, violations } from './tables.ts';

const sharedSnapshots = createSnapshots(tables);

type Snapshot = (id: string) => object | undefined;

/**
 * What an audit entry shows of each kind of resource. Never a secret, nor the hash of one. Of wide texts that decide it has the
 * SHA-256.
 */
export function createAuditedResources({
  db,
}: Sqlite): (resource: string | null, id: string | null) => string | null {
  const snapshots: Readonly<Record<string, Snapshot>> = {
    'evaluation-sessions'(id) {
      const { uid, status } = evaluationSessions;
      const found = db
        .select({
          row: evaluationSessions.id,
          session: { id: uid, integrationId: integrations.id, status },
          labels: sessionStates.labels,
        })
        .from(evaluationSessions)
        .innerJoin(integrations, eq(integrations.row, evaluationSessions.integrationId))
        .innerJoin(sessionStates, eq(sessionStates.sessionId, evaluationSessions.id))
        .where(eq(uid, id))
        .get();
      return found && { ...found.session, labels: JSON.parse(found.labels), grants: grantsOf(found.row) };
    },
    violations(id) {
      const { uid, ruleId, status, outcome, note, triagedBy, triagedAt } = violations;
      const columns = { id: uid, integrationId: integrations.id, ruleId, status, outcome, note };
      return db
        .select({ ...columns, triagedBy, triagedAt })
        .from(violations)
        .innerJoin(integrations, eq(integrations.row, violations.integrationId))
        .where(eq(uid, id))
        .get();
    },
    reviews(id) {
      const { uid, status, decidedBy, comment, decidedAt, expiresAt } = reviews;
      return db
        .select({ id: uid, status, decidedBy, comment, decidedAt, expiresAt })
        .from(reviews)
        .where(eq(uid, id))
        .get();
    },
  };
  /** Ids of those that were not taken back. */
  const grantsOf = (sessionRow: number): string[] =>
    db
      .select({ id: grants.uid })
      .from(grants)
      .where(and(eq(grants.sessionId, sessionRow), isNull(grants.closedAt)))
      .orderBy(asc(grants.id))
      .all()
      .map(({ id }) => id);

  return (resource, id) => {
    if (resource === null || id === null) return null;
    const shared = sharedSnapshots[resource];
    const found = shared ? runSteps(shared(db, id.toLowerCase())) : snapshots[resource]?.(id.toLowerCase());
    return found ? shownResource(found) : null;
  };
}
