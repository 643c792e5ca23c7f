import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { Pagination } from '../../../client/index.ts';
import type { Response } from '../../data/api.ts';
import { count } from '../../data/format.ts';
import { density } from '../../data/operator/preferences.ts';
import { may } from '../../data/operator/sign-in.ts';
import type { Resource } from '../../data/resource.ts';
import { query, segments, setQuery, to } from '../../data/route.ts';
import { csvOf, saveFile } from '../../data/save-file.ts';
import { words } from '../../strings/index.ts';
import { Heading } from '../frame/heading.tsx';
import { Icon, type IconName } from '../icon.tsx';
import { Link } from '../link.tsx';
import { Empty, Show } from '../states.tsx';
import { removeView, type SavedView, saveView, views } from './filters.tsx';
import {
  type Column,
  Matches,
  orderInUrl,
  Rows,
  type RowsProps,
  shownColumns,
  shownRows,
  tableTexts,
} from './table.tsx';

interface MenuProps {
  icon: IconName;
  label: string;
  children: ComponentChildren;
}

/** A button that opens a small panel below it. Esc, and a press elsewhere, close it. */
function Menu({ icon, label, children }: MenuProps) {
  const element = useRef<HTMLDetailsElement>(null);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const close = (event: Event) => {
      const details = element.current;
      if (details?.open && !details.contains(event.target as Node)) details.open = false;
    };
    addEventListener('pointerdown', close);
    addEventListener('focusin', close);
    return () => {
      removeEventListener('pointerdown', close);
      removeEventListener('focusin', close);
    };
  }, []);
  const closeByKey = (event: KeyboardEvent) => {
    const details = element.current;
    if (event.key !== 'Escape' || !details?.open) return;
    event.stopPropagation();
    details.open = false;
    details.querySelector('summary')?.focus();
  };
  return (
    <details
      class="menu"
      ref={element}
      onKeyDown={closeByKey}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary class="button small">
        <Icon name={icon} size={14} />
        <span>{label}</span>
      </summary>
      {isOpen && <div class="menu-panel">{children}</div>}
    </details>
  );
}

/** Whether the service counted to the end: it stops at 10,001 where more would take long. */
const stopsAt = 10_001;

const totalText = (total: number): string => {
  const { common } = words.value;
  return total >= stopsAt ? common.moreThan(count(stopsAt - 1)) : common.total(count(total));
};

export function Pager({ pagination: { total, page, size } }: { pagination: Pagination }) {
  const { common } = words.value;
  const pages = Math.max(1, Math.ceil(total / size));
  // The address may name a page that is not there, or not any more.
  const open = (next: number) =>
    setQuery({ page: next <= 1 ? null : String(Math.min(next, pages)), id: null });
  return (
    <nav class="pager" aria-label={common.page(page, pages)}>
      <span class="quiet">{totalText(total)}</span>
      {pages > 1 && (
        <>
          <button type="button" class="button small" disabled={page <= 1} onClick={() => open(page - 1)}>
            {common.newer}
          </button>
          <span>{common.page(page, pages)}</span>
          <button type="button" class="button small" disabled={page >= pages} onClick={() => open(page + 1)}>
            {common.older}
          </button>
        </>
      )}
    </nav>
  );
}

interface ListProps<T> {
  resource: Resource<Response<T[]>>;
  /** The meaning of an empty list, and what to do about it. */
  none: string;
  hint?: string;
  children: (entries: readonly T[]) => ComponentChildren;
}

/** A page of a list in every state, with the way to its other pages. */
export function List<T>({ resource, none, hint, children }: ListProps<T>) {
  return (
    <Show resource={resource}>
      {({ data, pagination }) =>
        pagination.total === 0 ? (
          <Empty title={none}>{hint && <p>{hint}</p>}</Empty>
        ) : (
          <>
            {children(data)}
            <Pager pagination={pagination} />
          </>
        )
      }
    </Show>
  );
}

interface ListTableProps<T, P extends Pagination> {
  /** The title of the list, for screen readers and for the file of its CSV. */
  title: string;
  columns: readonly Column<T>[];
  keyOf: (row: T) => string;
  resource: Resource<{ data: T[]; pagination: P }>;
  /** The meaning of an empty list, and what to do about it. */
  none: string | ((pagination: P) => string);
  hint?: string;
  pager?: (pagination: P) => ComponentChildren;
  actions?: RowsProps<T>['actions'];
  /** The filters. */
  children?: ComponentChildren;
}

