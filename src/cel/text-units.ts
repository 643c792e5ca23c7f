// CEL counts characters as Unicode code points; JavaScript counts UTF-16 units. Texts without surrogates, nearly all,
// need no conversion.
const SURROGATE = /[\ud800-\udfff]/;

export function codePointLength(text: string): number {
  if (!SURROGATE.test(text)) return text.length;
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Characters that can be counted and cut; a plain text is its own. */
export function characters(text: string): string | readonly string[] {
  return SURROGATE.test(text) ? [...text] : text;
}

/** The number of characters in the first `units` UTF-16 units. */
export const charactersBefore = (text: string, units: number): number =>
  codePointLength(text.slice(0, units));

/** The number of UTF-16 units in the first `count` characters. */
export function unitsOf(text: string, count: number): number {
  if (!SURROGATE.test(text)) return count;
  return [...text].slice(0, count).join('').length;
}
