import { type DigitCheck, isRepeated, luhn, number } from '../../checks/digits.ts';
import { BARE } from '../../hits.ts';
import type { Kind } from '../kind.ts';

/** Social Security Administration: area not 000, 666 or 9xx, group not 00, serial not 0000; two numbers voided. */
const usSsn: DigitCheck = (d, o) => {
  const area = number(d, o, 3);
  const rest = number(d, o, 9);
  return (
    area !== 0 &&
    area !== 666 &&
    area < 900 &&
    number(d, o + 3, 2) !== 0 &&
    number(d, o + 5, 4) !== 0 &&
    rest !== 78051120 &&
    rest !== 219099999 &&
    !isRepeated(d, o, 9)
  );
};

/** IRS: 9xx with the group 50 to 65, 70 to 88, 90 to 92 or 94 to 99. */
const usItin: DigitCheck = (d, o) => {
  const group = number(d, o + 3, 2);
  return (
    d[o] === 9 &&
    number(d, o + 5, 4) !== 0 &&
    ((group >= 50 && group <= 65) ||
      (group >= 70 && group <= 88) ||
      (group >= 90 && group <= 92) ||
      group >= 94)
  );
};

/** Canada: Luhn; no number begins with 0 or 8. */
const caSin: DigitCheck = (d, o, n) => d[o] !== 0 && d[o] !== 8 && luhn(d, o, n) && !isRepeated(d, o, n);

/** IRS: the prefixes of the campuses; these are not assigned. */
const NO_CAMPUS = new Set([0, 7, 8, 9, 17, 18, 19, 28, 29, 49, 69, 70, 78, 79, 89, 96, 97]);
const usEin: DigitCheck = (d, o) => !NO_CAMPUS.has(number(d, o, 2));

export const northAmerica: readonly Kind[] = [
  {
    tag: 'US_SSN',
    categories: ['PII'],
    words:
      'ssn ssns socialsecurity social_security socialsecuritynumber ss_number ssnumber taxpayer_id ' +
      'ssid_number my_social your_social his_social her_social their_social social_is social_number social_no social_sec soc_sec',
    digits: [{ check: usSsn, always: '3~2~4|3/2/4', named: '9|3-6|5-4|3~6|5~4', rank: BARE }],
    docs: {
      country: 'United States',
      counts: 'SSA: area not 000, 666, 9xx; group and serial not zero; bare with a word',
      strength: ['formatted', 'bare'],
      found: '536-22-1847',
      missed: '666-22-1847',
    },
  },
  {
    tag: 'US_ITIN',
    categories: ['PII'],
    words: 'itin individual_taxpayer taxpayer_id tax_id taxid taxpayer',
    digits: [{ check: usItin, always: '3~2~4', named: '9|3-6|5-4', rank: BARE }],
    docs: {
      country: 'United States',
      counts: 'IRS: 9xx and the groups in use',
      strength: ['formatted', 'bare'],
      found: '911-70-1234',
      missed: '911-89-1234',
    },
  },
  {
    tag: 'CA_SIN',
    categories: ['PII'],
    words: 'sin nas social_insurance socialinsurance assurance_sociale sin_number canadian',
    digits: [{ check: caSin, strict: '9|3~3~3' }],
    docs: {
      country: 'Canada',
      counts: 'Luhn, first digit not 0 or 8, with a word',
      strength: ['checksum'],
      found: { sin: '130 692 544' },
      missed: { sin: '130 692 545' },
    },
  },
  {
    tag: 'US_EIN',
    categories: ['PII'],
    words:
      'ein fein employer_identification federal_tax tax_ein employer_id einnumber ein_number federal_ein',
    digits: [{ check: usEin, named: '2-7|9', rank: BARE }],
    docs: {
      country: 'United States',
      counts: 'campus prefix the IRS has assigned, with a word',
      strength: ['formatted', 'bare'],
      found: { ein: '12-3456789' },
      missed: { ein: '07-3456789' },
    },
  },
];
