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
  const value = tryParseStrictly(text);
  // Read again, for the place of the mistake.
  return value === undefined ? readExactly(text) : value;
}

/** `parseStrictly` that returns undefined for a text that it refuses, without looking for the place of the mistake. */
export function tryParseStrictly(text: string): unknown {
  try {
    const value = parseJson(text);
    return hasDuplicateKeys(text, membersOf(value)) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** Like `parseJson`, for a value that is only to be written again: `JSON.stringify` writes its big integers exactly. */
export function parseForWriting(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return needsExactReading(text) ? readExactly(text, exactJson) : value;
}

/** The shortest integer beyond 2^53 - 1 has as many digits. */
const digits = 16;

/**
 * Whether a text has 16 digits in a row, as integers that `JSON.parse` rounds have. Of 16 characters in a row, one has a place
 * that leaves 15 when divided by 16, so only those are looked at first: a seventh of the time of a regular expression.
 */
export function hasLongNumbers(text: string): boolean {
  for (let at = digits - 1; at < text.length; at += digits) {
    if (!isDigit(text.charCodeAt(at))) continue;
    let first = at;
    while (isDigit(text.charCodeAt(first - 1)) && at - first < digits) first--;
    let end = at + 1;
    while (isDigit(text.charCodeAt(end)) && end - first < digits) end++;
    if (end - first >= digits) return true;
  }
  return false;
}

/** Not of NaN, which stands for a place beyond the text. */
const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
