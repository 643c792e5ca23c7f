import type { NewList, StoredList } from './lists.ts';
import { parseList } from './parse-list.ts';

/** Every list is read by each check of a policy. */
export const mostLists = 1_000;

/** How entries stand in a row. */
export const entryColumns = (entries: readonly string[]) => ({
  entries: JSON.stringify(entries),
  entryCount: entries.length,
});

/** Without the id, which each backend names itself. */
export const newListColumns = ({ id: _, entries, ...list }: NewList) => ({
  ...list,
  ...entryColumns(entries),
  version: 1,
  updatedAt: list.createdAt,
});

export const toStoredList = ({
  entryCount: _,
  ...row
}: Omit<StoredList, 'entries'> & { entries: string; entryCount: number }): StoredList => ({
  ...row,
  entries: parseList(row.entries),
});

/** JSON lists of the entries that a change adds and removes. */
export function differenceOf(before: readonly string[], after: readonly string[]) {
  const [had, has] = [new Set(before), new Set(after)];
  return {
    added: JSON.stringify(after.filter((entry) => !had.has(entry))),
    removed: JSON.stringify(before.filter((entry) => !has.has(entry))),
  };
}

interface ChangeRow {
  added: string | null;
  removed: string | null;
}
export const toListChange = <T extends ChangeRow>({ added, removed, ...rest }: T) => ({
  ...rest,
  added: added === null ? null : parseList<string>(added),
  removed: removed === null ? null : parseList<string>(removed),
});
