import { asc, eq, gt, sql } from 'drizzle-orm';
import { listChangeText } from '../record/deciding-state.ts';
import type { RecordedVersion } from '../store/record.ts';
import { all, type Db, first, type Step } from './steps.ts';
import type { Tables } from './tables.ts';

/** What an export of the record has of the resources that decide, of those whose tables are declared once. */
export const createDecidingReads = ({ lists, listChanges }: Tables) => ({
  lists: {
    *ids(db: Db, after: string, limit: number): Step<{ id: string }[]> {
      const { id } = lists;
      return yield* all(db.select({ id }).from(lists).where(gt(id, after)).orderBy(asc(id)).limit(limit));
    },

    *text(db: Db, id: string): Step<string | null> {
      const { entries } = lists;
      return (yield* first(db.select({ entries }).from(lists).where(eq(lists.id, id))))?.entries ?? null;
    },

    *versions(db: Db, after: { id: string; version: number }, limit: number): Step<RecordedVersion[]> {
      const { listId, version, added, removed } = listChanges;
      const changes = yield* all(
        db
          .select({ listId, version, added, removed })
          .from(listChanges)
          .where(sql`(${listId}, ${version}) > (${after.id}, ${after.version})`)
          .orderBy(asc(listId), asc(version))
          .limit(limit),
      );
      return changes.map((change) => ({
        resourceId: change.listId,
        version: change.version,
        text: listChangeText(change),
      }));
    },
  },
});
