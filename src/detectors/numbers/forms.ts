import { isCard } from '../checks/card.ts';
import type { DigitCheck } from '../checks/digits.ts';
import * as national from '../checks/national.ts';
import { BARE, CHECKSUM, FORMATTED, type Rank } from '../hits.ts';
import { tagId } from '../taxonomy.ts';

/** When a value of this form is reported: always, with a word near it or in strict mode, only with a word near it. */
export type Alone = 'always' | 'strict' | 'never';

export interface Form {
  tag: number;
  lengths: readonly number[];
  /** Separator before each group but the first; 0 for any of `- . space`, the same throughout. */
  separators: readonly number[];
  check: DigitCheck;
  rank: Rank;
  alone: Alone;
}

const anything: DigitCheck = () => true;

type Row = readonly [
  tag: string,
  check: DigitCheck,
  always: string,
  strict: string,
  never: string,
  rank?: Rank,
];

/**
 * Digit groups of each kind: those that stand alone, those that need a word near them unless strict, and those
 * that always need one. `3-2-4` has just this separator, `3~2~4` any one of dash, dot and space.
 */
const ROWS: readonly Row[] = [
  ['US_SSN', national.usSsn, '3~2~4', '', '9|3-6|5-4|3~6|5~4', BARE],
  ['US_ITIN', national.usItin, '3~2~4', '', '9|3-6|5-4', BARE],
  ['ABA_ROUTING_NUMBER', national.abaRouting, '', '9|4-4-1|4~4~1', ''],
  ['UK_NHS', national.ukNhs, '', '10|3~3~4', ''],
  ['CA_SIN', national.caSin, '', '9|3~3~3', ''],
  ['AU_TFN', national.auTfn, '', '9|3~3~3', ''],
  ['AU_ABN', national.auAbn, '2 3 3 3', '11|2~3~3~3', ''],
  ['PL_PESEL', national.plPesel, '', '11', ''],
  ['DE_TAX_ID', national.deTaxId, '', '11|2 3 3 3|2~3~3~3', ''],
  ['SE_PERSONNUMMER', national.sePersonnummer, '8-4|6-4', '12|10|8~4|6~4', ''],
  ['IN_AADHAAR', national.inAadhaar, '4 4 4|4-4-4', '12|4:4:4|4~4~4', ''],
  ['KR_RRN', national.krRrn, '6-7', '13', '', FORMATTED],
  ['TR_NATIONAL_ID', national.trNationalId, '', '11|3~3~3~2', ''],
  ['TH_TNIN', national.thTnin, '1-4-5-2-1|1 4 5 2 1', '13', ''],
  ['ZA_ID_NUMBER', national.zaIdNumber, '6 4 3|6 4 2 1', '13|6~4~3', ''],
  ['BR_CPF', national.brCpf, '3.3.3-2', '11|3~3~3~2|9-2', ''],
  ['FR_NIR', national.frNir, '15|13~2|1~2~2~2~3~3~2', '', ''],
  ['NL_BSN', national.nlBsn, '', '9|4~2~3|3~3~3', ''],
  ['US_NPI', national.usNpi, '', '10|4~3~3', ''],
  ['US_PASSPORT', anything, '', '', '9', BARE],
  ['US_DRIVER_LICENSE', anything, '', '', '7|8|9|10|11|12|3~3~3', BARE],
  ['US_BANK_NUMBER', anything, '', '', '8|9|10|11|12|13|14|15|16|17', BARE],
  ['MRN', anything, '', '', '6|7|8|9|10|3~3~3|2~2~2', BARE],
  ['HEALTH_PLAN_ID', anything, '', '', '8|9|10|11|12', BARE],
  // last: a number that another kind claims is a card only when a word says so
  [
    'CREDIT_CARD',
    isCard,
    '13|14|15|16|18|19|4~4~4~4|4~6~5|4~6~4|4~4~4~4~3|4~4~4~4~2',
    '8~8|6~10|4~4~4~1',
    '',
  ],
];

const GROUP = /(\d+)(\D?)/g;

function parse(spec: string): { lengths: number[]; separators: number[] } {
  const lengths: number[] = [];
  const separators: number[] = [];
  for (const [, length = '', separator = ''] of spec.matchAll(GROUP)) {
    lengths.push(Number(length));
    if (separator !== '') separators.push(separator === '~' ? 0 : separator.charCodeAt(0));
  }
  return { lengths, separators };
}

function rowForms([tag, check, always, strict, never, lowest = CHECKSUM]: Row): Form[] {
  const id = tagId(tag);
  const of = (specs: string, alone: Alone): Form[] =>
    specs === ''
      ? []
      : specs.split('|').map((spec) => {
          const { lengths, separators } = parse(spec);
          const rank = lowest === BARE && lengths.length > 1 ? FORMATTED : lowest;
          return { tag: id, lengths, separators, check, rank, alone };
        });
  return [...of(always, 'always'), ...of(strict, 'strict'), ...of(never, 'never')];
}

export const forms: readonly Form[] = ROWS.flatMap(rowForms);
