import { eq } from 'drizzle-orm';
import { type Db, first, type Step } from './steps.ts';
import type { Tables } from './tables.ts';

/** What an audit entry shows of each kind of resource; null when there is none of this id. Never a secret, nor the hash of one. */
export const createSnapshots = ({
  lists,
}: Tables): Readonly<Record<string, (db: Db, id: string) => Step<object | null>>> => ({
  // Its entries are in the record of its changes.
  *lists(db, id) {
    const { name, kind, description, version, entryCount, updatedAt } = lists;
    const shown = { id: lists.id, name, kind, description, version, entryCount, updatedAt };
    return yield* first(db.select(shown).from(lists).where(eq(lists.id, id)));
  },
});
