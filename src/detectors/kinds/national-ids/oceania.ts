import { type DigitCheck, isRepeated, number, weighted } from '../../checks/digits.ts';
import type { Kind } from '../kind.ts';

/** Australian Taxation Office: weighted sum divisible by 11. */
const auTfn: DigitCheck = (d, o) =>
  weighted(d, o, [1, 4, 3, 7, 5, 8, 6, 9, 10]) % 11 === 0 && !isRepeated(d, o, 9);

/** Australian Business Register: first digit less one, weighted sum divisible by 89. */
const auAbn: DigitCheck = (d, o) =>
  d[o] !== 0 && (weighted(d, o, [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19]) - 10) % 89 === 0;

/** Services Australia: first digit 2 to 6, weights 1 3 7 9 modulus 10. */
const auMedicare: DigitCheck = (d, o) =>
  number(d, o, 1) >= 2 && number(d, o, 1) <= 6 && weighted(d, o, [1, 3, 7, 9, 1, 3, 7, 9]) % 10 === d[o + 8];

/** ASIC: weights 8 to 1, ten less the sum modulus 10. */
const auAcn: DigitCheck = (d, o) =>
  !isRepeated(d, o, 9) && (10 - (weighted(d, o, [8, 7, 6, 5, 4, 3, 2, 1]) % 10)) % 10 === d[o + 8];

export const oceania: readonly Kind[] = [
  {
    tag: 'AU_TFN',
    categories: ['PII'],
    words: 'tfn tax_file taxfile taxfilenumber',
    digits: [{ check: auTfn, strict: '9|3~3~3' }],
    docs: {
      country: 'Australia',
      counts: 'ATO weights modulus 11, with a word',
      strength: ['checksum'],
      found: { tfn: '876 543 210' },
      missed: { tfn: '876 543 211' },
    },
  },
  {
    tag: 'AU_ABN',
    categories: ['PII'],
    words: 'abn australian_business business_number',
    digits: [{ check: auAbn, always: '2 3 3 3', strict: '11|2~3~3~3' }],
    docs: {
      country: 'Australia',
      counts: 'ABR weights modulus 89; bare with a word',
      strength: ['checksum'],
      found: '51 824 753 556',
      missed: '52 824 753 556',
    },
  },
  {
    tag: 'AU_MEDICARE',
    categories: ['PHI', 'PII'],
    words: 'medicare medicare_number medicare_card medicarenumber',
    digits: [{ check: auMedicare, strict: '10|4~5~1|11|4~5~1~1' }],
    docs: {
      country: 'Australia',
      counts: 'first digit 2 to 6, weights modulus 10, with a word',
      strength: ['checksum'],
      found: { medicare_number: '2123 45670 1' },
      missed: { medicare_number: '2123 45671 1' },
    },
  },
  {
    tag: 'AU_ACN',
    categories: ['PII'],
    words: 'acn company_number australian_company',
    digits: [{ check: auAcn, strict: '9|3~3~3' }],
    docs: {
      country: 'Australia',
      counts: 'weights 8 to 1 modulus 10, with a word',
      strength: ['checksum'],
      found: { acn: '004 085 616' },
      missed: { acn: '004 085 617' },
    },
  },
];
