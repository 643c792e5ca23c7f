import { CHECKSUM } from '../kinds/kind.ts';
import { QUOTE } from '../labels/labels.ts';
import type { Pass } from '../pass.ts';
import { byteAt, CLASS, setOf, WORD } from '../text/bytes.ts';
import * as Char from '../text/chars.ts';
import { opensAsToken, opensVendor, startsVendor } from './vendor-tokens.ts';

/** Bytes of tokens; 0 for all others. */
const BODY = setOf('-.+/=~');
for (let c = 33; c < 127; c++) if ((byteAt(CLASS, c) & WORD) !== 0) BODY[c] = 1;
/** Characters of the longest part, and the most parts. */
const MAX_PART = 128;
const MAX_PARTS = 4;

/** A vendor's token in strings of JSON that follow one another: `["ghp_16C7e42F", "292c6912E7…"]`, `{"a": "ghp_16C7e42F", "b": …}`. */
export class PartedToken {
  /** The parts of the token read so far, joined; and the leaf and the length of each part. */
  #head = '';
  #parts: (readonly [leaf: number, size: number])[] = [];

  begin(): void {
    this.#head = '';
  }

  /** Reads the next string, in which nothing was found when `isOpen`. */
  read(pass: Pass, text: string, isOpen: boolean): void {
    if (this.#head !== '' && isPart(text)) {
      this.#head += text;
      this.#parts.push([pass.leaf, text.length]);
      const tag = pass.decoder?.joined(this.#head) ?? -1;
      if (tag >= 0)
        for (const [leaf, size] of this.#parts) pass.setting.hits.add(tag, CHECKSUM, leaf, 0, size);
      if (tag < 0 && this.#parts.length < MAX_PARTS) return;
    }
    this.#head = '';
    if (!isOpen || !opensAsToken(text) || !isPart(text)) return;
    this.#head = text;
    this.#parts = [[pass.leaf, text.length]];
  }
}

function isPart(text: string): boolean {
  if (text.length < 2 || text.length > MAX_PART) return false;
  for (let i = 0; i < text.length; i++)
    if (BODY[text.charCodeAt(i) & 255] !== 1 || text.charCodeAt(i) > 127) return false;
  return true;
}

/** The next assignment behind the first part, and the part that it has. */
const NEXT =
  /^["'`]?(?:[;,]|\s|&&){1,8}(?:(?:export|local|set|const|let|var) )?[$\w]{1,32} ?:?= ?["'`]?([\w.+/=~-]{2,128})(?=["'`;\s]|$)/;
const REACH = 200;

/** A vendor's token in two variables that follow one another, the first assigned by the sign at `at`: A=ghp_16C7e42F; B=292c6912E7…. Returns where it ends, or 0. */
export function partedToken(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  let from = b[at + 1] === Char.BLANK ? at + 2 : at + 1;
  if (QUOTE[byteAt(b, from)] === 1) from++;
  if (!opensVendor(b, from) || !startsVendor(b, from)) return 0;
  let to = from;
  while (to - from < MAX_PART && BODY[byteAt(b, to)] === 1) to++;
  if (to - from < 4) return 0;
  const next = NEXT.exec(pass.slice(to, Math.min(pass.text.end, to + REACH)));
  const second = next?.[1] ?? '';
  if (next === null || pass.decoder === null) return 0;
  const tag = pass.decoder.joined(pass.slice(from, to) + second);
  if (tag < 0) return 0;
  pass.found(tag, CHECKSUM, from, to);
  return pass.found(tag, CHECKSUM, to + next[0].length - second.length, to + next[0].length);
}
