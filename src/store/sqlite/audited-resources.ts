import { and, asc, eq, isNull } from 'drizzle-orm';
import { digestOrNull } from '../../record/deciding-state.ts';
import { createSnapshots } from '../../sql/snapshots.ts';
import { runSteps } from '../../sql/sqlite/sql.ts';
import { shownResource } from '../audited-calls.ts';
import type { Sqlite } from './database.ts';
import * as tables from './tables.ts';
import {
  bindings,
  evaluationSessions,
  grants,
  housePolicies,
  integrationKeys,
  integrations,
  policies,
  policyVersions,
  reviews,
  sessionStates,
  toolCatalogues,
  violations,
} from './tables.ts';

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
    integrations(id) {
      const row = db
        .select({
          id: integrations.id,
          name: integrations.name,
          kind: integrations.kind,
          description: integrations.description,
          settings: integrations.settings,
          updatedAt: integrations.updatedAt,
          deletedAt: integrations.deletedAt,
          tools: toolCatalogues.tools,
        })
        .from(integrations)
        .leftJoin(toolCatalogues, eq(toolCatalogues.integrationId, integrations.id))
        .where(eq(integrations.id, id))
        .get();
      if (!row) return undefined;
      const { tools, ...integration } = row;
      return {
        ...integration,
        settings: JSON.parse(row.settings),
        toolsSha256: digestOrNull(tools),
        keys: keysOf(id),
        policies: policiesOf(id),
      };
    },
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
    policies(id) {
      const { uid, name, status, currentVersion, latestVersion, updatedAt } = policies;
      const { scheduledVersion, scheduledAt } = policies;
      const row = db
        .select({
          id: uid,
          name,
          status,
          version: currentVersion,
          latestVersion,
          document: policyVersions.document,
          scheduledVersion,
          scheduledAt,
          updatedAt,
        })
        .from(policies)
        .leftJoin(
          policyVersions,
          and(eq(policyVersions.policyId, policies.id), eq(policyVersions.version, latestVersion)),
        )
        .where(eq(uid, id))
        .get();
      if (!row) return undefined;
      const { document, ...policy } = row;
      return { ...policy, documentSha256: digestOrNull(document) };
    },
    'house-policies'(id) {
      const row = db
        .select({
          id: policies.uid,
          params: housePolicies.params,
          mode: housePolicies.mode,
          createdAt: housePolicies.createdAt,
        })
        .from(housePolicies)
        .innerJoin(policies, eq(policies.id, housePolicies.policyId))
        .where(eq(policies.uid, id))
        .get();
      return row && { ...row, params: JSON.parse(row.params) };
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

  const policiesOf = (integrationId: string): object[] =>
    db
      .select({ id: policies.uid, params: bindings.params, mode: bindings.mode })
      .from(bindings)
      .innerJoin(integrations, eq(integrations.row, bindings.integrationId))
      .innerJoin(policies, eq(policies.id, bindings.policyId))
      .where(eq(integrations.id, integrationId))
      .orderBy(asc(policies.id))
      .all()
      .map(({ params, ...binding }) => ({ ...binding, params: JSON.parse(params) }));

  /** Those that are not revoked. */
  const keysOf = (integrationId: string): object[] =>
    db
      .select({
        id: integrationKeys.id,
        name: integrationKeys.name,
        keyPrefix: integrationKeys.keyPrefix,
        scopes: integrationKeys.scopes,
        expiresAt: integrationKeys.expiresAt,
      })
      .from(integrationKeys)
      .innerJoin(integrations, eq(integrations.id, integrationKeys.integrationId))
      .where(and(eq(integrations.id, integrationId), isNull(integrationKeys.revokedAt)))
      .orderBy(asc(integrationKeys.createdAt), asc(integrationKeys.id))
      .all()
      .map(({ scopes, ...key }) => ({ ...key, scopes: JSON.parse(scopes) }));

  return (resource, id) => {
    if (resource === null || id === null) return null;
    const shared = sharedSnapshots[resource];
    const found = shared ? runSteps(shared(db, id.toLowerCase())) : snapshots[resource]?.(id.toLowerCase());
    return found ? shownResource(found) : null;
  };
}
