import { domainToASCII } from 'node:url';
import { AppError } from '../../errors.ts';
import { type OperatorCaller, personOf } from '../../services/access/authentication.ts';
import {
  entryBytes,
  fitEntry,
  type Listed,
  type ResponsePage,
  responsePage,
} from '../../services/list-entries.ts';
import { found, notFound, outdated } from '../../services/refusals.ts';
import { createSteps, type NextStep } from '../../services/steps.ts';
import { isoTime } from '../../services/times.ts';
import type { ListedList, PageRequest, Store, StoredList } from '../../store/store.ts';
import {
  type ChangeList,
  type CreateList,
  type ListChange,
  type ListKind,
  mostListCharacters,
  mostListEntries,
  type SharedList,
  type SharedListSummary,
} from './schema.ts';

export interface Lists {
  create(caller: OperatorCaller, request: CreateList): Promise<SharedList>;
  read(id: string): Promise<SharedList>;
  list(page: PageRequest, filter: { kind?: ListKind }): Promise<ResponsePage<SharedListSummary>>;
  /** Decides by it from the next request on. `expected`: versions that it may have; null is any. */
  change(
    caller: OperatorCaller,
    id: string,
    request: ChangeList,
    expected: ReadonlySet<number> | null,
  ): Promise<SharedList>;
  /** Refuses one that a policy reads. */
  delete(id: string, expected: ReadonlySet<number> | null): Promise<SharedList>;
  listChanges(id: string, page: PageRequest): Promise<ResponsePage<Listed<ListChange>>>;
}

export function createLists(deps: { store: Store; now: () => number; newId: () => string }): Lists {
  const { store, now, newId } = deps;
  const by = ({ operator }: OperatorCaller, note: string | undefined) => ({
    at: now(),
    author: operator.id,
    note: note ?? null,
  });

  return {
    async create(caller, { name, kind, description = null, entries = [], note }) {
      const step = createSteps();
      const kept = sorted(await readEntries(kind, entries, '/entries', step));
      await step();
      const refusal = sizeProblem(kept);
      if (refusal) throw new AppError('invalid', refusal, { path: '/entries' });
      const list = { id: newId(), name, kind, description, entries: kept, createdAt: now() };
      const created = await store.lists.create(list, by(caller, note));
      if (created === 'name_taken')
        throw new AppError('conflict', 'another list has this name', { path: '/name' });
      if (created === 'too_many')
        throw new AppError('conflict', 'there are 1,000 lists already, which is the maximum');
      await step();
      return shown(created);
    },

    read: async (id) => shown(found(await store.lists.find(id), 'list', id)),

    list: async (page, filter) => responsePage(await store.lists.list(page, filter), page, summary),

    async change(caller, id, { description, entries, add = [], remove = [], note }, expected) {
      const step = createSteps();
      const { kind } = found(await store.lists.find(id), 'list', id);
      const all = entries && (await readEntries(kind, entries, '/entries', step));
      const added = await readEntries(kind, add, '/add', step);
      const removed = new Set(await readEntries(kind, remove, '/remove', step));
      const both = added.findIndex((entry) => removed.has(entry));
      if (both !== -1) throw new AppError('invalid', 'must not be removed as well', { path: `/add/${both}` });
      // Then sorting them inside the step of the store takes no time.
      for (const part of [all, added]) part?.sort();
      await step();
      const changed = await store.lists.change(
        id,
        {
          ...(description !== undefined && { description }),
          entries(before) {
            const kept = sorted([...(all ?? before), ...added].filter((entry) => !removed.has(entry)));
            const refusal = sizeProblem(kept);
            return refusal ? { refusal } : { entries: kept };
          },
        },
        expected,
        by(caller, note),
      );
      if (changed === 'no_list') throw notFound('list', id);
      if (changed === 'outdated') throw outdated();
      if ('refusal' in changed)
        throw new AppError('invalid', changed.refusal, { path: entries ? '/entries' : '/add' });
      await step();
      return shown(changed);
    },

    async delete(id, expected) {
      const deleted = await store.lists.delete(id, expected);
      if (deleted === 'no_list') throw notFound('list', id);
      if (deleted === 'outdated') throw outdated();
      if ('usedBy' in deleted) {
        const names = deleted.usedBy.join(', ');
        throw new AppError(
          'conflict',
          `the list is read by the policies ${names}: deprecate or change them first`,
        );
      }
      return shown(deleted);
    },

    listChanges: async (id, page) =>
      responsePage(
        found(await store.lists.listChanges(id, page, entryBytes(page.size)), 'list', id),
        page,
        ({ author, authorName, added, removed, omitted, ...rest }) =>
          fitEntry<ListChange>(
            {
              ...rest,
              author: author === null ? null : personOf(author, authorName),
              added: added ?? [],
              removed: removed ?? [],
              createdAt: isoTime(rest.createdAt),
            },
            { added: [], removed: [] },
            entryBytes(page.size),
            omitted,
          ),
      ),
  };
}

/** Looking at the clock for each of 10,000 entries takes longer than reading them. */
const entriesInStep = 250;

const label = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;

/** Entries in the form in which rules see what they are compared with: hosts in lower case, names of tools trimmed. */
async function readEntries(
  kind: ListKind,
  entries: readonly string[],
  path: string,
  step: NextStep,
): Promise<string[]> {
  const read: string[] = [];
  for (const [place, entry] of entries.entries()) {
    read.push(readEntry(kind, entry, { path: `${path}/${place}` }));
    if (place % entriesInStep === 0) await step();
  }
  return read;
}

function readEntry(kind: ListKind, entry: string, at: { path: string }): string {
  if (kind === 'TOOLS') {
    const tool = entry.trim().normalize('NFC');
    if (tool === '') throw new AppError('invalid', 'must not be only white space', at);
    return tool;
  }
  if (kind !== 'DOMAINS') return entry;
  const host = domainToASCII(entry).toLowerCase().replace(/\.$/, '');
  const isHost =
    !/[\s/\\?#@:%]/.test(entry) && host.length <= 253 && host.split('.').every((part) => label.test(part));
  if (!isHost) throw new AppError('invalid', 'must be a host name, like mail.example.com', at);
  return host;
}

const sorted = (entries: readonly string[]): string[] => [...new Set(entries)].sort();

function sizeProblem(entries: readonly string[]): string | null {
  if (entries.length > mostListEntries) return `a list has at most ${mostListEntries} entries`;
  const characters = entries.reduce((sum, { length }) => sum + length, 0);
  return characters > mostListCharacters
    ? `the entries of a list have at most ${mostListCharacters} characters together`
    : null;
}

function summary({ createdAt, updatedAt, ...list }: ListedList): SharedListSummary {
  return { ...list, createdAt: isoTime(createdAt), updatedAt: isoTime(updatedAt) };
}

const shown = ({ entries, ...list }: StoredList): SharedList => ({
  ...summary({ ...list, entryCount: entries.length }),
  entries,
});

const pageSize = 200;

/** The entries of shared lists, by name. */
export async function entriesOfLists(
  lists: Pick<Store['lists'], 'list' | 'find'>,
  names: readonly string[],
): Promise<Record<string, readonly string[]>> {
  const entries: Record<string, readonly string[]> = {};
  for (let page = 1, left = names.length; left > 0; page++) {
    const { items, total } = await lists.list({ page, size: pageSize }, {});
    for (const { id, name } of items) {
      if (!names.includes(name)) continue;
      left--;
      entries[name] = (await lists.find(id))?.entries ?? [];
    }
    if (page * pageSize >= total) break;
  }
  return entries;
}
