import { styleText } from 'node:util';

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
export function createStyle(terminal: boolean): Style {
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
