import { hasLongNumbers } from './long-numbers.ts';
import { hasDuplicateKeys, hasEscapedKeys, membersOf } from './members.ts';
import { readExactly } from './read-exactly.ts';
import { exactJson } from './stringify.ts';

/** Whether `JSON.parse` alone could lose something of the text. */
export const needsExactReading = (text: string): boolean => hasLongNumbers(text) || hasEscapedKeys(text);

/**
 * The value of a JSON text that is known to be valid and without duplicate keys: as `JSON.parse` gives it, but integers
 * beyond ±(2^53 - 1) are bigints.
 */
export const parseJson = (text: string): unknown =>
  needsExactReading(text) ? readExactly(text) : JSON.parse(text);

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
export const parseForWriting = (text: string): unknown =>
  needsExactReading(text) ? readExactly(text, exactJson) : JSON.parse(text);
