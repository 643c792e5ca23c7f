import { BLANK, COMMA, LINE_FEED, QUESTION_MARK, RIGHT_PARENTHESIS, SEMICOLON } from '../text/ascii.ts';
import { ALNUM } from '../text/bytes.ts';
import { byteAt, is } from '../text/read.ts';
import { isQuote } from './markup-value.ts';

/** Characters of a line before a label that are read. */
const REACH = 100;

/** Whether a quote before this byte rather ends a text than begins one: read -p "Password: " PW. */
export function closesPrompt(next: number): boolean {
  return next <= BLANK || next === RIGHT_PARENTHESIS || next === COMMA || next === SEMICOLON;
}

/** Whether a quote of this kind is open in the line before `from`, so that the next one closes it. */
export function closesLiteral(b: Uint8Array, from: number, quote: number): boolean {
  let start = from;
  while (from - start < REACH && b[start - 1] !== LINE_FEED && byteAt(b, start - 1) !== 0) start--;
  let open = 0;
  for (let i = start; i < from; i++) {
    const c = byteAt(b, i);
    if (open === 0 ? isQuote(c) && !isApostrophe(b, i) : c === open) open = open === 0 ? c : 0;
  }
  return open === quote;
}

/** Whether the quote stands inside a word: don't. */
function isApostrophe(b: Uint8Array, at: number): boolean {
  return is(b, at - 1, ALNUM) && is(b, at + 1, ALNUM);
}

/** Whether the label, whose opening quote is at `quote`, is a branch of a conditional: a ? "password" : "text". */
export function isBranch(b: Uint8Array, quote: number): boolean {
  let i = quote - 1;
  while (b[i] === BLANK) i--;
  return b[i] === QUESTION_MARK;
}
