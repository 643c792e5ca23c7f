import type { ListKind } from '../schemas/lists.ts';
import type { Page, PageRequest } from './pages.ts';

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

/** What a change makes of a list; a text says why it is refused. */
export type ChangeEntries = (entries: readonly string[]) => { entries: string[] } | { refusal: string };

/** Lists that policies of all integrations read by name. */
export interface ListStore {
  create(list: NewList, by: ListChangeBy): Promise<StoredList | 'name_taken' | 'too_many'>;
  find(id: string): Promise<StoredList | null>;
  /** Of every list. */
  names(): Promise<string[]>;
  /** Whether any version of a policy reads a list of this name. */
  isRead(name: string): Promise<boolean>;
  /** Newest first. */
  list(page: PageRequest, filter: { kind?: ListKind }): Promise<Page<ListedList>>;
  /**
   * `change` is called inside the step, with the entries as they are. 'outdated': the list has a version that is not among
   * the expected ones (null: any will do).
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
