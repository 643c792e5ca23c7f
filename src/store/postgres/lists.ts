import { and, asc, desc, eq, getTableColumns, lte } from 'drizzle-orm';
import { namesIn } from '../listed-columns.ts';
import { entriesOfChanges, type ListChangeBy, type ListStore, type StoredList } from '../lists.ts';
import { offsetOf } from '../pages.ts';
import {
  differenceOf,
  entryColumns,
  mostLists,
  newListColumns,
  toListChange,
  toStoredList,
} from '../stored-lists.ts';
import type { Db, Postgres } from './database.ts';
import { narrow, tooWide } from './listed-columns.ts';
import { isOperator } from './operator-rows.ts';
import { totalOf } from './pages.ts';
import { isListRead, policiesReading } from './policy-lists.ts';
import type { Revisions } from './revisions.ts';
import { listChanges, lists, operators } from './tables.ts';

const { entries: _, ...plain } = getTableColumns(lists);

export function createLists({ read, change }: Postgres, revisions: Revisions): ListStore {
  return {
    create: (list, by) =>
      change(async (tx) => {
        if ((await totalOf(tx, lists, eq(lists.name, list.name))) > 0) return 'name_taken';
        if ((await totalOf(tx, lists)) >= mostLists) return 'too_many';
        await tx.insert(lists).values({ id: list.id, ...newListColumns(list) });
        await record(tx, { id: list.id, version: 1 }, by, [], list.entries);
        return (await find(tx, list.id)) as StoredList;
      }),

    find: (id) => read((db) => find(db, id)),

    isRead: (name) => read((db) => isListRead(db, name)),

    names: () =>
      read(async (db) => {
        const rows = await db.select({ name: lists.name }).from(lists).orderBy(asc(lists.name));
        return rows.map(({ name }) => name);
      }),

    list: (page, { kind }) =>
      read(async (db) => {
        const where = kind && eq(lists.kind, kind);
        const items = await db
          .select(plain)
          .from(lists)
          .where(where)
          .orderBy(desc(lists.createdAt), desc(lists.id))
          .limit(page.size)
          .offset(offsetOf(page));
        return { items, total: await totalOf(db, lists, where) };
      }),

    change: (id, { description, entries: changeEntries }, expected, by) =>
      change(async (tx) => {
        const before = await find(tx, id);
        if (!before) return 'no_list';
        if (expected && !expected.has(before.version)) return 'outdated';
        const changed = changeEntries(before.entries);
        if ('refusal' in changed) return changed;
        const version = before.version + 1;
        await tx
          .update(lists)
          .set({
            ...(description !== undefined && { description }),
            version,
            ...entryColumns(changed.entries),
            updatedAt: by.at,
          })
          .where(eq(lists.id, before.id));
        await record(tx, { id: before.id, version }, by, before.entries, changed.entries);
        if (await isListRead(tx, before.name)) await revisions.raiseAll(tx);
        return (await find(tx, id)) as StoredList;
      }),

    delete: (id, expected) =>
      change(async (tx) => {
        const before = await find(tx, id);
        if (!before) return 'no_list';
        if (expected && !expected.has(before.version)) return 'outdated';
        const usedBy = await policiesReading(tx, before.name);
        if (usedBy.length > 0) return { usedBy };
        await tx.delete(lists).where(eq(lists.id, before.id));
        return before;
      }),

    findEntries: (id, version) =>
      read(async (db) => {
        const changes = await db
          .select()
          .from(listChanges)
          .where(and(eq(listChanges.listUid, id), lte(listChanges.version, version)))
          .orderBy(asc(listChanges.version));
        return entriesOfChanges(changes, version);
      }),

    listChanges: (id, page, mostBytes) =>
      read(async (db) => {
        const list = await find(db, id);
        if (!list) return null;
        const where = eq(listChanges.listUid, list.id);
        const { version, author, note, added, removed, createdAt } = listChanges;
        const rows = await db
          .select({
            version,
            author,
            authorName: operators.name,
            note,
            added: narrow<string>(added, mostBytes),
            removed: narrow<string>(removed, mostBytes),
            createdAt,
            omitted: tooWide({ added, removed }, mostBytes),
          })
          .from(listChanges)
          .leftJoin(operators, isOperator(operators, author))
          .where(where)
          .orderBy(desc(version))
          .limit(page.size)
          .offset(offsetOf(page));
        return {
          items: rows.map((row) => ({ ...toListChange(row), omitted: namesIn(row.omitted) })),
          total: await totalOf(db, listChanges, where),
        };
      }),
  };
}

async function find(db: Db, id: string): Promise<StoredList | null> {
  const [row] = await db.select().from(lists).where(eq(lists.id, id));
  return row ? toStoredList(row) : null;
}

async function record(
  tx: Db,
  { id, version }: Pick<StoredList, 'id' | 'version'>,
  { at, author, note }: ListChangeBy,
  before: readonly string[],
  after: readonly string[],
): Promise<void> {
  const difference = differenceOf(before, after);
  await tx.insert(listChanges).values({ listUid: id, version, author, note, ...difference, createdAt: at });
}