/** The table of every list: filters, search, order, columns, saved views and CSV, all in the address. */
export function ListTable<T, P extends Pagination = Pagination>(props: ListTableProps<T, P>) {
  const { title, columns, keyOf, resource, none, hint, actions, children } = props;
  const { pager = (pagination: P) => <Pager pagination={pagination} /> } = props;
  const { state } = resource;
  const chosen = shownColumns(columns);
  const loaded = state.is === 'ready' ? state.data.data : [];
  const rows = shownRows(loaded, chosen);
  return (
    <>
      <div class="filters">
        <Find />
        <Tools title={title} columns={columns} chosen={chosen} rows={rows} />
        {children && <FilterFields>{children}</FilterFields>}
      </div>
      <Show resource={resource}>
        {({ data, pagination }) => (
          <>
            {data.length === 0 ? (
              <Empty title={noneText(none, pagination)}>
                {hint && filtersInUrl().length === 0 && <p>{hint}</p>}
                <ClearFilters />
              </Empty>
            ) : rows.length === 0 ? (
              <Empty title={words.value.table.noMatch}>
                <ClearFilters />
              </Empty>
            ) : (
              <Rows columns={chosen} rows={rows} keyOf={keyOf} label={title} actions={actions} />
            )}
            <div class="list-end">
              <Matches shown={rows.length} loaded={data.length} />
              {orderInUrl() && pagination.total > data.length && (
                <span class="quiet">{words.value.table.sortedHere}</span>
              )}
              {pagination.total > 0 && pager(pagination)}
            </div>
          </>
        )}
      </Show>
    </>
  );
}

interface ManagedListProps<T> extends Omit<ListTableProps<T, Pagination>, 'keyOf'> {
  /** Needed to create one. */
  permission: string;
  createLabel: string;
  /** The dialog that creates one. */
  create: (close: () => void) => ComponentChildren;
}

/** The page of a noun that operators manage: its title with the button that creates one, and its list. */
export function ManagedList<T extends { id: string }>(props: ManagedListProps<T>) {
  const { permission, createLabel, create, ...list } = props;
  const [isCreating, setCreating] = useState(false);
  return (
    <>
      <Heading title={list.title}>
        {may(permission) && (
          <button type="button" class="button primary" onClick={() => setCreating(true)}>
            {createLabel}
          </button>
        )}
      </Heading>
      <ListTable {...list} keyOf={({ id }) => id} />
      {isCreating && create(() => setCreating(false))}
    </>
  );
}

const noneText = <P,>(none: string | ((pagination: P) => string), pagination: P): string =>
  typeof none === 'function'
    ? none(pagination)
    : filtersInUrl().length > 0
      ? words.value.table.noneFound
      : none;

/** Parameters of the address that choose how a list is shown, and not what is in it. */
const ofTheLook = ['sort', 'columns', 'page', 'before', 'view', 'id'];

const filtersInUrl = (): string[] => [...query.value.keys()].filter((name) => !ofTheLook.includes(name));

/** Whether the address has a filter or a search. */
export const isNarrowed = (): boolean => filtersInUrl().some((name) => name !== 'status');

/** A button, while there is something to clear. */
export function ClearFilters() {
  const names = filtersInUrl();
  if (names.length === 0) return null;
  const clear = () => setQuery(Object.fromEntries([...names, 'page', 'before'].map((name) => [name, null])));
  return (
    <button type="button" class="button" onClick={clear}>
      {words.value.table.clear}
    </button>
  );
}

/** Narrows the rows that are loaded with every letter that is typed. */
export function Find() {
  const { table: text } = words.value;
  const id = useId();
  return (
    <div class="find">
      <label for={id} class="visually-hidden">
        {text.find}
      </label>
      <Icon name="search" size={16} />
      <input
        id={id}
        type="search"
        placeholder={text.find}
        maxLength={200}
        value={query.value.get('find') ?? ''}
        onInput={(event) => setQuery({ find: event.currentTarget.value, id: null }, { keep: false })}
      />
    </div>
  );
}

/** In sight, except where the window is narrow: there a button unfolds them. */
export function FilterFields({ children }: { children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <button
        type="button"
        class="button small unfold"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {words.value.table.filters}
      </button>
      <div id={id} class={isOpen ? 'filter-fields open' : 'filter-fields'}>
        {children}
      </div>
    </>
  );
}

interface ToolsProps<T> {
  title: string;
  columns: readonly Column<T>[];
  chosen: readonly Column<T>[];
  rows: readonly T[];
}

