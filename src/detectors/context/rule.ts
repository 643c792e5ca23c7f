import { EQUALS_SIGN, HYPHEN, LINE_FEED } from '../text/ascii.ts';
import { byteAt } from '../text/read.ts';

/** Bytes of the line between the head of a table and its rows. */
const RULE = new Uint8Array(256);
for (const c of '|-+=: \r') RULE[c.charCodeAt(0)] = 1;

/** Where the rows of a table begin, behind a line at `at` that is only a rule: `|----+----|`; `at` when there is none. */
export function afterRule(b: Uint8Array, at: number, end: number): number {
  let i = at;
  let dashes = 0;
  while (i < end && RULE[byteAt(b, i)] === 1) {
    if (b[i] === HYPHEN || b[i] === EQUALS_SIGN) dashes++;
    i++;
  }
  return dashes > 2 && byteAt(b, i) === LINE_FEED ? i + 1 : at;
}
