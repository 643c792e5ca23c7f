// Tells the tokens of a text that may be identifiers from ordinary words: a result of 100 KB has 16,000 words.

/** A digit, or a sign that addresses, paths and names have: without one a token is an ordinary word. */
const sign = /[\d@#/\\_.]/g;

const isAsciiSeparator = new Uint8Array(128);
for (const one of '\t\n\v\f\r ,;<>()[]{}"\'`|') isAsciiSeparator[one.charCodeAt(0)] = 1;
const space = /\s/;

function isSeparator(code: number): boolean {
  if (code < 128) return isAsciiSeparator[code] === 1;
  // No other space is below the second range or between the two.
  return (code === 0xa0 || code >= 0x1680) && space.test(String.fromCharCode(code));
}

/** In characters, as which a longer token is taken apart. */
const longestToken = 512;

/**
 * Calls `take` with every token, of two characters or more, that has a digit, a sign or a dot. Only those are read
 * character by character: the search for the next sign is several times faster.
 */
export function eachToken(text: string, take: (token: string) => void): void {
  let after = 0;
  for (;;) {
    sign.lastIndex = after;
    if (!sign.test(text)) break;
    let start = sign.lastIndex - 1;
    let end = start + 1;
    while (start > after && !isSeparator(text.charCodeAt(start - 1))) start--;
    while (end < text.length && !isSeparator(text.charCodeAt(end))) end++;
    for (let from = start; end - from >= 2; from += longestToken)
      take(text.slice(from, Math.min(end, from + longestToken)));
    after = end;
  }
}
