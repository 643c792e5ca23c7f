import type { Pass } from '../pass.ts';
import { BLANK, COMMA, FULL_STOP, HASH_SIGN, LINE_FEED, RIGHT_BRACE } from '../text/ascii.ts';
import { IDEOGRAPH, SPACE } from '../text/bytes.ts';
import { byteAt, classAt, classOf, isAt } from '../text/read.ts';

/** Whether nothing but a full stop follows. */
export function endsText({ text: { bytes: b, end } }: Pass, to: number): boolean {
  return to >= end || (b[to] === FULL_STOP && to + 1 >= end);
}

export function endsLine({ text: { bytes: b, end } }: Pass, to: number): boolean {
  let i = to;
  while (b[i] === BLANK) i++;
  if (b[i] === 13) i++;
  if (i >= end || (b[i] === HASH_SIGN && i > to)) return true; // key: value # remark
  if (b[i] !== LINE_FEED) return false;
  while (classAt(b, i) & SPACE) i++;
  return b[i] !== RIGHT_BRACE;
}

/** What begins another clause after the value. */
const CLAUSES = [
  ' to log',
  ' to sign',
  ' to access',
  ' to connect',
  ' to get',
  ' to unlock',
  ' until ',
  ' and my ',
  ' and the ',
  ' y mi ',
  ' und mein',
  ' et mon ',
  ' et ma ',
  ' e il mio ',
  ' e meu ',
  ' e minha ',
  ' en mijn ',
  ' i moj',
  ' och min',
  ' og min',
];

/** Whether a sentence, clause or line ends after the word. */
export function endsSentence({ text: { bytes: b, end } }: Pass, to: number): boolean {
  const c = byteAt(b, to);
  if (to >= end || c === LINE_FEED || c === COMMA || classOf(c) & IDEOGRAPH) return true;
  if (c === BLANK && classAt(b, to + 1) & IDEOGRAPH) return true; // letmein 입니다
  if (c === BLANK) return CLAUSES.some((words) => isAt(b, to, words));
  return (c === FULL_STOP && (classAt(b, to + 1) & SPACE || to + 1 >= end)) as boolean;
}
