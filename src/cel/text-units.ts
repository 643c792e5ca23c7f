// CEL counts characters as Unicode code points; JavaScript counts UTF-16 units. Texts without surrogates, nearly all,
// need no conversion.
const SURROGATE = /[\ud800-\udfff]/;

/**
 * Whether one character takes the two units at `at`. Not by codePointAt: in V8 of Node 24 it reads past the end of a
 * text that was cut out of a longer one.
 */
export function isPair(text: string, at: number): boolean {
  const high = text.charCodeAt(at);
  const low = text.charCodeAt(at + 1);
  return high >= 0xd800 && high <= 0xdbff && low >= 0xdc00 && low <= 0xdfff;
}

export function codePointLength(text: string): number {
  if (!SURROGATE.test(text)) return text.length;
  let count = 0;
  for (let at = 0; at < text.length; at += isPair(text, at) ? 2 : 1) count += 1;
  return count;
}

/** The number of characters in the first `units` UTF-16 units. */
export const charactersBefore = (text: string, units: number): number =>
  codePointLength(text.slice(0, units));

/** The number of UTF-16 units in the first `count` characters. */
export function unitsOf(text: string, count: number): number {
  if (!SURROGATE.test(text)) return count;
  let units = 0;
  for (let left = count; left > 0; left -= 1) units += isPair(text, units) ? 2 : 1;
  return units;
}
