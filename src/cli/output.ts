import { styleText } from 'node:util';
import Table from 'cli-table3';
import { cut, type Io, printable, reader } from './io.ts';

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

interface Terminal {
  style: Style;
  /** Columns of the terminal; null when nothing is cut. */
  width: number | null;
}

/**
 * On a terminal: aligned columns under titles, ids last, cut to its width; what was cut is what it returns. Else lines
 * of tab-separated values, whole and in the order of the columns, which `cut` and `awk` read.
 */
function printTable<T>(
  print: Print,
  items: readonly T[],
  given: readonly Column<T>[],
  terminal: Terminal | null,
): { isCut: boolean; leftOut: readonly string[] } {
  if (!terminal) {
    for (const item of items) print(given.map((column) => textOf(item, column)).join('\t'));
    return { isCut: false, leftOut: [] };
  }
  const { style, width } = terminal;
  const whole = given.map((column) => ({ ...column, texts: items.map((item) => textOf(item, column)) }));
  const all = whole.map((column) => ({ ...column, isId: isOfIds(column.texts) }));
  all.sort((one, other) => Number(one.isId) - Number(other.isId));
  const widest = all.map(({ title, texts }) => Math.max(title.length, ...texts.map(widthOf)));
  const shown = width === null ? [...all.keys()] : mostThatFit(all, widest, width);
  const columns = shown.flatMap((at) => all[at] ?? []);
  const widths = shown.map((at) => widest[at] ?? 0);
  const fitted = width === null ? widths : fit(columns, widths, width);
  const table = newTable();
  table.push(columns.map(({ title }) => style.faint(title)));
  for (const at of items.keys()) {
    const row = columns.map(({ texts, isId, word }, place) => {
      const text = cut(texts[at] ?? '', fitted[place] ?? 0, isId);
      return word ? style.word(text) : text;
    });
    table.push(row);
  }
  printLines(print, table);
  const leftOut = all.filter((column) => !columns.includes(column)).map(({ title }) => title);
  return { isCut: fitted.some((most, place) => most < (widths[place] ?? 0)), leftOut };
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const isOfIds = (texts: readonly string[]): boolean =>
  texts.some((text) => text !== '') && texts.every((text) => text === '' || uuid.test(text));

const widthOf = (text: string): number => [...text].length;

const gap = 2;
/** Texts are cut first, because ids are what the next command is given; never the words with a colour. */
const least = { text: 12, id: 9 };

type Fitted = Pick<Column<unknown>, 'title' | 'word'> & { isId: boolean };
const floorOf = ({ title, isId }: Fitted): number => Math.max(isId ? least.id : least.text, title.length);
const sum = (widths: readonly number[]): number => widths.reduce((all, width) => all + width + gap, -gap);

/** The places of the columns that fit when each is as narrow as it may be: the last are left out, and the first id never. */
function mostThatFit(columns: readonly Fitted[], widths: readonly number[], most: number): number[] {
  const narrowest = columns.map((column, at) => {
    const whole = widths[at] ?? 0;
    return column.word === true ? whole : Math.min(whole, floorOf(column));
  });
  const firstId = columns.findIndex(({ isId }) => isId);
  const shown = [...columns.keys()];
  while (sum(shown.map((at) => narrowest[at] ?? 0)) > most) {
    const last = shown.findLastIndex((at) => at !== firstId);
    if (last < 1) break;
    shown.splice(last, 1);
  }
  return shown;
}

/** Widths that fit the terminal, as far as nothing falls below the least. */
function fit(columns: readonly Fitted[], widths: readonly number[], most: number): number[] {
  const fitted = [...widths];
  for (const kind of ['text', 'id'] as const) {
    const places = [...columns.keys()].filter(
      (at) => columns[at]?.word !== true && columns[at]?.isId === (kind === 'id'),
    );
    const isWide = (at: number) => columns[at] !== undefined && (fitted[at] ?? 0) > floorOf(columns[at]);
    for (;;) {
      const over = sum(fitted) - most;
      const wide = places.filter(isWide);
      if (over <= 0 || wide.length === 0) break;
      const widest = wide.reduce((one, other) => ((fitted[one] ?? 0) >= (fitted[other] ?? 0) ? one : other));
      fitted[widest] = (fitted[widest] ?? 0) - 1;
    }
  }
  return fitted;
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
  /** Columns that a line of a terminal has; null when nothing is to be cut. */
  readonly width: number | null;
  /** One thing. JSON gets it as the API gave it. */
  record<T extends object>(item: T, fields: readonly Column<T>[]): void;
  /** One of many things that come one after another: JSON gets one line each. */
  line<T extends object>(item: T, text: string): void;
  /** Text as it stands, with nothing added. */
  text(text: string): void;
  /** A sentence beside the response, for people on a terminal. */
  note(text: string): void;
  /** Says what is probably wrong, for whoever reads the log; JSON says it itself. */
  warn(text: string): void;
  /** Shows how far it is, in one line that the next output replaces. Until a command does, the seconds that it takes are shown. */
  progress(text: string): void;
  /** Takes the last progress away. Nothing is printed after it. */
  close(): void;
}

/** A line on a terminal that is written over again; nothing elsewhere. */
function createStatusLine(io: Io) {
  const startedAt = performance.now();
  let isShown = false;
  const show = (text: string) => {
    io.stderr.write(`\r\u001b[K${text}`);
    isShown = true;
  };
  const seconds = () => show(`… ${Math.round((performance.now() - startedAt) / 1_000)} s`);
  const timer = io.stderr.isTTY ? setInterval(seconds, 1_000).unref() : undefined;
  return {
    show(text: string): void {
      clearInterval(timer);
      if (timer) show(text);
    },
    /** Before something is printed where the line is. */
    end(): void {
      clearInterval(timer);
      if (isShown) io.stderr.write('\r\u001b[K');
      isShown = false;
    },
  };
}

export function createOutput(io: Io, json: boolean, { wide = false } = {}): Output {
  const terminal = !json && io.stdout.isTTY === true;
  const width = terminal && !wide ? (io.stdout.columns ?? null) : null;
  const style = createStyle(terminal);
  const status = createStatusLine(io);
  const write = (text: string) => {
    if (io.stdout.isTTY) status.end();
    io.stdout.write(text);
  };
  const tell = (text: string) => {
    status.end();
    io.stderr.write(`${text}\n`);
  };
  const print = (text: string) => write(`${text}\n`);
  const printJson = (value: unknown) => print(JSON.stringify(value, null, 2));
  return {
    style,
    json,
    terminal,
    width,
    unread: () => reader.gone,
    list(items, columns, none) {
      if (json) return printJson(items);
      if (items.length === 0) return terminal ? print(none) : undefined;
      const { isCut, leftOut } = printTable(print, items, columns, terminal ? { style, width } : null);
      const without = leftOut.length > 0 ? ` Left out: ${leftOut.join(', ')}.` : '';
      if (isCut || without) tell(style.faint(`Cut to fit: --wide shows all.${without}`));
    },
    record(item, fields) {
      if (json) return printJson(item);
      printFields(print, item, fields, terminal ? style : null);
    },
    line(item, text) {
      print(json ? JSON.stringify(item) : text);
    },
    text: write,
    warn(text) {
      if (!json) tell(text);
    },
    note(text) {
      if (terminal) tell(text);
    },
    progress: status.show,
    close: status.end,
  };
}
