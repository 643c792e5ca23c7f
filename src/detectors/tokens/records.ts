import { BARE, FORMATTED } from '../kinds/kind.ts';
import { tagId } from '../kinds/taxonomy.ts';
import type { Pass } from '../pass.ts';
import { ALPHA, byteAt, DIGIT, is, isAt, LETTER } from '../text/bytes.ts';
import * as Char from '../text/chars.ts';

const MAX_RECORD = 65_536;

/** A format whose fields only their place or number tells, what it begins with, and its fields: a tag for each group. */
interface Format {
  readonly openings: readonly string[];
  readonly field: RegExp;
  readonly tags: readonly string[];
}

const FORMATS: readonly Format[] = [
  {
    // DICOM as dcmdump prints it (PS3.6): (0010,0010) PN [DOE^JANE]
    openings: ['(00', '# dicom'],
    field:
      /\(0010,(?:0010\)[^[\n]{0,24}\[([^\]\n]+)|0020\)[^[\n]{0,24}\[([^\]\n]+)|0030\)[^[\n]{0,24}\[([^\]\n]+)|1040\)[^[\n]{0,24}\[([^\]\n]+))/g,
    tags: ['PERSON', 'MRN', 'DATE_OF_BIRTH', 'STREET_ADDRESS'],
  },
  {
    // GEDCOM: 1 NAME Jane /Doe/
    openings: ['0 head', '0 @', '1 name'],
    field: /^(?:1 NAME ([^\r\n]+)|1 BIRT[^\r\n]*\r?\n2 DATE ([^\r\n]+)|1 ADDR ([^\r\n]+))/gm,
    tags: ['PERSON', 'DATE_OF_BIRTH', 'STREET_ADDRESS'],
  },
  {
    // SWIFT MT103: :50K:/12345678901 and a name in the line below
    openings: [':20', ':50', ':59', '{1:'],
    field:
      /^:5[09][AFK]?:(?:\/(?![A-Z]{2}\d\d)(\d{5,34})\r?\n|\/[A-Z]{2}\d\d[A-Z\d]{6,30}\r?\n)?([A-Z][^\d\r\n]{2,34})$/gm,
    tags: ['US_BANK_NUMBER', 'PERSON'],
  },
  {
    // ICAO 9303: the lines of a passport that machines read
    openings: ['p<', 'v<'],
    field:
      /^[PV]<[A-Z<]{3}([A-Z]+(?:<{1,2}[A-Z]+)*)<*\r?\n([A-Z\d<]{9}\d[A-Z<]{3}\d{7}[MFX<]\d{7}[A-Z\d<]{14,16})/gm,
    tags: ['PERSON', 'PASSPORT'],
  },
];
export const RECORD_OPENINGS = FORMATS.flatMap(({ openings }) => openings);

/** The names, numbers and dates in a record of one of these formats. */
export function record(pass: Pass): void {
  const { bytes: b, start, end } = pass.text;
  if (end - start > MAX_RECORD) return;
  const format = FORMATS.find(({ openings }) => openings.some((opening) => isAt(b, start, opening)));
  if (format === undefined) return;
  for (const match of pass.slice(start, end).matchAll(format.field)) {
    let at = start + match.index;
    for (const [k, tag] of format.tags.entries()) {
      const value = match[k + 1];
      if (value === undefined) continue;
      at = start + match[0].indexOf(value, at - start - match.index) + match.index;
      pass.found(tagId(tag), tag === 'DATE_OF_BIRTH' ? FORMATTED : BARE, at, at + value.length);
    }
  }
}

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
