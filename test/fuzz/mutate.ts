import type { Random } from '../cel/fuzz/random.ts';

// biome-ignore format: short texts read better in rows
const PIECES = [
  '"', '\\', '\\"', '\\\\', '"\\":', "'", '`', '{', '}', '[', ']', '(', ')', '<', '>', ':', ',', '"a":',
  '\\u', '\\u0022', '\\ud800', '\ud83d', '\udc00', '\u0000', '\u2028', '\ufeff', 'é', '😀', ' ', '\n', '\t',
  '\r\n', '{{', '}}', '%25', '#', '&a', '*a', '!x', '|', '---\n', '=', '@', '.', '/', '-', '1e999',
  '9007199254740993', '__proto__',
] as const;

/** Halves and wrong forms of UTF-8. */
const BYTES = ['c3', 'e282', 'f09f98', 'eda080', 'c0a2', 'ff', '80', 'f8888080'].map((hex) =>
  Buffer.from(hex, 'hex'),
);

/** A valid document, damaged in one to four places; never longer than `most`. */
export function mutate(random: Random, document: string, most: number): string {
  let text = document;
  for (let edits = 1 + random.below(4); edits > 0; edits--) text = edited(random, text).slice(0, most);
  return text;
}

function edited(random: Random, text: string): string {
  const at = random.below(text.length + 1);
  const end = Math.min(text.length, at + random.below(random.below(8) === 0 ? text.length + 1 : 12));
  const other = random.below(text.length + 1);
  const [before, cut, after] = [text.slice(0, at), text.slice(at, end), text.slice(end)];
  switch (random.below(10)) {
    case 0:
      return before + after;
    case 1:
      return before;
    case 2:
      return before + cut.repeat(2 + random.below(4)) + after;
    case 3:
      return after + cut + before;
    case 4:
      return text.slice(0, other) + cut + text.slice(other);
    case 5:
      return before + random.pick(PIECES) + after;
    case 6:
      return (
        before + random.pick(PIECES).repeat(1 + random.below(random.below(10) === 0 ? 4_000 : 6)) + after
      );
    case 7:
      return (
        before +
        (cut || random.pick(PIECES)).repeat(1 + random.below(random.below(10) === 0 ? 400 : 6)) +
        after
      );
    case 8:
      return swapped(text, at, random);
    default:
      return before + random.pick(PIECES) + cut + random.pick(PIECES) + after;
  }
}

/** The next quote, bracket or backslash becomes another one. */
function swapped(text: string, at: number, random: Random): string {
  const found = text.slice(at).search(/["'\\{}[\]():,]/);
  if (found < 0) return text;
  return (
    text.slice(0, at + found) +
    random.pick(['"', "'", '\\', '{', '}', '[', ']', ':', ',']) +
    text.slice(at + found + 1)
  );
}

/** The bytes of a text; of one in four with a sequence broken off, or one that is no UTF-8. */
export function bytesOf(random: Random, text: string): Buffer {
  const bytes = Buffer.from(text);
  if (random.below(4) !== 0) return bytes;
  const at = random.below(bytes.length + 1);
  return Buffer.concat([bytes.subarray(0, at), random.pick(BYTES), bytes.subarray(at + random.below(2))]);
}
