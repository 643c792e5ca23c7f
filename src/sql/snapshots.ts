import { and, asc, eq, getTableColumns, isNull, sql } from 'drizzle-orm';
import { digestOrNull, listChangeText } from '../record/deciding-state.ts';
import { parseList } from '../store/rows.ts';
import { keyOf, uidOf } from './hot-tables.ts';
import { all, type Db, type Dialect, first, type Step } from './steps.ts';
import type { Tables } from './tables.ts';

type Snapshots = Readonly<Record<string, (db: Db, id: string) => Step<object | null>>>;

/** Reads the JSON text that an audit entry shows of a resource, with times as the API writes them; null when there is none. */
export function createShowResource(
  dialect: Dialect,
): (db: Db, resource: string | null, id: string | null) => Step<string | null> {
  const snapshots: Snapshots = { ...managed(dialect.tables), ...recorded(dialect) };
  return function* (db, resource, id) {
    if (resource === null || id === null) return null;
    const snapshot = snapshots[resource];
    const found = snapshot ? yield* snapshot(db, id.toLowerCase()) : null;
    return found && JSON.stringify(found, isoTimes);
  };
}

const isoTimes = (name: string, value: unknown): unknown =>
  name.endsWith('At') && typeof value === 'number' ? new Date(value).toISOString() : value;

/** The tables that evaluations record and operators change. */
const recorded = ({ hot, tables: { integrations }, keysAreInOrder }: Dialect): Snapshots => ({
  *'evaluation-sessions'(db, id) {
    const { evaluationSessions, grants, sessionStates } = hot;
    const { id: key, status } = evaluationSessions;
    const found = yield* first(
      db
        .select({
          key,
          session: { id: uidOf(evaluationSessions), integrationId: integrations.id, status },
          labels: sessionStates.labels,
        })
        .from(evaluationSessions)
        .innerJoin(integrations, eq(keyOf(integrations), evaluationSessions.integrationId))
        .innerJoin(sessionStates, eq(sessionStates.sessionId, key))
        .where(eq(uidOf(evaluationSessions), id)),
    );
    if (!found) return null;
    const given = yield* all(
      db
        .select({ id: uidOf(grants) })
        .from(grants)
        .where(and(eq(grants.sessionId, found.key), isNull(grants.closedAt)))
        .orderBy(...(keysAreInOrder ? [] : [sql`created_at`]), asc(grants.id)),
    );
    return { ...found.session, labels: JSON.parse(found.labels), grants: given.map((grant) => grant.id) };
  },

  violations(db, id) {
    const { violations } = hot;
    const { ruleId, status, outcome, note, triagedBy, triagedAt } = violations;
    const shown = { id: uidOf(violations), integrationId: integrations.id, ruleId, status, outcome, note };
    return first(
      db
        .select({ ...shown, triagedBy, triagedAt })
        .from(violations)
        .innerJoin(integrations, eq(keyOf(integrations), violations.integrationId))
        .where(eq(uidOf(violations), id)),
    );
  },

  reviews(db, id) {
    const { status, decidedBy, comment, decidedAt, expiresAt } = hot.reviews;
    const uid = uidOf(hot.reviews);
    const shown = { id: uid, status, decidedBy, comment, decidedAt, expiresAt };
    return first(db.select(shown).from(hot.reviews).where(eq(uid, id)));
  },
});

