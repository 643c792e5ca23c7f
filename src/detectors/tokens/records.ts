import { BARE } from '../kinds/kind.ts';
import { tagId } from '../kinds/taxonomy.ts';
import type { Pass } from '../pass.ts';
import { ALPHA, byteAt, DIGIT, is, isAt, LETTER } from '../text/bytes.ts';
import * as Char from '../text/chars.ts';

const PERSON = tagId('PERSON');
const ADDRESS = tagId('STREET_ADDRESS');
/** Fields of HL7 v2 that hold names and addresses, by segment and number (chapters 3 and 6 of the standard). */
const FIELDS = new Map<string, ReadonlyMap<number, number>>([
  [
    'PID',
    new Map([
      [5, PERSON],
      [6, PERSON],
      [9, PERSON],
      [11, ADDRESS],
    ]),
  ],
  [
    'NK1',
    new Map([
      [2, PERSON],
      [4, ADDRESS],
    ]),
  ],
  [
    'GT1',
    new Map([
      [3, PERSON],
      [4, PERSON],
      [5, ADDRESS],
    ]),
  ],
  [
    'IN1',
    new Map([
      [16, PERSON],
      [19, ADDRESS],
    ]),
  ],
]);
const SIZE = 3;
/** Segments with which a message begins, or a part of one. */
export const HL7_OPENINGS = ['MSH', 'EVN', ...FIELDS.keys()].map((segment) => `${segment.toLowerCase()}|`);
const MAX_FIELD = 200;

/** The names and addresses in a message of HL7 v2, which begins with one of its segments: `PID|1||4471^^^H^MR||DOE^JANE|…`. */
export function hl7Message(pass: Pass): void {
  const { bytes: b, start, end } = pass.text;
  if (!HL7_OPENINGS.some((opening) => isAt(b, start, opening))) return;
  let segment = start;
  while (segment < end) {
    const fields = b[segment + SIZE] === Char.VERTICAL_BAR ? FIELDS.get(segmentAt(b, segment)) : undefined;
    segment = readSegment(pass, segment, fields);
  }
}

function segmentAt(b: Uint8Array, at: number): string {
  return String.fromCharCode(byteAt(b, at), byteAt(b, at + 1), byteAt(b, at + 2));
}

/** Reads the fields of a segment; returns where the next one begins. */
function readSegment(pass: Pass, at: number, fields: ReadonlyMap<number, number> | undefined): number {
  const { bytes: b, end } = pass.text;
  let field = 0;
  let from = at;
  for (let i = at; ; i++) {
    const isEnd = i >= end || b[i] === Char.LINE_FEED || b[i] === Char.CARRIAGE_RETURN;
    if (!isEnd && b[i] !== Char.VERTICAL_BAR) continue;
    const tag = fields?.get(field);
    if (tag !== undefined && i - from <= MAX_FIELD && isField(b, from, i, tag))
      pass.found(tag, BARE, from, i);
    if (isEnd) return i + 1;
    field++;
    from = i + 1;
  }
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
