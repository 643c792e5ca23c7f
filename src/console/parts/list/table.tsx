import type { ComponentChildren } from 'preact';
import { count } from '../../data/format.ts';
import { query, setQuery, to } from '../../data/route.ts';
import { visibleText } from '../../data/visible-text.ts';
import { words } from '../../strings/index.ts';
import { Time } from '../badges.tsx';
import { Icon } from '../icon.tsx';
import { Link } from '../link.tsx';
import { Visible } from '../visible.tsx';

interface TableProps {
  /** The headings of the columns, each different; empty for that of the buttons. */
  headings: readonly string[];
  /** The rows, each with a heading of its own. */
  children: ComponentChildren;
}

/** The style with each column's name: where rows are cards, a value says which it is. */
const columnNames = (headings: readonly string[]): Record<string, string> =>
  Object.fromEntries(headings.map((heading, place) => [`--column-${place + 1}`, JSON.stringify(heading)]));

/** A short table inside a page, whose rows become cards where the window is narrow. Lists use `ListTable`. */
export function Table({ headings, children }: TableProps) {
  return (
    <div class="table-frame">
      <table class="stacking" style={columnNames(headings)}>
        <thead>
          <tr>
            {headings.map((heading) => (
              <th key={heading} scope="col">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

/** A column of a list. */
export interface Column<T> {
  /** In the address. */
  id: string;
  heading: string;
  /** The value that rows are sorted by. A time is as the API has it. */
  value: (row: T) => string | number;
  /** Searched, and in the CSV, instead of the value. */
  text?: (row: T) => string | number;
  /** Instead of the value. */
  show?: (row: T) => ComponentChildren;
  /** How wide it may become, and how its values line up. */
  kind?: 'name' | 'mark' | 'number' | 'time';
  /** Shown once it is chosen. */
  isOptional?: boolean;
}

/** The name, which opens the page of its noun. */
export const nameColumn = (noun: string): Column<{ id: string; name: string }> => ({
  id: 'name',
  heading: words.value.common.name,
  value: ({ name }) => name,
  show: ({ id, name }) => (
    <Link href={to(noun, id)}>
      <Visible text={name} />
    </Link>
  ),
});

export const idColumn = (): Column<{ id: string }> => ({
  id: 'id',
  heading: words.value.table.id,
  isOptional: true,
  value: ({ id }) => id,
  show: ({ id }) => <code>{id}</code>,
});

/** The columns that the address names, or else those that are not optional. The first one names the row, and stays. */
export function shownColumns<T>(columns: readonly Column<T>[]): Column<T>[] {
  const asked = query.value.get('columns')?.split(',');
  return columns.filter(
    ({ id, isOptional }, place) => place === 0 || (asked ? asked.includes(id) : isOptional !== true),
  );
}

interface Order {
  id: string;
  isDescending: boolean;
}

/** `sort=started`, or `sort=-started` for the largest first. Null: as the service lists them. */
export function orderInUrl(): Order | null {
  const asked = query.value.get('sort');
  if (!asked) return null;
  const isDescending = asked.startsWith('-');
  return { id: isDescending ? asked.slice(1) : asked, isDescending };
}

/** Whether every word that is searched for is in one of these. */
export function isFound(texts: readonly (string | number | null)[]): boolean {
  const text = texts.join('\n').toLowerCase();
  return searchedWords().every((word) => text.includes(word));
}

const searchedWords = (): string[] =>
  (query.value.get('find') ?? '').toLowerCase().split(/\s+/).filter(Boolean);

/** The rows that have every word that is searched for, in the order that was chosen. */
export function shownRows<T>(rows: readonly T[], columns: readonly Column<T>[]): readonly T[] {
  // Nothing is read of rows that nobody searches or sorts: a name that comes late renders its cell alone.
  const found =
    searchedWords().length === 0
      ? rows
      : rows.filter((row) => isFound(columns.map((column) => textOf(column, row))));
  const order = orderInUrl();
  const column = columns.find(({ id }) => id === order?.id);
  if (!order || !column) return found;
  const sign = order.isDescending ? -1 : 1;
  return found.toSorted((one, other) => sign * compare(column.value(one), column.value(other)));
}

const textOf = <T,>({ value, text = value }: Column<T>, row: T): string | number => text(row);

const compare = (one: string | number, other: string | number): number =>
  typeof one === 'number' && typeof other === 'number'
    ? one - other
    : String(one).localeCompare(String(other), undefined, { numeric: true });

export interface RowsProps<T> {
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf: (row: T) => string;
  label: string;
  /** The buttons at the end of a row, where the person may press them. */
  actions?: ((row: T) => ComponentChildren) | false | undefined;
}

/** The rows of a list, with headings that sort them. */
export function Rows<T>({ columns, rows, keyOf, label, actions }: RowsProps<T>) {
  return (
    <div class="table-frame">
      <table class="data stacking" aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <SortHeading key={column.id} column={column} />
            ))}
            {actions && <th />}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column, place) => (
                <Cell key={column.id} column={column} row={row} isName={place === 0} />
              ))}
              {actions && (
                <td>
                  <span class="row-buttons">{actions(row)}</span>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function SortHeading<T>({ column: { id, heading, kind } }: { column: Column<T> }) {
  const order = orderInUrl();
  const isSorted = order?.id === id;
  // Numbers and times begin with the largest: it is what a person looks for. The third press gives the order of the service.
  const first = kind === 'number' || kind === 'time';
  const next = !isSorted
    ? first
      ? `-${id}`
      : id
    : order.isDescending === first
      ? first
        ? id
        : `-${id}`
      : null;
  return (
    <th
      scope="col"
      class={kind}
      aria-sort={isSorted ? (order.isDescending ? 'descending' : 'ascending') : undefined}
    >
      <button type="button" class="sort" onClick={() => setQuery({ sort: next })}>
        {heading}
        {isSorted && <Icon name={order.isDescending ? 'down' : 'up'} size={12} />}
      </button>
    </th>
  );
}

function Cell<T>({ column, row, isName }: { column: Column<T>; row: T; isName: boolean }) {
  const { heading, kind } = column;
  return isName ? (
    <th scope="row" class={kind ?? 'name'}>
      {contentOf(column, row)}
    </th>
  ) : (
    <td class={kind} data-label={heading}>
      {contentOf(column, row)}
    </td>
  );
}

function contentOf<T>({ value, show, kind }: Column<T>, row: T): ComponentChildren {
  if (show) return show(row);
  const found = value(row);
  if (typeof found === 'number') return count(found);
  if (kind === 'time') return found && <Time at={found} />;
  return found && <Visible text={found} />;
}

/** The rows of a CSV: the headings, and every row as it is shown. */
export const tableTexts = <T,>(columns: readonly Column<T>[], rows: readonly T[]): (string | number)[][] => [
  columns.map(({ heading }) => heading),
  ...rows.map((row) =>
    columns.map((column) => {
      const found = textOf(column, row);
      return typeof found === 'string' ? visibleText(found) : found;
    }),
  ),
];

/** How many rows match, where only some are shown. */
export function Matches({ shown, loaded }: { shown: number; loaded: number }) {
  if (shown === loaded) return null;
  return <span class="quiet">{words.value.table.matches(count(shown), count(loaded))}</span>;
}
