import { and, asc, desc, eq, getTableColumns, lte } from 'drizzle-orm';
import { all, type Db, first, run, type Sql, type Step, totalOf } from '../../sql/steps.ts';
import { namesIn, narrow, tooWide } from '../../sql/wide-texts.ts';
import { offsetOf, type Page, type PageRequest } from '../../store/pages.ts';
import { parseList } from '../../store/rows.ts';
import type { ListKind } from './words.ts';

export interface StoredList {
  id: string;
  name: string;
  kind: ListKind;
  description: string | null;
  /** Raised by each change. */
  version: number;
  /** In alphabetical order, each once. */
  entries: string[];
  createdAt: number;
  updatedAt: number;
}

export interface ListedList extends Omit<StoredList, 'entries'> {
  entryCount: number;
}

export type NewList = Omit<StoredList, 'version' | 'updatedAt'>;

/** Who changes a list, when and why. */
export interface ListChangeBy {
  at: number;
  /** The id of the operator; null for the service itself. */
  author: string | null;
  note: string | null;
}

export interface StoredListChange {
  version: number;
  author: string | null;
  /** Null for an id that no operator has. */
  authorName: string | null;
  note: string | null;
  added: string[] | null;
  removed: string[] | null;
  createdAt: number;
  /** Names of the fields that were left out. */
  omitted: string[];
}

/** Computes the entries that a list gets from those that it has; a text says why the change is refused. */
export type ChangeEntries = (entries: readonly string[]) => { entries: string[] } | { refusal: string };

/** Lists that policies of all integrations read by name. */
export interface ListStore {
  create(list: NewList, by: ListChangeBy): Promise<StoredList | 'name_taken' | 'too_many'>;
  find(id: string): Promise<StoredList | null>;
  /** The names of all lists. */
  names(): Promise<string[]>;
  /** Whether any version of a policy reads a list of this name. */
  isRead(name: string): Promise<boolean>;
  /** Newest first. */
  list(page: PageRequest, filter: { kind?: ListKind }): Promise<Page<ListedList>>;
  /**
   * `change` is called inside the step, with the entries as they are. 'outdated': the version of the list is not among the expected
   * ones (null: any version will do).
   */
  change(
    id: string,
    change: { description?: string | null; entries: ChangeEntries },
    expected: ReadonlySet<number> | null,
    by: ListChangeBy,
  ): Promise<StoredList | 'no_list' | 'outdated' | { refusal: string }>;
  /** `usedBy`: names of policies, not DEPRECATED, whose current, latest or scheduled version reads the list. */
  delete(
    id: string,
    expected: ReadonlySet<number> | null,
  ): Promise<StoredList | 'no_list' | 'outdated' | { usedBy: string[] }>;
  /** The entries that a list had in a version, also when it is deleted; null when they are not known. */
  findEntries(id: string, version: number): Promise<string[] | null>;
  /** Newest first; wider texts are left out without being read. Null when there is no such list. */
  listChanges(id: string, page: PageRequest, mostBytes: number): Promise<Page<StoredListChange> | null>;
}

/** Which lists the versions of policies read. */
export interface ListReaders {
  /** Whether any version reads the list. */
  isRead(db: Db, list: string): Step<boolean>;
  /** Names of the policies, not DEPRECATED, whose current, latest or scheduled version reads the list. */
  usersOf(db: Db, list: string): Step<string[]>;
}

/** Every list is read by each check of a policy. */
const mostLists = 1_000;

