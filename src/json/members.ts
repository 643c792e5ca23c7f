/**
 * Whether a key occurs twice in an object of a JSON text. `text` must be valid JSON, and `members` the number of
 * object members in what `JSON.parse` returned for it: it keeps one of two members with the same key, so fewer members
 * than in the text mean a duplicate.
 */
export function hasDuplicateKeys(text: string, members: number): boolean {
  // Every member has a colon after its key, so a text with no other such colons has no other members.
  return countAfterQuotes(text, members) !== members && countMembers(text) !== members;
}

/** Counts the colons after a quote, in strings too; -1 when there are so many more colons that reading all is faster. */
function countAfterQuotes(text: string, members: number): number {
  let count = 0;
  let left = manyColons + 2 * members;
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) {
    if (--left < 0) return -1;
    if (quoteBefore(text, at) >= 0) count++;
  }
  return count;
}

/** A text of nothing but colons must not cost one search for each. */
const manyColons = 1_024;

/** The place of the quote before `at`, with nothing but white space between; -1 when there is none. */
function quoteBefore(text: string, at: number): number {
  for (let before = at - 1; ; before--) {
    const code = text.charCodeAt(before);
    if (code === QUOTE) return before;
    if (!isSpace(code)) return -1;
  }
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

/** Counts the colons outside strings. */
function countMembers(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === COLON) count++;
    else if (code === QUOTE) at = endOfString(text, at + 1);
  }
  return count;
}

/**
 * Whether a key in a JSON text is written with an escape sequence. `JSON.parse` of V8 12.8 and later reads some of these
 * as other keys, depending on what it has parsed before (nodejs/node#63785): after an object with the key `t\u0`, it
 * reads `"t\u006fol"` as that key and not as `tool`. `text` must be valid JSON.
 */
export function hasEscapedKeys(text: string): boolean {
  return text.includes('\\') && mayHaveEscapedKeys(text) && findsEscapedKey(text);
}

/** With more colons than one in so many characters, reading all is faster. */
const charactersForColon = 8;

/** Looks at what stands before colons only: false for a text of long strings that are no keys. */
function mayHaveEscapedKeys(text: string): boolean {
  let left = manyColons + text.length / charactersForColon;
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) {
    if (--left < 0) return true;
    const quote = quoteBefore(text, at);
    if (quote >= 0 && isEscapedBefore(text, quote)) return true;
  }
  return false;
}

/** Whether a backslash stands between the quote at `end` and the one before it, or before that one. */
function isEscapedBefore(text: string, end: number): boolean {
  for (let at = end - 1; ; at--) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) return true;
    if (code === QUOTE || Number.isNaN(code)) return text.charCodeAt(at - 1) === BACKSLASH;
  }
}

function findsEscapedKey(text: string): boolean {
  let backslash = text.indexOf('\\');
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) {
    const start = at;
    at = endOfString(text, start + 1);
    let next = at + 1;
    while (isSpace(text.charCodeAt(next))) next++;
    if (text.charCodeAt(next) !== COLON) continue;
    // Only forward: a search from each key would take quadratic time.
    if (backslash < start) backslash = text.indexOf('\\', start);
    if (backslash < 0) return false;
    if (backslash < at) return true;
  }
  return false;
}

/**
 * Whether the objects of a text have more than `most` different keys. The text need not be JSON. To parse it takes some ten
 * times as long with different keys as with the same ones, because V8 makes a shape or a table for each object.
 */
export function hasMoreKeysThan(text: string, most: number): boolean {
  let colons = 0;
  for (let at = text.indexOf(':'); at >= 0 && colons <= most; at = text.indexOf(':', at + 1)) colons++;
  if (colons <= most) return false;
  const keys = new Set<string>();
  for (let at = text.indexOf('"'); at >= 0 && keys.size <= most; at = text.indexOf('"', at + 1)) {
    const start = at + 1;
    at = endOfString(text, start);
    let next = at + 1;
    while (isSpace(text.charCodeAt(next))) next++;
    if (text.charCodeAt(next) === COLON) keys.add(text.slice(start, at));
  }
  return keys.size > most;
}

/** Whether a JSON text nests objects and arrays deeper than `most` levels. For use before it is parsed: parsing deep nesting is slow. */
export function isNestedDeeper(text: string, most: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at + 1);
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (++depth > most) return true;
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--;
  }
  return false;
}

const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
/** Beyond this length, indexOf finds the end of a string faster than a loop does. */
const longString = 32;

/** The place of the closing quote of the string whose first character is at `from`; the end of the text when it has none. */
function endOfString(text: string, from: number): number {
  let at = from;
  for (const far = from + longString; at < far; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at++;
  }
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return text.length;
    let before = quote;
    while (before > at && text.charCodeAt(before - 1) === BACKSLASH) before--;
    if ((quote - before) % 2 === 0) return quote;
    at = quote + 1;
  }
}

/** The number of object members in a parsed value. Uses no recursion, so any depth is safe. */
export function membersOf(value: unknown): number {
  let count = 0;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    const members = Object.values(next);
    if (!Array.isArray(next)) count += members.length;
    for (const member of members) if (typeof member === 'object') open.push(member);
  }
  return count;
}
