import { BARE } from '../kinds/kind.ts';
import { tagId } from '../kinds/taxonomy.ts';
import type { Pass } from '../pass.ts';
import { ALPHA, DIGIT, is, isAt, isBreak, LETTER } from '../text/bytes.ts';
import * as Char from '../text/chars.ts';

const PERSON = tagId('PERSON');
const ADDRESS = tagId('STREET_ADDRESS');
/** Fields of HL7 v2 that hold names and addresses, by segment and number (chapters 3 and 6 of the standard). */
const FIELDS = new Map<string, number>([
  ...'PID|5 PID|6 PID|9 NK1|2 GT1|3 GT1|4 IN1|16'.split(' ').map((field) => [field, PERSON] as const),
  ...'PID|11 NK1|4 GT1|5 IN1|19'.split(' ').map((field) => [field, ADDRESS] as const),
]);
/** Segments with which a message begins, or a part of one. */
export const HL7_OPENINGS = ['msh|', 'evn|', 'pid|', 'nk1|', 'gt1|', 'in1|'];
const MAX_FIELD = 200;

/** The names and addresses in a message of HL7 v2, which begins with one of its segments: `PID|1||4471^^^H^MR||DOE^JANE|…`. */
export function hl7Message(pass: Pass): void {
  const { bytes: b, start, end } = pass.text;
  if (!HL7_OPENINGS.some((opening) => isAt(b, start, opening))) return;
  let segment = start;
  let [field, from] = [0, start];
  for (let i = start; i <= end; i++) {
    const isEnd = i === end || isBreak(b[i]);
    if (!isEnd && b[i] !== Char.VERTICAL_BAR) continue;
    const tag = field === 0 ? undefined : FIELDS.get(`${segmentAt(b, segment)}${field}`);
    if (tag !== undefined && i - from <= MAX_FIELD && isField(b, from, i, tag))
      pass.found(tag, BARE, from, i);
    from = i + 1;
    field = isEnd ? 0 : field + 1;
    if (isEnd) segment = from;
  }
}

/** The name of a segment, and the bar behind it. */
function segmentAt(b: Uint8Array, at: number): string {
  return String.fromCharCode(...b.subarray(at, at + 4));
}

/** Whether a field has a letter, and that of an address a digit too. */
function isField(b: Uint8Array, from: number, to: number, tag: number): boolean {
  let letters = false;
  let digits = false;
  for (let i = from; i < to; i++) {
    if (is(b, i, ALPHA | LETTER)) letters = true;
    if (is(b, i, DIGIT)) digits = true;
  }
  return letters && (tag === PERSON || digits);
}

/** With what contact cards (vCard, RFC 6350), calendars (iCalendar, RFC 5545) and directories (LDIF, RFC 2849) begin. */
export const CARD_OPENINGS = ['begin:v', 'dn: ', 'attendee', 'organizer'];
const MAX_CARDS = 65_536;
/** Lines and parameters that hold names and streets: a street is the third part of an address. */
const FIELD =
  /^(?:(?:FN|N)(?:;[^:\r\n]*)?:|(?:cn|sn|givenName|displayName): |(ADR(?:;[^:\r\n]*)?:[^;\r\n]*;[^;\r\n]*;|(?:street|postalAddress|homePostalAddress): ))([^\r\n]+)|;CN="?([^":;\r\n]+)/gim;

/** The names and addresses in contact cards, calendars and entries of directories. */
export function contactCard(pass: Pass): void {
  const { bytes: b, start, end } = pass.text;
  if (end - start > MAX_CARDS || !CARD_OPENINGS.some((opening) => isAt(b, start, opening))) return;
  for (const { 0: whole, 1: street, 2: line, 3: parameter, index } of pass
    .slice(start, end)
    .matchAll(FIELD)) {
    const text = line ?? parameter ?? '';
    const value = street === undefined ? text : (text.split(';', 1)[0] ?? '');
    if (!/\p{L}/u.test(value)) continue;
    const from = start + index + whole.lastIndexOf(text);
    pass.found(tagId(street === undefined ? 'PERSON' : 'STREET_ADDRESS'), BARE, from, from + value.length);
  }
}