/**
 * The entry beside its list: the one that the address names, or else the first. From then on the address names it, so that a newer
 * entry at the top does not replace it. Not while `isStale`: the list still shows entries that were just decided.
 */
export function useEntry(entries: readonly { id: string }[], isStale = false): string | null {
  const asked = query.value.get('id');
  const isWide = matchMedia('(min-width: 900px)').matches;
  const id = asked ?? (isWide ? (entries[0]?.id ?? null) : null);
  useEffect(() => {
    if (!isStale) setQuery({ id }, { keep: false });
  }, [id, asked, isStale]);
  return id;
}

/** Saved views and CSV of a list beside a detail. Columns and density cannot be chosen, as its rows have one form. */
export const EntryTools = <T,>(props: CsvProps<T>) => (
  <div class="tools">
    <Views />
    <Csv {...props} />
  </div>
);

type CsvProps<T> = Pick<ToolsProps<T>, 'title' | 'columns' | 'rows'>;

function Csv<T>({ title, columns, rows }: CsvProps<T>) {
  const save = () => {
    const name = `${title} ${new Date().toISOString().slice(0, 16).replace(':', '')}.csv`;
    saveFile(name.replaceAll(' ', '-').toLowerCase(), csvOf(tableTexts(columns, rows)));
  };
  return (
    <button type="button" class="button small" disabled={rows.length === 0} onClick={save}>
      <Icon name="download" size={14} />
      <span>{words.value.table.csv}</span>
    </button>
  );
}

function Tools<T>({ title, columns, chosen, rows }: ToolsProps<T>) {
  const { table: text } = words.value;
  const isCompact = density.value === 'compact';
  return (
    <div class="tools">
      <Views />
      {columns.length > 2 && <ColumnChoice columns={columns} chosen={chosen} />}
      <button
        type="button"
        class="button small"
        aria-pressed={isCompact}
        onClick={() => {
          density.value = isCompact ? 'comfortable' : 'compact';
        }}
      >
        <Icon name="density" size={14} />
        <span>{text.compact}</span>
      </button>
      <Csv title={title} columns={chosen} rows={rows} />
    </div>
  );
}

function ColumnChoice<T>({ columns, chosen }: Pick<ToolsProps<T>, 'columns' | 'chosen'>) {
  const toggle = (id: string) => {
    const isShown = chosen.some((one) => one.id === id);
    const next = columns.filter((one) => (one.id === id ? !isShown : chosen.includes(one)));
    const isUsual = next.every((one) => one.isOptional !== true) && next.length === usual(columns);
    setQuery({ columns: isUsual ? null : next.map((one) => one.id).join() }, { keep: false });
  };
  return (
    <Menu icon="columns" label={words.value.table.columns}>
      {columns.slice(1).map((column) => (
        <label key={column.id} class="check">
          <input type="checkbox" checked={chosen.includes(column)} onChange={() => toggle(column.id)} />{' '}
          {column.heading}
        </label>
      ))}
    </Menu>
  );
}

const usual = (columns: readonly { isOptional?: boolean }[]): number =>
  columns.filter(({ isOptional }) => isOptional !== true).length;

/** The page as it is now, under a name; and those that were saved of it before. */
function Views() {
  const { table: text, common } = words.value;
  const [name, setName] = useState('');
  const path = to(...segments.value);
  const own = views.value.filter(({ href }) => href.split('?')[0] === path);
  const save = (event: Event) => {
    event.preventDefault();
    const parameters = new URLSearchParams(query.value);
    for (const one of ['page', 'before', 'id']) parameters.delete(one);
    if (name.trim() === '') return;
    saveView({ name: name.trim(), href: `${path}?${parameters}` });
    setName('');
  };
  return (
    <Menu icon="views" label={text.views}>
      {own.length === 0 ? <p class="quiet">{text.noViews}</p> : <ViewList of={own} />}
      <form onSubmit={save}>
        <input
          type="text"
          value={name}
          maxLength={60}
          placeholder={text.viewName}
          aria-label={text.viewName}
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <button type="submit" class="button small" disabled={name.trim() === ''}>
          {common.save}
        </button>
      </form>
    </Menu>
  );
}

function ViewList({ of }: { of: readonly SavedView[] }) {
  return (
    <ul>
      {of.map((view) => (
        <li key={view.name}>
          <Link href={view.href}>{view.name}</Link>
          <button
            type="button"
            class="link"
            aria-label={words.value.table.removeView(view.name)}
            onClick={() => removeView(view)}
          >
            ×
          </button>
        </li>
      ))}
    </ul>
  );
}
