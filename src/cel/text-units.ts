// CEL counts characters as Unicode code points; JavaScript counts UTF-16 units. Texts without surrogates, nearly all,
// need no conversion.
const SURROGATE = /[\ud800-\udfff]/;

export function codePointLength(text: string): number {
  if (!SURROGATE.test(text)) return text.length;
  let pairs = 0;
  for (let at = 0; at < text.length; at += 1) {
    if ((text.codePointAt(at) as number) > 0xffff) {
      pairs += 1;
      at += 1;
    }
  }
  return text.length - pairs;
}

/** The number of characters in the first `units` UTF-16 units. */
export const charactersBefore = (text: string, units: number): number =>
  codePointLength(text.slice(0, units));

/** The number of UTF-16 units in the first `count` characters. */
export function unitsOf(text: string, count: number): number {
  if (!SURROGATE.test(text)) return count;
  let units = 0;
  for (let left = count; left > 0; left -= 1) units += (text.codePointAt(units) as number) > 0xffff ? 2 : 1;
  return units;
}
