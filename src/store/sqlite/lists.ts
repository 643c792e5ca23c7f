import { and, asc, count, desc, eq, lte } from 'drizzle-orm';
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
import type { Sqlite } from './database.ts';
import { narrow, tooWide } from './listed-columns.ts';
import type { PolicyLists } from './policy-lists.ts';
import type { Revisions } from './revisions.ts';
import { listChanges, lists, operators } from './tables.ts';

const {
  uid,
  entries: _,
  ...plain
} = {
  uid: lists.uid,
  name: lists.name,
  kind: lists.kind,
  description: lists.description,
  version: lists.version,
  entryCount: lists.entryCount,
  entries: lists.entries,
  createdAt: lists.createdAt,
  updatedAt: lists.updatedAt,
};

export function createLists(
  { db, writer, read }: Sqlite,
  policyLists: PolicyLists,
  revisions: Revisions,
): ListStore {
  const rowOf = (id: string) => db.select().from(lists).where(eq(lists.uid, id.toLowerCase())).get();
  const find = (id: string): StoredList | null => {
    const row = rowOf(id);
    return row ? toStored(row) : null;
  };
  const record = (
    listUid: string,
    version: number,
    { at, author, note }: ListChangeBy,
    before: readonly string[],
    after: readonly string[],
  ): void => {
    const difference = differenceOf(before, after);
    db.insert(listChanges)
      .values({ listUid, version, author, note, ...difference, createdAt: at })
      .run();
  };

  return {
    create: (list, by) =>
      writer.run(() => {
        const { id, entries } = list;
        const taken = db.select({ id: lists.id }).from(lists).where(eq(lists.name, list.name)).get();
        if (taken) return 'name_taken';
        if ((db.select({ total: count() }).from(lists).get()?.total ?? 0) >= mostLists) return 'too_many';
        db.insert(lists)
          .values({ uid: id, ...newListColumns(list) })
          .run();
        record(id, 1, by, [], entries);
        return find(id) as StoredList;
      }),

    find: (id) => read(() => find(id)),

    isRead: (name) => read(() => policyLists.isRead(name)),

    names: () =>
      read(() =>
        db
          .select({ name: lists.name })
          .from(lists)
          .orderBy(asc(lists.name))
          .all()
          .map(({ name }) => name),
      ),

    list: (page, { kind }) =>
      read(() => {
        const where = kind && eq(lists.kind, kind);
        return {
          items: db
            .select({ id: uid, ...plain })
            .from(lists)
            .where(where)
            .orderBy(desc(lists.id))
            .limit(page.size)
            .offset(offsetOf(page))
            .all(),
          total: db.select({ total: count() }).from(lists).where(where).get()?.total ?? 0,
        };
      }),

    change: (id, { description, entries: change }, expected, by) =>
      writer.run(() => {
        const before = find(id);
        if (!before) return 'no_list';
        if (expected && !expected.has(before.version)) return 'outdated';
        const changed = change(before.entries);
        if ('refusal' in changed) return changed;
        const { entries } = changed;
        const version = before.version + 1;
        db.update(lists)
          .set({
            ...(description !== undefined && { description }),
            version,
            ...entryColumns(entries),
            updatedAt: by.at,
          })
          .where(eq(lists.uid, before.id))
          .run();
        record(before.id, version, by, before.entries, entries);
        if (policyLists.isRead(before.name)) revisions.raiseAll();
        return find(id) as StoredList;
      }),

    delete: (id, expected) =>
      writer.run(() => {
        const before = find(id);
        if (!before) return 'no_list';
        if (expected && !expected.has(before.version)) return 'outdated';
        const usedBy = policyLists.usersOf(before.name);
        if (usedBy.length > 0) return { usedBy };
        db.delete(lists).where(eq(lists.uid, before.id)).run();
        return before;
      }),

    findEntries: (id, version) =>
      read(() =>
        entriesOfChanges(
          db
            .select()
            .from(listChanges)
            .where(and(eq(listChanges.listUid, id), lte(listChanges.version, version)))
            .orderBy(asc(listChanges.version))
            .all(),
          version,
        ),
      ),

    listChanges: (id, page, mostBytes) =>
      read(() => {
        const list = find(id);
        if (!list) return null;
        const where = eq(listChanges.listUid, list.id);
        const { added, removed } = listChanges;
        return {
          items: db
            .select({
              version: listChanges.version,
              author: listChanges.author,
              authorName: operators.name,
              note: listChanges.note,
              added: narrow<string>(added, mostBytes),
              removed: narrow<string>(removed, mostBytes),
              createdAt: listChanges.createdAt,
              omitted: tooWide({ added, removed }, mostBytes),
            })
            .from(listChanges)
            .leftJoin(operators, eq(operators.uid, listChanges.author))
            .where(where)
            .orderBy(desc(listChanges.version))
            .limit(page.size)
            .offset(offsetOf(page))
            .all()
            .map((row) => ({ ...toListChange(row), omitted: namesIn(row.omitted) })),
          total: db.select({ total: count() }).from(listChanges).where(where).get()?.total ?? 0,
        };
      }),
  };
}

const toStored = ({ id: _, uid, ...row }: typeof lists.$inferSelect): StoredList =>
  toStoredList({ id: uid, ...row });
