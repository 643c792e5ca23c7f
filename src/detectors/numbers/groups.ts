import { byteAt, classAt, classOf, DIGIT, intAt, isBreak, setOf, startOf, WORD } from '../text/bytes.ts';
import * as Char from '../text/chars.ts';

const MAX_GROUPS = 24;
const MAX_DIGITS = 64;

/** 1 for bytes that may stand, alone, between two groups: space, line break, dash, dot, slash, colon. */
const SEPARATOR = setOf(' \t\r\n-./:');

/** Digit groups that stand together, with single separators between them: a number as people write it. */
export class Groups {
  count = 0;
  /** Value of every digit of the sequence; with room for the last group, which may begin below the limit. */
  readonly digits = new Uint8Array(2 * MAX_DIGITS);
  readonly starts = new Int32Array(MAX_GROUPS + 1);
  readonly lengths = new Int32Array(MAX_GROUPS + 1);
  /** Index of a group's first digit in `digits`. */
  readonly offsets = new Int32Array(MAX_GROUPS + 1);
  /** Byte before each group: a separator; for the first, whatever stands there. */
  readonly before = new Uint8Array(MAX_GROUPS + 1);
  /** Position after the last digit. */
  end = 0;
  /** See `hasWord`; null until it is asked. */
  hasWord: boolean | null = null;
  /** Where a value ends that begins with one of the groups and goes on with letters; 0 for none. */
  reach = 0;

  /** Reads the sequence that begins with the digit at `at`. */
  read(b: Uint8Array, at: number): void {
    const { digits, starts, lengths, offsets, before } = this;
    let g = 0;
    let n = 0;
    let i = at;
    let separator = byteAt(b, at - 1);
    for (;;) {
      const start = i;
      const offset = n;
      let c = byteAt(b, i);
      for (; c > 47 && c < 58; c = byteAt(b, ++i)) if (n < digits.length) digits[n++] = c - 48;
      // 555 0199th, 12 3b4: a group that goes on as a word is none of these
      if (g > 0 && classOf(c) & WORD && !isExtension(b, start, i)) {
        n = offset;
        break;
      }
      starts[g] = start;
      offsets[g] = offset;
      before[g] = separator;
      lengths[g] = i - start;
      g++;
      this.end = i;
      if (g === MAX_GROUPS || n >= MAX_DIGITS) break;
      const next = nextGroup(b, i, c);
      if (next === Char.NUL) break;
      // a parenthesis after a tab or a line break begins the next field
      separator =
        (c === Char.BLANK || c === Char.HYPHEN || c === Char.FULL_STOP) &&
        b[next - 1] === Char.LEFT_PARENTHESIS
          ? Char.LEFT_PARENTHESIS
          : next - i === 3 && c === Char.BLANK && b[i + 1] === Char.HYPHEN
            ? Char.HYPHEN
            : c;
      i = next;
    }
    this.count = g;
    this.reach = 0;
    this.hasWord = null;
    before[g] = byteAt(b, this.end);
    offsets[g] = n;
    starts[g] = this.end;
  }

  endOf(g: number): number {
    return intAt(this.starts, g) + intAt(this.lengths, g);
  }
}

/** Position of the next group's first digit after one separator (or `) `, ` (`), 0 when the sequence ends with `c`. */
export function nextGroup(b: Uint8Array, i: number, c: number): number {
  if (SEPARATOR[c] === 0 && c !== Char.RIGHT_PARENTHESIS) return 0;
  let j = i + 1;
  const d = byteAt(b, j);
  if (c === Char.RIGHT_PARENTHESIS && (d === Char.BLANK || d === Char.HYPHEN || d === Char.FULL_STOP)) j++;
  else if (d === Char.LEFT_PARENTHESIS) j++;
  else if (c === Char.BLANK && d === Char.HYPHEN && b[j + 1] === Char.BLANK) j += 2;
  else if (c === Char.BLANK && d === Char.SLASH && b[j + 1] === Char.BLANK && isAreaCode(b, i)) j += 2;
  else if ((c === Char.CARRIAGE_RETURN || c === Char.HYPHEN) && d === Char.LINE_FEED) j++;
  return classAt(b, j) & DIGIT && !(isBreak(c) && isMoment(b, j)) ? j : 0;
}

/** Whether the next line begins with a date and time of day, as lines of logs do: 2026-11-12 14:03, 2026-11-12T14:03. */
function isMoment(b: Uint8Array, at: number): boolean {
  return (
    b[at + 4] === Char.HYPHEN &&
    b[at + 7] === Char.HYPHEN &&
    (b[at + 10] === Char.BLANK || b[at + 10] === Char.UPPER_T) &&
    b[at + 13] === Char.COLON_SIGN
  );
}

/** Whether the digits that end at `to` are the code of an area: 0931 / 445566. */
function isAreaCode(b: Uint8Array, to: number): boolean {
  const from = startOf(b, to, DIGIT, 7);
  return b[from] === Char.DIGIT_0 && to - from > 2 && to - from < 7;
}

/** Whether the digits that end at `to` have an extension after them: 555 0199x12. */
function isExtension(b: Uint8Array, from: number, to: number): boolean {
  return to - from > 1 && b[to] === Char.LOWER_X && (classAt(b, to + 1) & DIGIT) !== 0;
}
