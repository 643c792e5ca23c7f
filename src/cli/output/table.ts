import Table from 'cli-table3';
import { printable } from './printable.ts';
import type { Style } from './style.ts';

/** One column of a list, or one field of a record. */
export interface Column<T> {
  title: string;
  /** Null and undefined show as nothing. */
  of(item: T): string | number | boolean | null | undefined;
  /** A word with a colour of its own. */
  word?: boolean;
}

type Print = (text: string) => void;
const noBorders = Object.fromEntries(
  [
    'top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right',
    'left left-mid mid mid-mid right right-mid middle',
  ].flatMap((names) => names.split(' ').map((name) => [name, ''])),
);

/** With a style: aligned columns under titles. Without: lines of tab-separated values, which `cut` and `awk` read. */
export function printTable<T>(
  print: Print,
  items: readonly T[],
  columns: readonly Column<T>[],
  style: Style | null,
): void {
  const rows = items.map((item) => columns.map((column) => textOf(item, column)));
  if (!style) {
    for (const row of rows) print(row.join('\t'));
    return;
  }
  const table = newTable();
  table.push(columns.map(({ title }) => style.faint(title)));
  for (const row of rows) table.push(row.map((text, at) => (columns[at]?.word ? style.word(text) : text)));
  printLines(print, table);
}

/** The same for one thing: a line for each field. */
export function printFields<T>(
  print: Print,
  item: T,
  fields: readonly Column<T>[],
  style: Style | null,
): void {
  const rows = fields.map((field) => ({ ...field, text: textOf(item, field) }));
  if (!style) {
    for (const { title, text } of rows) print(`${title}\t${text}`);
    return;
  }
  const table = newTable();
  for (const { title, text, word } of rows) table.push([style.faint(title), word ? style.word(text) : text]);
  printLines(print, table);
}

const newTable = () =>
  new Table({ chars: noBorders, style: { 'padding-left': 0, 'padding-right': 2, head: [], border: [] } });

const printLines = (print: Print, table: Table.Table): void => {
  for (const line of table.toString().split('\n')) print(line.trimEnd());
};

const textOf = <T>(item: T, { of }: Column<T>): string => printable(String(of(item) ?? ''));
