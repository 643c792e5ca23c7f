import { type Io, reader } from '../io.ts';
import { createStyle, type Style } from './style.ts';
import { type Column, printFields, printTable } from './table.ts';

/** How a command says what it found: for people on a terminal, in tab-separated lines for programs, or as JSON. */
export interface Output {
  readonly style: Style;
  /** Whether a program reads it. */
  readonly json: boolean;
  /** Whether a person reads it. */
  readonly terminal: boolean;
  /** True once nobody reads it any more: what would print for ever ends. */
  unread(): boolean;
  /** What there are several of. JSON gets the items as the API gave them. */
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
