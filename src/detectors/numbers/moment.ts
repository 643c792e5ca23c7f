import { CLASS, DIGIT, WORD } from '../text/bytes.ts';

/**
 * End of a date or time that begins with the digits from `from` to `to`, as ISO 8601 writes them: they are the
 * numbers seen most and hold nothing. 0 when it is none.
 */
export function momentEnd(b: Uint8Array, from: number, to: number, next: number): number {
  if (to - from === 4 && next === 45) {
    if (!two(b, to + 1) || b[to + 3] !== 45 || !two(b, to + 4)) return 0;
    const end = to + 6;
    if ((b[end] === 84 || b[end] === 32) && two(b, end + 1) && b[end + 3] === 58) return timeEnd(b, end + 1);
    return isEnd(b, end) ? end : 0;
  }
  return to - from === 2 && next === 58 ? timeEnd(b, from) : 0;
}

/** End of `hh:mm[:ss[.fraction]][zone]`, 0 when it is longer than a time. */
function timeEnd(b: Uint8Array, from: number): number {
  if (!two(b, from) || b[from + 2] !== 58 || !two(b, from + 3)) return 0;
  let end = from + 5;
  if (b[end] === 58 && two(b, end + 1)) {
    end += 3;
    if ((b[end] === 46 || b[end] === 44) && isDigit(b[end + 1] as number)) {
      end++;
      while (isDigit(b[end] as number)) end++;
    }
  }
  if (b[end] === 90) end++;
  else if ((b[end] === 43 || b[end] === 45) && two(b, end + 1) && b[end + 3] === 58 && two(b, end + 4))
    end += 6;
  return isEnd(b, end) ? end : 0;
}

function isDigit(c: number): boolean {
  return ((CLASS[c] as number) & DIGIT) !== 0;
}

function two(b: Uint8Array, at: number): boolean {
  return isDigit(b[at] as number) && isDigit(b[at + 1] as number) && !isDigit(b[at + 2] as number);
}

function isEnd(b: Uint8Array, end: number): boolean {
  const c = b[end] as number;
  return ((CLASS[c] as number) & WORD) === 0 && c !== 58 && c !== 45;
}
