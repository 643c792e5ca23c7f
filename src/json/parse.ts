import { hasLongNumbers } from './long-numbers.ts';
import { hasDuplicateKeys, hasEscapedKeys, membersOf } from './members.ts';
import { readExactly } from './read-exactly.ts';
import { exactJson } from './stringify.ts';

/** Whether `JSON.parse` alone could lose something of the text, which it must have accepted. */
export const needsExactReading = (text: string): boolean => hasLongNumbers(text) || hasEscapedKeys(text);

/**
 * The value of a JSON text that is known to be without duplicate keys: as `JSON.parse` gives it, but integers beyond
 * ±(2^53 - 1) are bigints. Throws for a text that is not JSON.
 */
export function parseJson(text: string): unknown {
  // First: the scanners of members.ts are made for valid JSON.
  const value: unknown = JSON.parse(text);
  return needsExactReading(text) ? readExactly(text) : value;
}

/** The same for any text. Throws a JsonMistake for one that is not JSON or has a key twice in an object. */
export function parseStrictly(text: string): unknown {
  try {
    const value = parseJson(text);
    if (!hasDuplicateKeys(text, membersOf(value))) return value;
  } catch {
    // Read below, for the place of the mistake.
  }
  return readExactly(text);
}

/** Like `parseJson`, for a value that is only to be written again: `JSON.stringify` writes its big integers exactly. */
export function parseForWriting(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return needsExactReading(text) ? readExactly(text, exactJson) : value;
}
