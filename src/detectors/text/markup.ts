import { AT_SIGN, EXCLAMATION_MARK, GREATER_THAN, HYPHEN, LESS_THAN, SLASH } from './ascii.ts';
import { CLASS, WORD } from './bytes.ts';

/** Tags that change how letters look, and no more. */
const INLINE = new Set('b i u s em strong span font mark small sub sup tt code a'.split(' '));
const MAX_INLINE = 48;
/** 1 for the letters and signs that such a tag, its end or a comment begins with. */
const OPENS_INLINE = new Uint8Array(256);
for (const name of ['!', '/', ...INLINE]) {
  OPENS_INLINE[name.charCodeAt(0)] = 1;
  OPENS_INLINE[name.toUpperCase().charCodeAt(0)] = 1;
}

/** Length of a tag at `i` that only changes how letters look, or of a comment; 0 for any other. */
function inlineSize(text: Uint8Array | Uint16Array, i: number, length: number): number {
  if (OPENS_INLINE[text[i + 1] as number] !== 1) return 0;
  const stop = Math.min(length, i + MAX_INLINE);
  let end = i + 1;
  while (end < stop && text[end] !== GREATER_THAN) end++;
  if (end >= stop || text[end] !== GREATER_THAN) return 0;
  if (text[i + 1] === EXCLAMATION_MARK)
    return text[i + 2] === HYPHEN && text[end - 1] === HYPHEN ? end + 1 - i : 0;
  let name = '';
  for (let k = text[i + 1] === SLASH ? i + 2 : i + 1; k < end && name.length < 7; k++) {
    const c = (text[k] as number) | 32;
    if (c < 97 || c > 122) break;
    name += String.fromCharCode(c);
  }
  return INLINE.has(name) ? end + 1 - i : 0;
}

/** Whether a tag or comment at `at` breaks a line, or stands inside a word. */
export function isTellingTag(b: Uint8Array, at: number): boolean {
  if (isLineBreak(b[at + 1] as number, b[at + 2] as number)) return true;
  if (((CLASS[b[at - 1] as number] as number) & WORD) === 0) return false;
  const size = inlineSize(b, at, b.length);
  const next = b[at + size] as number;
  return size > 0 && (((CLASS[next] as number) & WORD) !== 0 || next === LESS_THAN || next === AT_SIGN);
}

/** Length of a tag that is not read, at `i`; 0 when there is none. */
export function tagSize(units: Uint16Array, i: number, length: number): number {
  const isBreak = ((units[i + 1] as number) | 32) === 98;
  const name = isBreak ? 'br' : 'wbr';
  if (i + 3 >= length) return 0;
  for (let k = 0; k < name.length; k++)
    if (((units[i + 1 + k] as number) | 32) !== name.charCodeAt(k)) return inlineSize(units, i, length);
  let end = i + 1 + name.length;
  while (end < length && end - i < 8 && units[end] !== 62) end++;
  return units[end] === 62 ? end + 1 - i : 0;
}

/** Whether these are the first letters of `wbr` or `br`. */
function isLineBreak(first: number, second: number): boolean {
  return (first | 32) === 119 ? (second | 32) === 98 : (first | 32) === 98 && (second | 32) === 114;
}

/** Whether the tag at `i` is one that breaks a line. */
export function breaksLine(units: Uint16Array, i: number): boolean {
  return ((units[i + 1] as number) | 32) === 98 && ((units[i + 2] as number) | 32) === 114;
}
