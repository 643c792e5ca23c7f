/** What may begin at a byte. */
export const NUMERAL = 1;
export const AT = 2;
export const COLON = 3;
export const EQUALS = 4;
export const DASH = 5;
export const LOW_LINE = 6;
export const DOT = 7;
export const ESCAPE = 8;
export const END = 9;

/** One of the above for each byte, 0 for those at which nothing begins. */
export const KIND = new Uint8Array(256);
KIND.fill(NUMERAL, 48, 58);
for (const [chars, kind] of [
  ['@', AT],
  [':', COLON],
  ['=', EQUALS],
  ['-', DASH],
  ['_', LOW_LINE],
  ['.', DOT],
  ['\\%', ESCAPE],
] as const) {
  for (const c of chars) KIND[c.charCodeAt(0)] = kind;
}

KIND[0] = END;

/** 0 for two bytes at neither of which anything begins: prose is passed over two characters at a time. */
export const PAIR = new Uint8Array(65536);
for (let pair = 0; pair < 65536; pair++) PAIR[pair] = KIND[pair & 255] || KIND[pair >> 8] ? 1 : 0;
