import { and, eq } from 'drizzle-orm';
import { digestOrNull, listChangeText } from '../record/deciding-state.ts';
import { type Db, first, type Step } from './steps.ts';
import type { Tables } from './tables.ts';

/**
 * What an audit entry shows of each kind of resource; null when there is none of this id. Never a secret, nor the hash of one. Of
 * wide texts that decide it has the SHA-256.
 */
export const createSnapshots = ({
  lists,
  listChanges,
}: Tables): Readonly<Record<string, (db: Db, id: string) => Step<object | null>>> => ({
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
});
