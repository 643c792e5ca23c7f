import { styleText } from 'node:util';
import Table from 'cli-table3';
import { type Io, printable, reader } from './io.ts';

export interface Style {
  /** A word of the service (an action, a status, a severity) in its colour. */
  word(word: string): string;
  faint(text: string): string;
  strong(text: string): string;
  added(text: string): string;
  removed(text: string): string;
}

type Format = Parameters<typeof styleText>[0];
const formats: Readonly<Record<string, Format>> = {
  ALLOW: 'green',
  WARN: 'yellow',
  APPROVAL_REQUIRED: 'magenta',
  BLOCK: 'red',
  ACTIVE: 'green',
  APPROVED: 'green',
  PENDING: 'yellow',
  REJECTED: 'red',
  TERMINATED: 'red',
  HIGH: 'red',
  CRITICAL: ['bold', 'red'],
  MEDIUM: 'yellow',
  EXPIRED: 'gray',
  DEPRECATED: 'gray',
  ok: 'green',
  warn: 'yellow',
  fail: 'red',
};

/** Colours on a terminal. `styleText` asks the environment: NO_COLOR and FORCE_COLOR are its. */
function createStyle(terminal: boolean): Style {
  const paint = (format: Format, text: string) =>
    terminal ? styleText(format, text, { stream: process.stdout }) : text;
  return {
    word: (word) => {
      const format = formats[word];
      return format === undefined ? word : paint(format, word);
    },
    faint: (text) => paint('gray', text),
    strong: (text) => paint('bold', text),
    added: (text) => paint('green', text),
    removed: (text) => paint('red', text),
  };
}

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
function printTable<T>(
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
function printFields<T>(print: Print, item: T, fields: readonly Column<T>[], style: Style | null): void {
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

/** How a command says what it found: for people on a terminal, in tab-separated lines for programs, or as JSON. */
export interface Output {
  readonly style: Style;
  /** Whether a program reads it. */
  readonly json: boolean;
  /** Whether a person reads it. */
  readonly terminal: boolean;
  /** True once nobody reads it any more: what would print for ever ends. */
  unread(): boolean;
  /** Prints a list. As JSON, the items are printed as the API returned them. */
  list<T>(items: readonly T[], columns: readonly Column<T>[], none: string): void;
  /** One thing. JSON gets it as the API gave it. */
  record<T extends object>(item: T, fields: readonly Column<T>[]): void;
  /** One of many things that come one after another: JSON gets one line each. */
  line<T extends object>(item: T, text: string): void;
  /** Text as it stands, with nothing added. */
  text(text: string): void;
  /** A sentence beside the response, for people on a terminal. */
  note(text: string): void;
  /** What is probably wrong, for whoever reads the log; JSON says it itself. */
  warn(text: string): void;
}

export function createOutput(io: Io, json: boolean): Output {
  const terminal = !json && io.stdout.isTTY === true;
  const style = createStyle(terminal);
  const print = (text: string) => void io.stdout.write(`${text}\n`);
  const printJson = (value: unknown) => print(JSON.stringify(value, null, 2));
  return {
    style,
    json,
    terminal,
    unread: () => reader.gone,
    list(items, columns, none) {
      if (json) return printJson(items);
      if (items.length > 0) return printTable(print, items, columns, terminal ? style : null);
      if (terminal) print(none);
    },
    record(item, fields) {
      if (json) return printJson(item);
      printFields(print, item, fields, terminal ? style : null);
    },
    line(item, text) {
      print(json ? JSON.stringify(item) : text);
    },
    text: (text) => void io.stdout.write(text),
    warn(text) {
      if (!json) io.stderr.write(`${text}\n`);
    },
    note(text) {
      if (terminal) io.stderr.write(`${text}\n`);
    },
  };
}
