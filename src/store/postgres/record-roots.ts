import { and, asc, desc, eq, gt, gte, lte } from 'drizzle-orm';
import { inserting, WrittenRows } from '../../evaluate/postgres/rows.ts';
import type { RecordStore } from '../record.ts';
import { rootOfRow, rowOfRoot } from '../record-roots.ts';
import { clientOf, type Postgres } from './database.ts';
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

export function createRecordRoots({ change, read }: Postgres, eventLog: Pick<EventLog, 'append'>): Roots {
  const toLeaf = ({ id, ...leaf }: typeof recordLeaves.$inferSelect) => ({ index: id - 1, ...leaf });

  return {
    findLastRoot: () =>
      read(async (db) => {
        const [row] = await db.select().from(recordRoots).orderBy(desc(recordRoots.seq)).limit(1);
        return row ? rootOfRow(row) : null;
      }),

    listRoots: (after, limit) =>
      read(async (db) => {
        const rows = await db
          .select()
          .from(recordRoots)
          .where(gt(recordRoots.seq, after))
          .orderBy(asc(recordRoots.seq))
          .limit(limit);
        return rows.map(rootOfRow);
      }),

    findRootAt: (at) =>
      read(async (db) => {
        const [row] = await db
          .select()
          .from(recordRoots)
          .where(lte(recordRoots.at, at))
          .orderBy(desc(recordRoots.seq))
          .limit(1);
        return row ? rootOfRow(row) : null;
      }),

    addRoot: (root, leaves, nodes, event) =>
      change(async (tx) => {
        // Every replica signs roots: of those that sign the next one at the same time, the first keeps its own.
        const [last] = await tx
          .select({ seq: recordRoots.seq })
          .from(recordRoots)
          .orderBy(desc(recordRoots.seq))
          .limit(1);
        if ((last?.seq ?? 0) !== root.statement.seq - 1) return false;
        const added = await tx
          .insert(recordRoots)
          .values(rowOfRoot(root))
          .onConflictDoNothing()
          .returning({ seq: recordRoots.seq });
        if (added.length === 0) return false;
        const first = root.statement.treeSize - leaves.length + 1;
        const newLeaves = new WrittenRows('add leaves', leafTypes, inserting('record_leaves'));
        for (const [place, { chain, seq, hash }] of leaves.entries())
          newLeaves.add({ id: first + place, chain, seq, hash });
        const newNodes = new WrittenRows('add nodes', nodeTypes, inserting('record_nodes'));
        for (const node of nodes) newNodes.add(node);
        for (const { statement } of [newLeaves, newNodes]) if (statement) await clientOf(tx).query(statement);
        await eventLog.append(tx, [event]);
        return true;
      }),

    listLeaves: (start, count) =>
      read(async (db) => {
        const rows = await db
          .select()
          .from(recordLeaves)
          .where(gt(recordLeaves.id, start))
          .orderBy(asc(recordLeaves.id))
          .limit(count);
        return rows.map(toLeaf);
      }),

    findLeaf: (chain, treeSize) =>
      read(async (db) => {
        const [row] = await db
          .select()
          .from(recordLeaves)
          .where(and(eq(recordLeaves.chain, chain), lte(recordLeaves.id, treeSize)))
          .orderBy(desc(recordLeaves.id))
          .limit(1);
        return row ? toLeaf(row) : null;
      }),

    listLeavesOf: (chain, after, limit) =>
      read(async (db) => {
        const rows = await db
          .select()
          .from(recordLeaves)
          .where(and(eq(recordLeaves.chain, chain), gt(recordLeaves.id, after + 1)))
          .orderBy(asc(recordLeaves.id))
          .limit(limit);
        return rows.map(toLeaf);
      }),

    listNodes: (level, place, count) =>
      read((db) =>
        db
          .select()
          .from(recordNodes)
          .where(and(eq(recordNodes.level, level), gte(recordNodes.place, place)))
          .orderBy(asc(recordNodes.place))
          .limit(count),
      ),

    addKey: (key) =>
      change(async (tx) => {
        await tx.insert(recordKeys).values(key).onConflictDoNothing();
      }),

    listKeys: () => read((db) => db.select().from(recordKeys).orderBy(asc(recordKeys.addedAt))),
  };
}

const leafTypes = { id: 'bigint', chain: 'text', seq: 'bigint', hash: 'text' };
const nodeTypes = { level: 'int', place: 'bigint', hash: 'text' };
