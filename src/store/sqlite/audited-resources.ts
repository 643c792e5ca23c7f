import { and, asc, eq, isNull } from 'drizzle-orm';
import type { Sqlite } from './database.ts';
import { keyColumns, operatorColumns, toKey, toOperator } from './operator-rows.ts';
import {
  bindings,
  integrationKeys,
  integrations,
  operatorKeys,
  operators,
  policies,
  reviews,
} from './tables.ts';

type Snapshot = (id: string) => object | undefined;

/** What an audit entry shows of each kind of resource. Never a secret, nor the hash of one. */
export function createAuditedResources({
  db,
}: Sqlite): (resource: string | null, id: string | null) => string | null {
  const snapshots: Readonly<Record<string, Snapshot>> = {
    operators(id) {
      const row = db.select(operatorColumns).from(operators).where(eq(operators.uid, id)).get();
      return row && toOperator(row);
    },
    'operator-keys'(id) {
      const row = db
        .select(keyColumns)
        .from(operatorKeys)
        .innerJoin(operators, eq(operators.id, operatorKeys.operatorId))
        .where(eq(operatorKeys.uid, id))
        .get();
      return row && toKey(row);
    },
    integrations(id) {
      const row = db
        .select({
          id: integrations.uid,
          name: integrations.name,
          kind: integrations.kind,
          description: integrations.description,
          settings: integrations.settings,
          apiKeyPrefix: integrationKeys.keyPrefix,
          apiKeyExpiresAt: integrationKeys.expiresAt,
          updatedAt: integrations.updatedAt,
          deletedAt: integrations.deletedAt,
        })
        .from(integrations)
        .leftJoin(
          integrationKeys,
          and(eq(integrationKeys.integrationId, integrations.id), isNull(integrationKeys.revokedAt)),
        )
        .where(eq(integrations.uid, id))
        .get();
      return row && { ...row, settings: JSON.parse(row.settings), policies: policiesOf(id) };
    },
    policies(id) {
      const { uid, name, status, currentVersion, latestVersion, updatedAt } = policies;
      return db
        .select({ id: uid, name, status, version: currentVersion, latestVersion, updatedAt })
        .from(policies)
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
  const policiesOf = (integrationId: string): string[] =>
    db
      .select({ id: policies.uid })
      .from(bindings)
      .innerJoin(integrations, eq(integrations.id, bindings.integrationId))
      .innerJoin(policies, eq(policies.id, bindings.policyId))
      .where(eq(integrations.uid, integrationId))
      .orderBy(asc(policies.id))
      .all()
      .map(({ id }) => id);

  return (resource, id) => {
    if (resource === null || id === null) return null;
    const found = snapshots[resource]?.(id.toLowerCase());
    return found ? JSON.stringify(found, withTimes) : null;
  };
}

/** Times as the API writes them. */
const withTimes = (name: string, value: unknown): unknown =>
  name.endsWith('At') && typeof value === 'number' ? new Date(value).toISOString() : value;
