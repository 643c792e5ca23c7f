import { and, asc, eq, isNull } from 'drizzle-orm';
import { asSqlite, runSteps } from '../../sql/postgres/sql.ts';
import { createSnapshots } from '../../sql/snapshots.ts';
import type { Tables } from '../../sql/tables.ts';
import { shownResource } from '../audited-calls.ts';
import type { Db } from './database.ts';
import * as tables from './tables.ts';
import { evaluationSessions, grants, reviews, sessionStates, violations } from './tables.ts';

const sharedSnapshots = createSnapshots(tables as unknown as Tables);

/**
 * What an audit entry shows of each kind of resource. Never a secret, nor the hash of one. Of wide texts that decide it has the
 * SHA-256.
 */
const snapshots: Readonly<Record<string, (db: Db, id: string) => Promise<object | undefined>>> = {
  async 'evaluation-sessions'(db, id) {
    const { integrationId, status } = evaluationSessions;
    const [row] = await db
      .select({ id: evaluationSessions.id, integrationId, status, labels: sessionStates.labels })
      .from(evaluationSessions)
      .innerJoin(sessionStates, eq(sessionStates.sessionId, evaluationSessions.id))
      .where(eq(evaluationSessions.id, id));
    return row && { ...row, labels: JSON.parse(row.labels), grants: await grantsOf(db, id) };
  },
  async violations(db, id) {
    const { integrationId, ruleId, status, outcome, note, triagedBy, triagedAt } = violations;
    const [row] = await db
      .select({ id: violations.id, integrationId, ruleId, status, outcome, note, triagedBy, triagedAt })
      .from(violations)
      .where(eq(violations.id, id));
    return row;
  },
  async reviews(db, id) {
    const { status, decidedBy, comment, decidedAt, expiresAt } = reviews;
    const [row] = await db
      .select({ id: reviews.id, status, decidedBy, comment, decidedAt, expiresAt })
      .from(reviews)
      .where(eq(reviews.id, id));
    return row;
  },
};

/** Ids of those that were not taken back. */
async function grantsOf(db: Db, sessionId: string): Promise<string[]> {
  const rows = await db
    .select({ id: grants.id })
    .from(grants)
    .where(and(eq(grants.sessionId, sessionId), isNull(grants.closedAt)))
    .orderBy(asc(grants.createdAt), asc(grants.id));
  return rows.map(({ id }) => id);
}

export async function showResource(
  db: Db,
  resource: string | null,
  id: string | null,
): Promise<string | null> {
  if (resource === null || id === null) return null;
  const shared = sharedSnapshots[resource];
  const found = shared ? await runSteps(shared(asSqlite(db), id)) : await snapshots[resource]?.(db, id);
  return found ? shownResource(found) : null;
}
