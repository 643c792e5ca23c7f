import { and, asc, desc, eq, gt, gte, lte } from 'drizzle-orm';
import type { RecordStore } from '../record.ts';
import { rootOfRow, rowOfRoot } from '../record-roots.ts';
import type { Sqlite } from './database.ts';
import type { EventLog } from './events.ts';
import { recordKeys, recordLeaves, recordNodes, recordRoots } from './tables.ts';

type Roots = Pick<
  RecordStore,
  | 'findLastRoot'
  | 'listRoots'
  | 'findRootAt'
  | 'addRoot'
  | 'listLeaves'
  | 'findLeaf'
  | 'listLeavesOf'
  | 'listNodes'
  | 'addKey'
  | 'listKeys'
>;

export function createRecordRoots(
  { db, writer, read }: Pick<Sqlite, 'db' | 'writer' | 'read'>,
  events: EventLog,
): Roots {
  const lastSeq = (): number =>
    db.select({ seq: recordRoots.seq }).from(recordRoots).orderBy(desc(recordRoots.seq)).limit(1).get()
      ?.seq ?? 0;
  const toLeaf = ({ id, ...leaf }: typeof recordLeaves.$inferSelect) => ({ index: id - 1, ...leaf });

  return {
    findLastRoot: () =>
      read(() => {
        const row = db.select().from(recordRoots).orderBy(desc(recordRoots.seq)).limit(1).get();
        return row ? rootOfRow(row) : null;
      }),

    listRoots: (after, limit) =>
      read(() =>
        db
          .select()
          .from(recordRoots)
          .where(gt(recordRoots.seq, after))
          .orderBy(asc(recordRoots.seq))
          .limit(limit)
          .all()
          .map(rootOfRow),
      ),

    findRootAt: (at) =>
      read(() => {
        const row = db
          .select()
          .from(recordRoots)
          .where(lte(recordRoots.at, at))
          .orderBy(desc(recordRoots.seq))
          .limit(1)
          .get();
        return row ? rootOfRow(row) : null;
      }),

    addRoot: (root, leaves, nodes, event) =>
      writer.run(() => {
        // Another process on the same file signs roots too.
        if (lastSeq() !== root.statement.seq - 1) return false;
        const first = root.statement.treeSize - leaves.length + 1;
        for (const [place, leaf] of leaves.entries()) {
          db.insert(recordLeaves)
            .values({ ...leaf, id: first + place })
            .run();
        }
        for (const node of nodes) db.insert(recordNodes).values(node).run();
        db.insert(recordRoots).values(rowOfRoot(root)).run();
        events.append(event);
        return true;
      }),

    listLeaves: (start, count) =>
      read(() =>
        db
          .select()
          .from(recordLeaves)
          .where(gt(recordLeaves.id, start))
          .orderBy(asc(recordLeaves.id))
          .limit(count)
          .all()
          .map(toLeaf),
      ),

    findLeaf: (chain, treeSize) =>
      read(() => {
        const row = db
          .select()
          .from(recordLeaves)
          .where(and(eq(recordLeaves.chain, chain), lte(recordLeaves.id, treeSize)))
          .orderBy(desc(recordLeaves.id))
          .limit(1)
          .get();
        return row ? toLeaf(row) : null;
      }),

    listLeavesOf: (chain, after, limit) =>
      read(() =>
        db
          .select()
          .from(recordLeaves)
          .where(and(eq(recordLeaves.chain, chain), gt(recordLeaves.id, after + 1)))
          .orderBy(asc(recordLeaves.id))
          .limit(limit)
          .all()
          .map(toLeaf),
      ),

    listNodes: (level, place, count) =>
      read(() =>
        db
          .select()
          .from(recordNodes)
          .where(and(eq(recordNodes.level, level), gte(recordNodes.place, place)))
          .orderBy(asc(recordNodes.place))
          .limit(count)
          .all(),
      ),

    addKey: (key) => writer.run(() => void db.insert(recordKeys).values(key).onConflictDoNothing().run()),

    listKeys: () => read(() => db.select().from(recordKeys).orderBy(asc(recordKeys.addedAt)).all()),
  };
}
