import { type DigitCheck, isRepeated, weighted } from '../../checks/digits.ts';
import type { Kind } from '../kind.ts';

/** Australian Taxation Office: weighted sum divisible by 11. */
const auTfn: DigitCheck = (d, o) =>
  weighted(d, o, [1, 4, 3, 7, 5, 8, 6, 9, 10]) % 11 === 0 && !isRepeated(d, o, 9);

/** Australian Business Register: first digit less one, weighted sum divisible by 89. */
const auAbn: DigitCheck = (d, o) =>
  d[o] !== 0 && (weighted(d, o, [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19]) - 10) % 89 === 0;

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
];
