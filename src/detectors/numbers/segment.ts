import { isDate } from '../checks/digits.ts';
import { numberAt } from '../checks/letters.ts';
import { BARE, FORMATTED } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { tagId } from '../taxonomy.ts';
import { CARRIAGE_RETURN, LINE_FEED, VERTICAL_BAR } from '../text/ascii.ts';
import { WORD } from '../text/bytes.ts';
import { byteAt, is } from '../text/read.ts';

const BIRTH = tagId('DATE_OF_BIRTH');
const MRN = tagId('MRN');
const SSN = tagId('US_SSN');
const PID = [...'PID|'].map((c) => c.charCodeAt(0));
const MAX_SEGMENT = 400;
/** Fields of HL7's segment PID: the list of the patient's identifiers, date of birth and social security number. */
const IDENTIFIERS = 3;
const DATE_FIELD = 7;
const SSN_FIELD = 19;

/** The digits from `at` to `to`, behind a bar, as a field of HL7's segment PID; returns where it ends, or 0. */
export function segmentField(pass: Pass, at: number, to: number): number {
  const b = pass.text.bytes;
  let bars = 0;
  let i = at;
  for (; i > pass.text.start && at - i < MAX_SEGMENT; i--) {
    const c = byteAt(b, i - 1);
    if (c === LINE_FEED || c === CARRIAGE_RETURN) break;
    if (c === VERTICAL_BAR) bars++;
  }
  if (!PID.every((c, k) => b[i + k] === c) || is(b, to, WORD)) return 0;
  if (bars === IDENTIFIERS) return report(pass, MRN, at, to);
  if (bars === SSN_FIELD && to - at === 9) return report(pass, SSN, at, to);
  if (bars !== DATE_FIELD || to - at < 8 || !pass.isOn(BIRTH)) return 0;
  if (!isDate(numberAt(b, at, 4), numberAt(b, at + 4, 2), numberAt(b, at + 6, 2))) return 0;
  pass.found(BIRTH, FORMATTED, at, at + 8);
  return to;
}

function report(pass: Pass, tag: number, from: number, to: number): number {
  pass.found(tag, BARE, from, to);
  return to;
}
