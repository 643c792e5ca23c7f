import {
  type DigitCheck,
  digit,
  ean13,
  isDate,
  isDayOfMonth,
  isIn,
  isRepeated,
  letter,
  lower,
  mod11x10,
  number,
  numberAt,
  weighted,
  weightedAt,
} from '../../checks/check-digits.ts';
import { byteAt } from '../../text/bytes.ts';
import * as Char from '../../text/chars.ts';
import type { Kind } from '../kind.ts';
import { FORMATTED } from '../kind.ts';

/** HMRC: the pairs of letters that begin no number, because a letter is not used or the pair is not given. */
const NOT_NINO = new Uint8Array(1024);
for (let first = 1; first <= 26; first++) {
  for (let second = 1; second <= 26; second++) {
    const two = String.fromCharCode(96 + first, 96 + second);
    const isUnused = /[dfiquv]/.test(two) || two.endsWith('o') || /bg|gb|kn|nk|nt|tn|zz/.test(two);
    if (isUnused) NOT_NINO[(first << 5) | second] = 1;
  }
}

/** Whether the two letters at `o` may begin a national insurance number. */
function isNinoPrefix(b: Uint8Array, o: number): boolean {
  return NOT_NINO[((byteAt(b, o) & 31) << 5) | (byteAt(b, o + 1) & 31)] === 0;
}

const nino = (b: Uint8Array, o: number): boolean =>
  isNinoPrefix(b, o) && isIn('abcd', b, o + 8) && numberAt(b, o + 2, 6) !== 0;

/** INSEE: sex, month (or the values for an unknown one), 97 less the number modulus 97. */
const frNir: DigitCheck = (d, o) => {
  const month = number(d, o + 3, 2);
  if (!(byteAt(d, o) >= 1 && byteAt(d, o) <= 8) || d[o] === 5 || d[o] === 6) return false;
  if (!((month >= 1 && month <= 12) || (month >= 20 && month <= 42) || month >= 50)) return false;
  return 97 - (number(d, o, 13) % 97) === number(d, o + 13, 2);
};

/** INSEE, Corsica: 2A counts as 19 and 2B as 18. */
function corsican(b: Uint8Array, o: number): boolean {
  if (b[o + 5] !== Char.DIGIT_2 || !isIn('ab', b, o + 6) || !(b[o] === Char.DIGIT_1 || b[o] === Char.DIGIT_2))
    return false;
  const department = lower(b, o + 6) === 97 ? 19 : 18;
  const body = numberAt(b, o, 5) * 1e8 + department * 1e6 + numberAt(b, o + 7, 6);
  return 97 - (body % 97) === numberAt(b, o + 13, 2);
}

/** Bundeszentralamt für Steuern: ISO 7064 mod 11,10; one digit of the first ten appears two or three times. */
const deTaxId: DigitCheck = (d, o) => {
  if (d[o] === 0) return false;
  let distinct = 0;
  let most = 0;
  for (let v = 0; v < 10; v++) {
    let times = 0;
    for (let i = 0; i < 10; i++) if (d[o + i] === v) times++;
    if (times > 0) distinct++;
    most = Math.max(most, times);
  }
  return distinct >= 7 && most <= 3 && mod11x10(d, o, 10) === d[o + 10];
};

