import { BARE, FORMATTED } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { tagId } from '../taxonomy.ts';
import { isAt } from '../text/read.ts';

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
