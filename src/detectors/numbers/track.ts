import { isNamedCard, MAX_CARD } from '../checks/card.ts';
import { CHECKSUM } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { tagId } from '../taxonomy.ts';
import { CARET, DIGIT_0 } from '../text/ascii.ts';
import { DIGIT } from '../text/bytes.ts';
import { byteAt, is } from '../text/read.ts';

const CARD = tagId('CREDIT_CARD');
const digits = new Uint8Array(MAX_CARD);

/** The card of a magnetic stripe's first track (ISO/IEC 7813), whose digits stand at `from`, after B and before a caret. */
export function trackCard(pass: Pass, from: number): number {
  const b = pass.text.bytes;
  let n = 0;
  for (; n < MAX_CARD && is(b, from + n, DIGIT); n++) digits[n] = byteAt(b, from + n) - DIGIT_0;
  if (b[from + n] !== CARET || !isNamedCard(digits, 0, n)) return 0;
  pass.found(CARD, CHECKSUM, from, from + n);
  return from + n;
}