/** Netherlands: the eleven test. */
const nlBsn: DigitCheck = (d, o) =>
  weighted(d, o, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0 &&
  !isRepeated(d, o, 9) &&
  !(d[o] === 0 && d[o + 1] === 0);

/** Ireland, PPSN: weights 8 to 2, nine times a second letter, modulus 23. */
const ppsn = (b: Uint8Array, o: number): boolean => {
  const second = letter(b, o + 8);
  const sum = weightedAt(b, o, [8, 7, 6, 5, 4, 3, 2]) + (second >= 0 && second < 23 ? 9 * (second + 1) : 0);
  return lower(b, o + 7) === 'wabcdefghijklmnopqrstuv'.charCodeAt(sum % 23);
};

/** France, tax: the first ten digits modulus 511. */
const frSpi: DigitCheck = (d, o) => number(d, o, 1) <= 3 && number(d, o, 10) % 511 === number(d, o + 10, 3);

/** Germany, pension insurance: the letter counts as two digits; digit sums of weighted digits modulus 10. */
const RVNR_WEIGHTS = [2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1];
function rvnr(b: Uint8Array, o: number): boolean {
  const month = numberAt(b, o + 4, 2);
  if (month < 1 || month > 12) return false;
  const order = letter(b, o + 8) + 1;
  let sum = 0;
  for (let i = 0; i < 12; i++) {
    const value =
      i < 8 ? digit(b, o + i) : i === 8 ? Math.floor(order / 10) : i === 9 ? order % 10 : digit(b, o + i - 1);
    const product = value * (RVNR_WEIGHTS[i] ?? 0);
    sum += Math.floor(product / 10) + (product % 10);
  }
  return sum % 10 === digit(b, o + 11);
}

export const westernEurope: readonly Kind[] = [
  {
    tag: 'UK_NINO',
    words: 'nino national_insurance insurance_number ni_number nationalinsurance ninumber',
    letters: [
      {
        check: nino,
        always: 'AA 99 99 99 A|AA 99 99 99A|AA 999999 A|AA 999999A',
        upper: 'AA999999A',
        rank: FORMATTED,
      },
    ],
  },
  {
    tag: 'FR_NIR',
    words: 'nir securite_sociale numero_de insee secu',
    digits: [{ check: frNir, always: '13~2|1~2~2~2~3~3~2', strict: '15' }],
    letters: [{ check: corsican, always: '999999A99999999' }],
  },
  {
    tag: 'DE_TAX_ID',
    words:
      'steuer_id steueridentifikationsnummer identifikationsnummer idnr id_nr steuernummer steuerid tin ' +
      'tax_id taxid steuer',
    digits: [{ check: deTaxId, strict: '11|2 3 3 3|2~3~3~3' }],
  },
  {
    tag: 'NL_BSN',
    words: 'bsn burgerservicenummer sofinummer sofi burger',
    identity: true,
    digits: [{ check: nlBsn, strict: '9|4~2~3|3~3~3' }],
  },
  {
    tag: 'IE_PPSN',
    words: 'ppsn pps pps_number pps_no personal_public irish ireland',
    identity: true,
    letters: [{ check: ppsn, strict: '9999999A|9999999AA|9999999 A|9999999 AA' }],
  },
  {
    tag: 'FR_SPI',
    words: 'spi numero_fiscal reference_fiscal identifiant_fiscal numero_spi',
    digits: [{ check: frSpi, strict: '13|2~2~3~3~3' }],
  },
  {
    tag: 'DE_SOCIAL_SECURITY',
    words:
      'rentenversicherungsnummer rvnr sozialversicherungsnummer sv_nummer versicherungsnummer rv_nummer rentenversicherung',
    letters: [{ check: rvnr, strict: '99999999A999|99 999999 A 999|99 999999 A999' }],
  },
];

/** Belgium: date of birth (months of 20 or 40 more in the bis register), 97 less the first nine digits modulus 97. */
const beNationalNumber: DigitCheck = (d, o) => {
  const month = number(d, o + 2, 2) % 20;
  const day = number(d, o + 4, 2);
  if (month !== 0 && day !== 0 && !isDayOfMonth(month, day)) return false;
  const check = number(d, o + 9, 2);
  const body = number(d, o, 9);
  return number(d, o, 6) !== 0 && (97 - (body % 97) === check || 97 - ((2e9 + body) % 97) === check);
};

/** Switzerland: 756 and the check digit of EAN-13. */
const chAhv: DigitCheck = (d, o) => number(d, o, 3) === 756 && ean13(d, o);

/** Austria: serial from 100, weights modulus 11 in the fourth place, date of birth. */
const atSvnr: DigitCheck = (d, o) =>
  d[o] !== 0 &&
  weighted(d, o, [3, 7, 9, 0, 5, 8, 4, 2, 1, 6]) % 11 === number(d, o + 3, 1) &&
  (number(d, o + 6, 2) > 12 || isDate(2000, number(d, o + 6, 2), number(d, o + 4, 2)));

export const alpineAndBenelux: readonly Kind[] = [
  {
    tag: 'BE_NATIONAL_NUMBER',
    words:
      'rijksregisternummer rijksregister insz nrn registre_national numero_national nationaal_nummer niss national_register belgian belgium belge belgique belgie nationalregisternummer national_number',
    identity: true,
    digits: [{ check: beNationalNumber, always: '2.2.2-3.2', strict: '11|6~3~2|6-3-2|6-5|2~2~2~3~2' }],
  },
  {
    tag: 'CH_AHV',
    words:
      'ahv avs ahv_nummer ahvnummer ahvn13 navs13 navs sozialversicherungsnummer oasi numero_avs swiss switzerland schweiz suisse',
    identity: true,
    digits: [{ check: chAhv, always: '3.4.4.2|13|3~4~4~2' }],
  },
  {
    tag: 'AT_SVNR',
    words:
      'svnr sv_nummer svnummer sozialversicherungsnummer sozialversicherung versicherungsnummer sv_nr austrian austria osterreich oesterreich vsnr',
    identity: true,
    digits: [{ check: atSvnr, strict: '10|4~6|4 2 2 2|4~2~2~2' }],
  },
];
