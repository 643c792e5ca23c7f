import { BARE } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { BLANK, EQUALS_SIGN, SEMICOLON } from '../text/ascii.ts';
import { byteAt } from '../text/read.ts';
import type { Label } from './classifier.ts';
import { looksRandom } from './randomness.ts';

/** Characters of the shortest session that is found in a cookie. */
const MIN_SESSION = 16;

/** The values that look drawn by chance in a header of cookies, between two places: `theme=dark; session=…`. Returns whether there are any. */
export function cookieValues(pass: Pass, label: Label, from: number, to: number): boolean {
  const b = pass.text.bytes;
  let isFound = false;
  for (let at = from; at < to; ) {
    let end = at;
    while (end < to && b[end] !== SEMICOLON) end++;
    let value = at;
    while (value < end && b[value] !== EQUALS_SIGN) value++;
    value++;
    if (end - value >= MIN_SESSION && looksRandom(b, value, end)) {
      pass.found(label.tag, BARE, value, end);
      isFound = true;
    }
    at = end + 1;
    while (at < to && byteAt(b, at) <= BLANK) at++;
  }
  return isFound;
}