export function createListStore(sql: Sql, readers: ListReaders): ListStore {
  const { lists, listChanges, operators } = sql.tables;
  const { entries: _, ...summary } = getTableColumns(lists);

  function* find(db: Db, id: string): Step<StoredList | null> {
    const row = yield* first(db.select().from(lists).where(eq(lists.id, id.toLowerCase())));
    if (!row) return null;
    const { entryCount: _, entries, ...list } = row;
    return { ...list, entries: parseList(entries) };
  }

  function* recordChange(
    db: Db,
    list: StoredList,
    { at, author, note }: ListChangeBy,
    difference: { added: string; removed: string },
  ): Step<StoredList> {
    const { id: listId, version } = list;
    yield* run(
      db.insert(listChanges).values({ listId, version, author, note, ...difference, createdAt: at }),
    );
    return list;
  }

  return {
    create: (list, by) =>
      sql.change(function* (db) {
        const { entries, ...plain } = { ...list, version: 1, updatedAt: list.createdAt };
        if ((yield* totalOf(db, lists, eq(lists.name, list.name))) > 0) return 'name_taken';
        if ((yield* totalOf(db, lists)) >= mostLists) return 'too_many';
        yield* run(db.insert(lists).values({ ...plain, ...entryColumns(entries) }));
        return yield* recordChange(db, { ...plain, entries }, by, differenceOf([], entries));
      }),

    find: (id) => sql.read((db) => find(db, id)),

    names: () =>
      sql.read(function* (db) {
        const rows = yield* all(db.select({ name: lists.name }).from(lists).orderBy(asc(lists.name)));
        return rows.map(({ name }) => name);
      }),

    isRead: (name) => sql.read((db) => readers.isRead(db, name)),

    list: (page, { kind }) =>
      sql.read(function* (db) {
        const where = kind && eq(lists.kind, kind);
        const items = yield* all(
          db
            .select(summary)
            .from(lists)
            .where(where)
            .orderBy(desc(lists.createdAt), desc(lists.id))
            .limit(page.size)
            .offset(offsetOf(page)),
        );
        return { items, total: yield* totalOf(db, lists, where) };
      }),

    change: (id, { description, entries: changeEntries }, expected, by) =>
      sql.change(function* (db) {
        const before = yield* find(db, id);
        if (!before) return 'no_list';
        if (expected && !expected.has(before.version)) return 'outdated';
        const changed = changeEntries(before.entries);
        if ('refusal' in changed) return changed;
        const { entries } = changed;
        const next = {
          version: before.version + 1,
          updatedAt: by.at,
          ...(description !== undefined && { description }),
        };
        yield* run(
          db
            .update(lists)
            .set({ ...next, ...entryColumns(entries) })
            .where(eq(lists.id, before.id)),
        );
        if (yield* readers.isRead(db, before.name)) yield* sql.raiseRevisions(db);
        const difference = differenceOf(before.entries, entries);
        return yield* recordChange(db, { ...before, ...next, entries }, by, difference);
      }),

    delete: (id, expected) =>
      sql.change(function* (db) {
        const before = yield* find(db, id);
        if (!before) return 'no_list';
        if (expected && !expected.has(before.version)) return 'outdated';
        const usedBy = yield* readers.usersOf(db, before.name);
        if (usedBy.length > 0) return { usedBy };
        yield* run(db.delete(lists).where(eq(lists.id, before.id)));
        return before;
      }),

    findEntries: (id, version) =>
      sql.read(function* (db) {
        const changes = yield* all(
          db
            .select()
            .from(listChanges)
            .where(and(eq(listChanges.listId, id), lte(listChanges.version, version)))
            .orderBy(asc(listChanges.version)),
        );
        return entriesOfChanges(changes, version);
      }),

    listChanges: (id, page, mostBytes) =>
      sql.read(function* (db) {
        const list = yield* find(db, id);
        if (!list) return null;
        const where = eq(listChanges.listId, list.id);
        const { version, author, note, added, removed, createdAt } = listChanges;
        const rows = yield* all(
          db
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
            .leftJoin(operators, sql.isOperator(author))
            .where(where)
            .orderBy(desc(version))
            .limit(page.size)
            .offset(offsetOf(page)),
        );
        return {
          items: rows.map(({ added, removed, omitted, ...change }) => ({
            ...change,
            added: added === null ? null : parseList<string>(added),
            removed: removed === null ? null : parseList<string>(removed),
            omitted: namesIn(omitted),
          })),
          total: yield* totalOf(db, listChanges, where),
        };
      }),
  };
}

const entryColumns = (entries: readonly string[]) => ({
  entries: JSON.stringify(entries),
  entryCount: entries.length,
});

/** JSON lists of the entries that a change adds and removes. */
function differenceOf(before: readonly string[], after: readonly string[]) {
  const [had, has] = [new Set(before), new Set(after)];
  return {
    added: JSON.stringify(after.filter((entry) => !had.has(entry))),
    removed: JSON.stringify(before.filter((entry) => !has.has(entry))),
  };
}

/** The entries that a list had in a version, of all its changes up to then; null when that version is not among them. */
export function entriesOfChanges(
  changes: readonly { version: number; added: string; removed: string }[],
  version: number,
): string[] | null {
  if (changes.at(-1)?.version !== version) return null;
  const entries = new Set<string>();
  for (const { added, removed } of changes) {
    for (const entry of JSON.parse(removed) as string[]) entries.delete(entry);
    for (const entry of JSON.parse(added) as string[]) entries.add(entry);
  }
  return [...entries].sort();
}
