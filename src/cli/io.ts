import { readFileSync } from 'node:fs';
import { Exit, exitCodes } from './exit.ts';

/** Where a command writes: the process's own streams, or what a test reads. */
export interface Io {
  stdout: Sink;
  stderr: Sink;
}

interface Sink {
  write(text: string): unknown;
  /** True for a terminal: tables and colours are for people. */
  isTTY?: boolean;
  columns?: number;
}

/** Whether who read the process's standard output has gone. */
export const reader = { gone: false };

/** A reader of the process's output may stop when it has enough (`head`): the command ends as it would have, its exit code included. */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      reader.gone = true;
    });
}

/**
 * Control characters, and those that turn the direction of writing. What agents send is shown to people who decide on
 * it: an escape sequence in the name of a tool could erase the line above, or write another.
 */
const unprintable =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|\p{Cs}/gu;

/** The text on one line, with what a terminal would obey instead of show written as `\u001b`. */
export const printable = (text: string): string =>
  text.replace(unprintable, (char) => `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`);

/** The input of an action in an argument: a JSON object, or `-` for standard input. */
export function inputIn(text: string): Record<string, unknown> {
  const json = text === '-' ? readFileSync(0, 'utf8') : text;
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new Exit(
      exitCodes.wrongUse,
      `the input is not JSON, such as '{"tool":"shell"}': ${printable(json)}`,
    );
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Exit(exitCodes.wrongUse, `the input must be a JSON object, such as '{"tool":"shell"}'`);
  return value as Record<string, unknown>;
}

/** Why a file could not be read, after its name. */
export function whyUnread(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return 'is not UTF-8 text';
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EISDIR') return 'is a folder, not a file';
  return code === 'EACCES' ? 'may not be read by this user' : `cannot be read: ${message}`;
}

/** A text that fits. The end of an id tells it from others: those of one hour begin alike. */
export function cut(text: string, width: number, isId = false): string {
  const chars = [...text];
  if (chars.length <= width) return text;
  return isId ? `…${chars.slice(1 - width).join('')}` : `${chars.slice(0, width - 1).join('')}…`;
}
