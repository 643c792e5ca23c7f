import { readFileSync } from 'node:fs';
import { Exit, exitCodes } from './exit.ts';
import { printable } from './io.ts';

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
