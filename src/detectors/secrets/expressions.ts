import { DIGIT_0, FULL_STOP, LEFT_BRACE, QUESTION_MARK } from '../text/ascii.ts';
import { ALNUM, ALPHA, DIGIT, LOWER, UNDERSCORE, UPPER } from '../text/bytes.ts';
import { byteAt, classAt, classOf, is } from '../text/read.ts';

/** No member of an object has a longer name, with those before it. */
const MAX_EXPRESSION = 72;

/** Whether the value is the name of a type with a number in it: Uint8Array, OAuth2Token. */
export function isType(b: Uint8Array, from: number, to: number): boolean {
  let i = from;
  while (is(b, i, ALPHA)) i++;
  const digits = i;
  while (is(b, i, DIGIT)) i++;
  if (digits === from || i === digits || i - digits > 3 || !is(b, digits - 1, LOWER) || !is(b, i, UPPER))
    return false;
  while (is(b, i, UPPER) && is(b, i + 1, LOWER)) {
    i++;
    while (is(b, i, LOWER)) i++;
  }
  return i === to;
}

/** Whether the text is the path of a member: data[0].secret. */
export function isPath(text: string): boolean {
  return text.includes('[') && /^[\w$]+(?:\[\d*\]|\.[\w$*]+)+$/.test(text);
}

/** Whether an unquoted value is an expression: a member, a call, a default. */
export function isCode(b: Uint8Array, from: number, to: number, next: number): boolean {
  if (next === QUESTION_MARK || next === LEFT_BRACE) return true;
  if (to - from > MAX_EXPRESSION && hasDigit(b, from, to)) return false;
  let dots = 0;
  for (let i = from; i < to; i++) {
    const c = byteAt(b, i);
    // no member of an object begins with a digit: plum.Torch.41
    if (c === FULL_STOP && is(b, i + 1, DIGIT)) return false;
    if (c === FULL_STOP) dots++;
    else if (!(classOf(c) & (ALNUM | UNDERSCORE))) return false;
  }
  // self.password1, auth.value2
  return dots > 0 && byteAt(b, from) > DIGIT_0 + 9;
}

export function hasDigit(b: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (classAt(b, i) & DIGIT) return true;
  return false;
}
