import { isIn } from '../checks/letters.ts';
import { BARE } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { tagId } from '../taxonomy.ts';
import { BLANK, FULL_STOP } from '../text/ascii.ts';
import { DIGIT, UPPER, WORD } from '../text/bytes.ts';
import { byteAt, is } from '../text/read.ts';

const ICD10 = tagId('ICD10_CODE');
/** How near its word a code stands: ICD-10 I10, Dx E78.5. */
const REACH = 8;
const MAX_SUBCODE = 4;

/** The code of a disease whose letter is at `from`, behind its word; returns where it ends, or 0. */
export function icdCode(pass: Pass, from: number): number {
  const b = pass.text.bytes;
  if (b[from - 1] !== BLANK || !is(b, from, UPPER) || isIn('u', b, from)) return 0;
  if (!is(b, from + 1, DIGIT) || !is(b, from + 2, DIGIT | UPPER)) return 0;
  let to = from + 3;
  if (b[to] === FULL_STOP && is(b, to + 1, DIGIT | UPPER)) {
    to++;
    const subcode = to;
    while (to - subcode < MAX_SUBCODE && is(b, to, DIGIT | UPPER)) to++;
  }
  if (is(b, to, WORD) || (b[to] === FULL_STOP && byteAt(b, to + 1) > BLANK)) return 0;
  if (!pass.isOn(ICD10) || !pass.context.any(from) || pass.context.distance(ICD10, from) > REACH) return 0;
  pass.found(ICD10, BARE, from, to);
  return to;
}