/** The resources that operators manage. Never a secret, nor the hash of one. Of wide texts that decide, the SHA-256. */
const managed = ({
  bindings,
  entities,
  housePolicies,
  integrations,
  integrationKeys,
  lists,
  listChanges,
  mcpServers,
  operators,
  operatorKeys,
  policies,
  policyVersions,
  proposals,
  toolCatalogues,
  webhooks,
}: Tables): Snapshots => ({
  *entities(db, id) {
    const { name, kind, owner, metadata, updatedAt } = entities;
    const shown = { id: entities.id, name, kind, owner, metadata, updatedAt };
    const found = yield* first(db.select(shown).from(entities).where(eq(entities.id, id)));
    return found && { ...found, metadata: JSON.parse(found.metadata) };
  },

  *integrations(db, id) {
    const { name, kind, description, settings, updatedAt, deletedAt } = integrations;
    const found = yield* first(
      db
        .select({
          integration: { id: integrations.id, name, kind, description, settings, updatedAt, deletedAt },
          tools: toolCatalogues.tools,
        })
        .from(integrations)
        .leftJoin(toolCatalogues, eq(toolCatalogues.integrationId, integrations.id))
        .where(eq(integrations.id, id)),
    );
    if (!found) return null;
    const key = integrationKeys;
    const keys = yield* all(
      db
        .select({
          id: key.id,
          name: key.name,
          keyPrefix: key.keyPrefix,
          scopes: key.scopes,
          expiresAt: key.expiresAt,
        })
        .from(key)
        .where(and(eq(key.integrationId, id), isNull(key.revokedAt)))
        .orderBy(asc(key.createdAt), asc(key.id)),
    );
    const bound = yield* all(
      db
        .select({ id: policies.id, params: bindings.params, mode: bindings.mode })
        .from(bindings)
        .innerJoin(policies, eq(policies.id, bindings.policyId))
        .where(eq(bindings.integrationId, id))
        .orderBy(asc(policies.createdAt), asc(policies.id)),
    );
    return {
      ...found.integration,
      settings: JSON.parse(found.integration.settings),
      toolsSha256: digestOrNull(found.tools),
      keys: keys.map((row) => ({ ...row, scopes: JSON.parse(row.scopes) })),
      policies: bound.map((row) => ({ ...row, params: JSON.parse(row.params) })),
    };
  },

  *policies(db, id) {
    const { name, status, currentVersion: version, latestVersion, updatedAt } = policies;
    const { scheduledVersion, scheduledAt } = policies;
    const { document, policyId } = policyVersions;
    const isLatest = and(eq(policyId, policies.id), eq(policyVersions.version, latestVersion));
    const columns = {
      id: policies.id,
      name,
      status,
      version,
      latestVersion,
      document,
      scheduledVersion,
      scheduledAt,
      updatedAt,
    };
    const found = yield* first(
      db.select(columns).from(policies).leftJoin(policyVersions, isLatest).where(eq(policies.id, id)),
    );
    if (!found) return null;
    const { document: text, ...policy } = found;
    return { ...policy, documentSha256: digestOrNull(text) };
  },

  *'house-policies'(db, id) {
    const { policyId, params, mode, createdAt } = housePolicies;
    const shown = { id: policyId, params, mode, createdAt };
    const found = yield* first(db.select(shown).from(housePolicies).where(eq(policyId, id)));
    return found && { ...found, params: JSON.parse(found.params) };
  },

  *lists(db, id) {
    const { name, kind, description, version, entryCount, entries, updatedAt } = lists;
    const { added, removed } = listChanges;
    const shown = { id: lists.id, name, kind, description, version, entryCount, updatedAt };
    const found = yield* first(
      db
        .select({ shown, entries, change: { added, removed } })
        .from(lists)
        .leftJoin(listChanges, and(eq(listChanges.listId, lists.id), eq(listChanges.version, version)))
        .where(eq(lists.id, id)),
    );
    if (!found) return null;
    return {
      ...found.shown,
      entriesSha256: digestOrNull(found.entries),
      changeSha256: digestOrNull(found.change && listChangeText(found.change)),
    };
  },

  *'mcp-servers'(db, id) {
    const { headers: _, ...shown } = getTableColumns(mcpServers);
    const row = yield* first(db.select(shown).from(mcpServers).where(eq(mcpServers.id, id)));
    return row && { ...row, integrationIds: parseList(row.integrationIds) };
  },

  *operators(db, id) {
    const { emailKey: _, ...shown } = getTableColumns(operators);
    const row = yield* first(db.select(shown).from(operators).where(eq(operators.id, id)));
    return row && { ...row, roles: parseList(row.roles), groups: parseList(row.groups) };
  },

  *'operator-keys'(db, id) {
    const { keyHash: _, ...shown } = getTableColumns(operatorKeys);
    const row = yield* first(db.select(shown).from(operatorKeys).where(eq(operatorKeys.id, id)));
    return row && { ...row, ipRanges: parseList(row.ipRanges) };
  },

  *proposals(db, id) {
    const { operation, change, status, note } = proposals;
    const shown = { id: proposals.id, operation, change, status, note };
    const found = yield* first(db.select(shown).from(proposals).where(eq(proposals.id, id)));
    return found && { ...found, change: JSON.parse(found.change) };
  },

  *webhooks(db, id) {
    const { name, format, status, types, integrationIds, minSeverity, updatedAt } = webhooks;
    const shown = { id: webhooks.id, name, format, status, types, integrationIds, minSeverity, updatedAt };
    const found = yield* first(db.select(shown).from(webhooks).where(eq(webhooks.id, id)));
    return (
      found && { ...found, types: JSON.parse(found.types), integrationIds: JSON.parse(found.integrationIds) }
    );
  },
});
