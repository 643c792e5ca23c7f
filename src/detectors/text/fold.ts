import { CARRIAGE_RETURN, LINE_FEED } from './ascii.ts';
import { CONTROL, EXPANDS, INVISIBLE, SYMBOL } from './bytes.ts';
import { byteAt } from './read.ts';

/** Zero digits of the decimal systems in the basic plane; ten code points from each are digits. */
const ZEROS = [
  0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0xf20,
  0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xde6,
  0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0,
];
const INVISIBLES: readonly (readonly [number, number])[] = [
  [0xad, 0xad], [0x34f, 0x34f], [0x61c, 0x61c], [0x115f, 0x1160], [0x17b4, 0x17b5], [0x180b, 0x180f],
  [0x200b, 0x200f], [0x202a, 0x202e], [0x2060, 0x206f], [0x2800, 0x2800], [0x3164, 0x3164], [0xfe00, 0xfe0f], [0xfeff, 0xfeff],
  [0xffa0, 0xffa0], [0xfff9, 0xfffb],
]; // biome-ignore format: ranges read better in rows
/** Letters that Unicode does not take apart. */
const LETTERS: Readonly<Record<string, string>> = {
  l: 'łŁ',
  o: 'øØ',
  d: 'đĐðÐ',
  s: 'ßẞ',
  i: 'ı',
  h: 'ħĦ',
  t: 'ŧŦ',
};
const PUNCTUATION: Readonly<Record<string, string>> = {
  '-': '‐‑‒–—―−﹘﹣⁃',
  '"': '“”„‟«»',
  "'": '‘’‚‛‹›′',
  '.': '。․',
  ' ': '\u1680\u2028\u2029\u180e',
};

/** Frequent in prose. NFKC expands them to several characters, but no value contains them. */
const NEVER_IN_VALUES = '…™';

/** Whether NFKC may change this code unit: the only ranges it is asked for, because asking costs 100 ns. */
function mayCompose(c: number): boolean {
  return (
    (c >= 0xa0 && c < 0x250) ||
    (c >= 0x1d00 && c < 0x2000) ||
    (c >= 0x2000 && c < 0x2c00) ||
    c >= 0xf900 ||
    (c >= 0x2b0 && c < 0x300) ||
    (c >= 0x3000 && c < 0x3040) ||
    (c >= 0x3200 && c < 0x3400)
  );
}

function letterOf(c: number): number {
  // of a pair the first half says what it may be: emoji, mostly, are nothing that is looked for
  if (c >= 0xd800 && c < 0xe000) return c >= 0xdc00 || c === 0xd83d ? SYMBOL : EXPANDS;
  if (c < 0x250 || (c >= 0x2000 && c < 0x2c00) || (c >= 0x3000 && c < 0x3005)) return SYMBOL;
  return c < 0xe00 || (c >= 0x1e00 && c < 0x2000)
    ? 0x80 | (c & 0x3f)
    : Math.min(0xc0 | (c & 0x3f), SYMBOL - 1);
}

/** C0 and C1 but for white space and the escape of terminals, and the character that replaces invalid bytes. */
function isControl(c: number): boolean {
  if (c < 32) return c !== 9 && c !== LINE_FEED && c !== CARRIAGE_RETURN && c !== 27;
  return (c >= 0x7f && c < 0xa0 && c !== 0x85) || c === 0xfffd;
}

function foldUnit(c: number): number {
  if (isControl(c)) return CONTROL;
  if (c < 0x80) return c;
  if (c >= 0x370 && c < 0x530) return letterOf(String.fromCharCode(c).normalize('NFD').charCodeAt(0));
  if (!mayCompose(c)) return letterOf(c);
  const text = String.fromCharCode(c);
  const plain = text.normalize('NFKD').replace(/[\u0300-\u036f]/g, '');
  const first = plain.charCodeAt(0);
  if (plain.length === 1) return first < 0x80 ? first : letterOf(first);
  return first < 0x80 || plain.length === 0 ? EXPANDS : letterOf(first);
}

/**
 * The normalised byte of every UTF-16 code unit. Full-width forms, accents, dashes, quotes, spaces and decimal
 * digits of other scripts become ASCII one for one, so that offsets stay those of the string.
 */
function buildFold(): Uint8Array {
  const fold = new Uint8Array(65536);
  for (let c = 0; c < 65536; c++) fold[c] = foldUnit(c);
  for (const zero of ZEROS) for (let d = 0; d < 10; d++) fold[zero + d] = 48 + d;
  for (const [plain, variants] of Object.entries({ ...PUNCTUATION, ...LETTERS }))
    for (const v of variants) fold[v.charCodeAt(0)] = plain.charCodeAt(0);
  // capitals of Greek and Cyrillic as their small letters: words are found in any case
  for (let c = 0x370; c < 0x530; c++)
    fold[c] = byteAt(fold, String.fromCharCode(c).toLowerCase().charCodeAt(0));
  for (const c of NEVER_IN_VALUES) fold[c.charCodeAt(0)] = SYMBOL;
  for (const [from, to] of INVISIBLES) fold.fill(INVISIBLE, from, to + 1);
  return fold;
}

export const FOLD = buildFold();
