import { and, asc, desc, eq, gt, gte, lte, type SQL } from 'drizzle-orm';
import { createDecidingReads } from '../../sql/deciding.ts';
import { all, type Db, first, run, type Sql, type Step } from '../../sql/steps.ts';
import type { RecordStore, StoredRoot } from '../../store/record.ts';
import type { NewEvent } from '../events/store.ts';

/** The store of signed roots, apart from the reads of the entries themselves. */
type RecordRootStore = Pick<
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
  | 'listStates'
  | 'listVersions'
>;

export function createRecordRootStore(
  sql: Sql,
  { append }: { append(db: Db, event: NewEvent): Step<void> },
): RecordRootStore {
  const deciding = createDecidingReads(sql);
  const { recordKeys, recordLeaves, recordNodes, recordRoots } = sql.tables;
  type RootRow = typeof recordRoots.$inferSelect;

  function* lastRoot(db: Db, where?: SQL): Step<StoredRoot | null> {
    const newestFirst = db.select().from(recordRoots).where(where).orderBy(desc(recordRoots.seq));
    const row = yield* first(newestFirst.limit(1));
    return row && toRoot(row);
  }

  function* leaves(db: Db, where: SQL | undefined, { order, limit }: { order: SQL; limit: number }) {
    const rows = yield* all(db.select().from(recordLeaves).where(where).orderBy(order).limit(limit));
    return rows.map(({ id, ...leaf }) => ({ index: id - 1, ...leaf }));
  }
  const { id, chain: ofChain } = recordLeaves;

  const toRoot = (row: RootRow): StoredRoot => ({
    statement: {
      kind: 'root',
      seq: row.seq,
      at: new Date(row.at).toISOString(),
      previous: row.previous,
      treeSize: row.treeSize,
      rootHash: row.rootHash,
      keyId: row.keyId,
    },
    signature: row.signature,
    frontier: JSON.parse(row.frontier) as string[],
    cut: { evaluation: row.evaluationId, entry: row.entryId, call: row.auditEntryId },
  });

  function toRow({ statement, signature, frontier, cut }: StoredRoot): RootRow {
    const { kind: _, at, ...signed } = statement;
    return {
      ...signed,
      at: Date.parse(at),
      signature,
      frontier: JSON.stringify(frontier),
      evaluationId: cut.evaluation,
      entryId: cut.entry,
      auditEntryId: cut.call,
    };
  }

  return {
    findLastRoot: () => sql.read((db) => lastRoot(db)),

    listRoots: (after, limit) =>
      sql.read(function* (db) {
        const { seq } = recordRoots;
        const next = db.select().from(recordRoots).where(gt(seq, after)).orderBy(asc(seq)).limit(limit);
        return (yield* all(next)).map(toRoot);
      }),

    findRootAt: (at) => sql.read((db) => lastRoot(db, lte(recordRoots.at, at))),

    addRoot: (root, leaves, nodes, event) =>
      sql.change(function* (db) {
        // Every process on the same data signs roots: of those that sign the next one at the same time, the first keeps its own.
        const last = yield* lastRoot(db);
        if ((last?.statement.seq ?? 0) !== root.statement.seq - 1) return false;
        const added = db.insert(recordRoots).values(toRow(root)).onConflictDoNothing();
        if ((yield* all(added.returning({ seq: recordRoots.seq }))).length === 0) return false;
        const start = root.statement.treeSize - leaves.length + 1;
        const rows = leaves.map(({ chain, seq, hash }, place) => ({ id: start + place, chain, seq, hash }));
        yield* sql.insertAll(db, recordLeaves, rows);
        yield* sql.insertAll(db, recordNodes, nodes);
        yield* append(db, event);
        return true;
      }),

    listLeaves: (start, limit) => sql.read((db) => leaves(db, gt(id, start), { order: asc(id), limit })),

    findLeaf: (chain, treeSize) =>
      sql.read(function* (db) {
        const upTo = and(eq(ofChain, chain), lte(id, treeSize));
        const [leaf = null] = yield* leaves(db, upTo, { order: desc(id), limit: 1 });
        return leaf;
      }),

    listLeavesOf: (chain, after, limit) =>
      sql.read((db) => leaves(db, and(eq(ofChain, chain), gt(id, after + 1)), { order: asc(id), limit })),

    listNodes: (level, place, count) =>
      sql.read((db) =>
        all(
          db
            .select()
            .from(recordNodes)
            .where(and(eq(recordNodes.level, level), gte(recordNodes.place, place)))
            .orderBy(asc(recordNodes.place))
            .limit(count),
        ),
      ),

    addKey: (key) => sql.change((db) => run(db.insert(recordKeys).values(key).onConflictDoNothing())),

    listKeys: () => sql.read((db) => all(db.select().from(recordKeys).orderBy(asc(recordKeys.addedAt)))),

    listStates: (resource, cut, after, limit) =>
      sql.read((db) => deciding.states(db, resource, cut, { after, limit })),
    listVersions: (...of) => sql.read((db) => deciding.versions(db, ...of)),
  };
}
