import { CLASS, DIGIT, WORD } from '../text/bytes.ts';

export const MAX_GROUPS = 24;
const MAX_DIGITS = 64;

/** 1 for bytes that may stand, alone, between two groups: space, line break, dash, dot, slash, colon. */
export const SEPARATOR = new Uint8Array(256);
for (const c of ' \t\r\n-./:') SEPARATOR[c.charCodeAt(0)] = 1;

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

  /** Reads the sequence that begins with the digit at `at`. */
  read(b: Uint8Array, at: number): void {
    let g = 0;
    let n = 0;
    let i = at;
    let separator = b[at - 1] as number;
    for (;;) {
      const start = i;
      this.starts[g] = start;
      this.offsets[g] = n;
      this.before[g] = separator;
      for (let d = (b[i] as number) - 48; d >= 0 && d <= 9; d = (b[++i] as number) - 48)
        if (n < this.digits.length) this.digits[n++] = d;
      this.lengths[g] = i - start;
      g++;
      this.end = i;
      if (g === MAX_GROUPS || n >= MAX_DIGITS) break;
      const next = nextGroup(b, i);
      if (next === 0) break;
      separator = b[i] === 41 || b[next - 1] === 40 ? (b[i] === 41 ? 41 : 40) : (b[i] as number);
      i = next;
    }
    this.count = g;
    this.before[g] = b[this.end] as number;
    this.offsets[g] = n;
    this.starts[g] = this.end;
  }

  endOf(g: number): number {
    return (this.starts[g] as number) + (this.lengths[g] as number);
  }
}

/** Position of the next group's first digit after one separator (or `) `, ` (`), 0 when the sequence ends. */
function nextGroup(b: Uint8Array, i: number): number {
  const c = b[i] as number;
  if (SEPARATOR[c] === 0 && c !== 41) return 0;
  let j = i + 1;
  const d = b[j] as number;
  if (c === 41 && (d === 32 || d === 45 || d === 46)) j++;
  else if (d === 40) j++;
  else if (c === 13 && d === 10) j++;
  const e = (b[j] as number) - 48;
  if (e < 0 || e > 9) return 0;
  // 555 0199th, 12 3b4: a group that goes on as a word is not one of these
  let k = j;
  while ((CLASS[b[k] as number] as number) & DIGIT) k++;
  const isExtension = k - j > 1 && b[k] === 120 && (CLASS[b[k + 1] as number] as number) & DIGIT;
  return (CLASS[b[k] as number] as number) & WORD && !isExtension ? 0 : j;
}
