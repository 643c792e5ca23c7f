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

/** Who reads the process's output may stop when they have enough (`head`): the command ends as it would have, its exit code included. */
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
