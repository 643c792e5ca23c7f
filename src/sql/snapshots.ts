import { and, eq, getTableColumns } from 'drizzle-orm';
import { digestOrNull, listChangeText } from '../record/deciding-state.ts';
import { parseList } from '../store/parse-list.ts';
import { type Db, first, type Step } from './steps.ts';
import type { Tables } from './tables.ts';

/**
 * What an audit entry shows of each kind of resource; null when there is none of this id. Never a secret, nor the hash of one. Of
 * wide texts that decide it has the SHA-256.
 */
export const createSnapshots = ({
  entities,
  lists,
  listChanges,
  operators,
  operatorKeys,
  proposals,
  webhooks,
}: Tables): Readonly<Record<string, (db: Db, id: string) => Step<object | null>>> => ({
  *entities(db, id) {
    const { name, kind, owner, metadata, updatedAt } = entities;
    const shown = { id: entities.id, name, kind, owner, metadata, updatedAt };
    const found = yield* first(db.select(shown).from(entities).where(eq(entities.id, id)));
    return found && { ...found, metadata: JSON.parse(found.metadata) };
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
