import { and, asc, eq, isNull } from 'drizzle-orm';
import { digestOrNull } from '../../record/deciding-state.ts';
import { asSqlite, runSteps } from '../../sql/postgres/sql.ts';
import { createSnapshots } from '../../sql/snapshots.ts';
import type { Tables } from '../../sql/tables.ts';
import { shownResource } from '../audited-calls.ts';
import type { Db } from './database.ts';
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

const sharedSnapshots = createSnapshots(tables as unknown as Tables);

/**
 * What an audit entry shows of each kind of resource. Never a secret, nor the hash of one. Of wide texts that decide it has the
 * SHA-256.
 */
const snapshots: Readonly<Record<string, (db: Db, id: string) => Promise<object | undefined>>> = {
  async integrations(db, id) {
    const { name, kind, description, settings, updatedAt, deletedAt } = integrations;
    const [row] = await db
      .select({
        integration: { id: integrations.id, name, kind, description, settings, updatedAt, deletedAt },
        tools: toolCatalogues.tools,
      })
      .from(integrations)
      .leftJoin(toolCatalogues, eq(toolCatalogues.integrationId, integrations.id))
      .where(eq(integrations.id, id));
    if (!row) return undefined;
    const keys = await keysOf(db, id);
    const { integration, tools } = row;
    return {
      ...integration,
      settings: JSON.parse(integration.settings),
      toolsSha256: digestOrNull(tools),
      keys,
      policies: await policiesOf(db, id),
    };
  },
  async 'evaluation-sessions'(db, id) {
    const { integrationId, status } = evaluationSessions;
    const [row] = await db
      .select({ id: evaluationSessions.id, integrationId, status, labels: sessionStates.labels })
      .from(evaluationSessions)
      .innerJoin(sessionStates, eq(sessionStates.sessionId, evaluationSessions.id))
      .where(eq(evaluationSessions.id, id));
    return row && { ...row, labels: JSON.parse(row.labels), grants: await grantsOf(db, id) };
  },
  async policies(db, id) {
    const { name, status, currentVersion: version, latestVersion, updatedAt } = policies;
    const { scheduledVersion, scheduledAt } = policies;
    const [row] = await db
      .select({
        id: policies.id,
        name,
        status,
        version,
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
      .where(eq(policies.id, id));
    if (!row) return undefined;
    const { document, ...policy } = row;
    return { ...policy, documentSha256: digestOrNull(document) };
  },
  async 'house-policies'(db, id) {
    const { policyId, params, mode, createdAt } = housePolicies;
    const [row] = await db
      .select({ id: policyId, params, mode, createdAt })
      .from(housePolicies)
      .where(eq(policyId, id));
    return row && { ...row, params: JSON.parse(row.params) };
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

async function policiesOf(db: Db, integrationId: string): Promise<object[]> {
  const rows = await db
    .select({ id: policies.id, params: bindings.params, mode: bindings.mode })
    .from(bindings)
    .innerJoin(policies, eq(policies.id, bindings.policyId))
    .where(eq(bindings.integrationId, integrationId))
    .orderBy(asc(policies.createdAt), asc(policies.id));
  return rows.map(({ params, ...binding }) => ({ ...binding, params: JSON.parse(params) }));
}

/** Those that are not revoked. */
async function keysOf(db: Db, integrationId: string): Promise<object[]> {
  const { id, name, keyPrefix, scopes, expiresAt } = integrationKeys;
  const rows = await db
    .select({ id, name, keyPrefix, scopes, expiresAt })
    .from(integrationKeys)
    .where(and(eq(integrationKeys.integrationId, integrationId), isNull(integrationKeys.revokedAt)))
    .orderBy(asc(integrationKeys.createdAt), asc(id));
  return rows.map(({ scopes, ...key }) => ({ ...key, scopes: JSON.parse(scopes) }));
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
