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
