import { BLANK, COLON_SIGN, COMMA, FULL_STOP, HYPHEN, PLUS, UPPER_T, UPPER_Z } from '../text/ascii.ts';
import { DIGIT, WORD } from '../text/bytes.ts';
import { byteAt, classOf } from '../text/read.ts';

/**
 * End of a date or time that begins with the digits from `from` to `to`, as ISO 8601 writes them: they are the
 * numbers seen most and hold nothing. 0 when it is none.
 */
export function momentEnd(b: Uint8Array, from: number, to: number, next: number): number {
  if (to - from === 4 && next === HYPHEN) {
    if (!two(b, to + 1) || b[to + 3] !== HYPHEN || !two(b, to + 4)) return 0;
    const end = to + 6;
    if ((b[end] === UPPER_T || b[end] === BLANK) && two(b, end + 1) && b[end + 3] === COLON_SIGN)
      return timeEnd(b, end + 1);
    return isEnd(b, end) ? end : 0;
  }
  return to - from === 2 && next === COLON_SIGN ? timeEnd(b, from) : 0;
}

/** End of `hh:mm[:ss[.fraction]][zone]`, 0 when it is longer than a time. */
function timeEnd(b: Uint8Array, from: number): number {
  if (!two(b, from) || b[from + 2] !== COLON_SIGN || !two(b, from + 3)) return 0;
  let end = from + 5;
  if (b[end] === COLON_SIGN && two(b, end + 1)) {
    end += 3;
    if ((b[end] === FULL_STOP || b[end] === COMMA) && isDigit(byteAt(b, end + 1))) {
      end++;
      while (isDigit(byteAt(b, end))) end++;
    }
  }
  if (b[end] === UPPER_Z) end++;
  else if (
    (b[end] === PLUS || b[end] === HYPHEN) &&
    two(b, end + 1) &&
    b[end + 3] === COLON_SIGN &&
    two(b, end + 4)
  )
    end += 6;
  return isEnd(b, end) ? end : 0;
}

function isDigit(c: number): boolean {
  return (classOf(c) & DIGIT) !== 0;
}

function two(b: Uint8Array, at: number): boolean {
  return isDigit(byteAt(b, at)) && isDigit(byteAt(b, at + 1)) && !isDigit(byteAt(b, at + 2));
}

function isEnd(b: Uint8Array, end: number): boolean {
  const c = byteAt(b, end);
  return (classOf(c) & WORD) === 0 && c !== COLON_SIGN && c !== HYPHEN;
}
