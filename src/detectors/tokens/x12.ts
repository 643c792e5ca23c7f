import { BARE, FORMATTED } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { tagId } from '../taxonomy.ts';
import { isAt } from '../text/read.ts';

/** Segments with which a message of ASC X12 begins, or a part of one that tells of a person. */
export const X12_OPENINGS = ['isa*', 'st*', 'nm1*', 'gs*'];
const MAX_MESSAGE = 65_536;
/** Segments and what their elements hold: names, streets, dates of birth, numbers (X12 837 and 834). */
const SEGMENT = /(?:^|[~\r\n])(NM1\*(?:IL|QC|74|03)\*1|N3|DMG\*D8|REF\*SY)\*([^~\r\n]*)/g;

/** The names, addresses and numbers of people in a message of ASC X12: `NM1*IL*1*DOE*JANE****MI*W123~N3*5 MAIN ST~`. */
export function x12Message(pass: Pass): void {
  const { bytes: b, start, end } = pass.text;
  if (end - start > MAX_MESSAGE || !X12_OPENINGS.some((opening) => isAt(b, start, opening))) return;
  for (const match of pass.slice(start, end).matchAll(SEGMENT)) {
    const [whole, segment = '', elements = ''] = match;
    const from = start + match.index + whole.length - elements.length;
    if (segment.startsWith('NM1')) member(pass, from, elements);
    else if (segment === 'N3') found(pass, 'STREET_ADDRESS', from, elements.split('*', 1)[0] ?? '');
    else if (segment === 'REF*SY') found(pass, 'US_SSN', from, elements);
    else found(pass, 'DATE_OF_BIRTH', from, elements.split('*', 1)[0] ?? '');
  }
}

/** The name of a member, in up to three elements, and the number behind the qualifier MI. */
function member(pass: Pass, from: number, elements: string): void {
  const name = /^[^*]*(?:\*[^*]+){0,2}/.exec(elements)?.[0] ?? '';
  found(pass, 'PERSON', from, name);
  const number = /\*MI\*([^*]+)/.exec(elements);
  if (number !== null) found(pass, 'HEALTH_PLAN_ID', from + number.index + '*MI*'.length, number[1] ?? '');
}

function found(pass: Pass, tag: string, from: number, value: string): void {
  if (value.length > 2)
    pass.found(tagId(tag), tag === 'DATE_OF_BIRTH' ? FORMATTED : BARE, from, from + value.length);
}
