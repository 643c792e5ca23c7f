import { hasIdKey, ownKey } from '../context/own-key.ts';
import { NEGATIVE } from '../context/table.ts';
import type { Pass } from '../pass.ts';
import { tagId } from '../taxonomy.ts';
import { BLANK, COMMA, DIGIT_0, HYPHEN, SEMICOLON, SLASH, TAB, VERTICAL_BAR } from '../text/ascii.ts';
import { DIGIT } from '../text/bytes.ts';
import { byteAt, is } from '../text/read.ts';

const CARD = tagId('CREDIT_CARD');
/** Numbers that networks and payment services publish for tests: no id is one of them by chance. */
const TEST_NUMBERS = new Set(
  (
    '4111111111111111 4242424242424242 4012888888881881 4000056655665556 4000000000000002 4000000000009995 4000000000003220 4000002500003155 4000000000000077 ' +
    '4000000000000341 4222222222222 4012000033330026 4917610000000000 4988438843884305 4166676667666746 4646464646464644 4444333322221111 4462030000000000 ' +
    '5555555555554444 5200828282828210 5105105105105100 2223003122003222 5454545454545454 5500000000000004 2222400070000005 5136333333333335 5424000000000015 ' +
    '378282246310005 371449635398431 378734493671000 370000000000002 343434343434343 6011111111111117 6011000990139424 6011981111111113 30569309025904 ' +
    '38520000023237 3056930009020004 36227206271667 36700102000000 3530111333300000 3566002020360505 3569990010095841 6200000000000005 6205500000000000004 6759649826438453'
  ).split(' '),
);

/**
 * Whether bare digits from `from` to `to` that are a card's by their checksum are one. Three in a hundred ids of 16 digits have such a
 * checksum: a word for cards must stand near them or be their key, or what payment data has beside a card. Digits under the
 * key of an id and in a path are none.
 */
export function isBareCard(pass: Pass, from: number, to: number): boolean {
  const b = pass.text.bytes;
  if (hasIdKey(b, from)) return false;
  if (isTestNumber(b, from, to) && !pass.context.labels(NEGATIVE, from)) return true;
  if (b[from - 1] === SLASH) return false;
  const key = ownKey(b, from);
  if (key > 0 ? pass.context.distance(CARD, from) <= from - key : pass.around(CARD, from, to)) return true;
  return expiryFollows(b, to);
}

function isTestNumber(b: Uint8Array, from: number, to: number): boolean {
  let digits = '';
  for (let i = from; i < to; i++) digits += String.fromCharCode(byteAt(b, i));
  return TEST_NUMBERS.has(digits);
}

/** Bytes between a card and when it expires: 4111…|09|27|123, 4111… 09/27, 4111…,0927. */
const BETWEEN: readonly number[] = [BLANK, TAB, COMMA, SEMICOLON, VERTICAL_BAR];
const MAX_BETWEEN = 3;
/** Years for which cards are issued. */
const [FIRST_YEAR, LAST_YEAR] = [20, 45];

/** Whether a month and a year follow that are no part of a longer number. */
function expiryFollows(b: Uint8Array, to: number): boolean {
  let i = to;
  while (i - to < MAX_BETWEEN && BETWEEN.includes(byteAt(b, i))) i++;
  if (i === to || !is(b, i, DIGIT) || !is(b, i + 1, DIGIT)) return false;
  const month = two(b, i);
  i += 2;
  if (b[i] === SLASH || b[i] === HYPHEN || b[i] === VERTICAL_BAR) i++;
  if (!is(b, i, DIGIT) || !is(b, i + 1, DIGIT)) return false;
  if (two(b, i) === 20 && is(b, i + 2, DIGIT) && is(b, i + 3, DIGIT)) i += 2;
  const year = two(b, i);
  return month > 0 && month < 13 && year >= FIRST_YEAR && year <= LAST_YEAR && !is(b, i + 2, DIGIT);
}

function two(b: Uint8Array, at: number): number {
  return 10 * (byteAt(b, at) - DIGIT_0) + byteAt(b, at + 1) - DIGIT_0;
}
