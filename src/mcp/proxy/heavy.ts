import { hasMoreKeysThan } from '../../json/members.ts';
import { needsExactReading } from '../../json/parse.ts';

/** Values of a message, fewer where it has to be read exactly, and different keys: everybody waits while it is parsed. */
const mostValues = 100_000;
const mostExactValues = 25_000;
const mostKeys = 20_000;

export const heavyMessage = `the message has more than ${mostValues} values or lines, or ${mostKeys} different keys`;

/** Whether a message would take too long to parse. The text need not be JSON. */
export function isHeavy(text: string): boolean {
  if (text.length <= mostExactValues) return false;
  // Written as one line in the end.
  if (countOf(text, ['\r', '\n', '\u0085', '\u2028', '\u2029']) > mostValues) return true;
  const values = countValues(text);
  if (values > mostValues || hasMoreKeysThan(text, mostKeys)) return true;
  return values > mostExactValues && needsExactReading(text);
}

/** An upper bound: one value for each bracket and comma, in texts too where there are many. */
function countValues(text: string): number {
  let count = countOf(text, ['[', '{', ',']);
  if (count <= mostValues) return count;
  count = 0;
  for (let at = 0; at < text.length && count <= mostValues; at++) {
    const sign = text[at];
    if (sign === '"') at = endOfText(text, at + 1);
    else if (sign === '[' || sign === '{' || sign === ',') count++;
  }
  return count;
}

/** Stops behind `mostValues`. */
function countOf(text: string, signs: readonly string[]): number {
  let count = 0;
  for (const sign of signs)
    for (let at = text.indexOf(sign); at >= 0 && count <= mostValues; at = text.indexOf(sign, at + 1))
      count++;
  return count;
}

function endOfText(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}
