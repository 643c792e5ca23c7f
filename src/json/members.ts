/**
 * Whether a key occurs twice in an object of a JSON text. `text` must be valid JSON, and `members` the number of
 * object members in what `JSON.parse` returned for it: it keeps one of two members with the same key, so fewer members
 * than in the text mean a duplicate.
 */
export function hasDuplicateKeys(text: string, members: number): boolean {
  // Every member has its own colon, so a text with no other colons has no other members.
  return countColons(text) !== members && countMembers(text) !== members;
}

function countColons(text: string): number {
  let count = 0;
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) count++;
  return count;
}

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
  let backslash = text.indexOf('\\');
  if (backslash < 0) return false;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) {
    const start = at;
    at = endOfString(text, start + 1);
    if (backslash > at) continue;
    if (isKeyBefore(text, at + 1)) return true;
    backslash = text.indexOf('\\', at + 1);
    if (backslash < 0) return false;
  }
  return false;
}

/** Whether the string that ends before `at` is a key. */
function isKeyBefore(text: string, at: number): boolean {
  for (let next = at; ; next++) {
    const code = text.charCodeAt(next);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return code === COLON;
  }
}

const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
/** Beyond this length, indexOf finds the end of a string faster than a loop does. */
const longString = 32;

/** The place of the closing quote of the string whose first character is at `from`. */
function endOfString(text: string, from: number): number {
  let at = from;
  for (const far = from + longString; at < far; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at++;
  }
  for (;;) {
    const quote = text.indexOf('"', at);
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
