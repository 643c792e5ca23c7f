import { type DigitCheck, isDate, isRepeated, number, verhoeff, weighted } from '../../checks/digits.ts';
import { digit, isIn, lower, numberAt } from '../../checks/letters.ts';
import { CHECKSUM, FORMATTED } from '../../hits.ts';
import { HEX } from '../../text/bytes.ts';
import { byteAt } from '../../text/read.ts';
import type { Kind } from '../kind.ts';

/** Singapore: weights 2 7 6 5 4 3 2, an offset by the first letter, a row of check letters for each series. */
function nric(b: Uint8Array, o: number): boolean {
  if (!isIn('stfgm', b, o)) return false;
  const first = String.fromCharCode(lower(b, o));
  let sum = first === 't' || first === 'g' ? 4 : first === 'm' ? 3 : 0;
  for (let i = 0; i < 7; i++) sum += digit(b, o + 1 + i) * (([2, 7, 6, 5, 4, 3, 2] as const)[i] as number);
  const rest = sum % 11;
  if (first === 'm') return 'kljnpqrtuwx'.charCodeAt(10 - rest) === lower(b, o + 8);
  return (
    (first === 's' || first === 't' ? 'jzihgfedcba' : 'xwutrqpnmlk').charCodeAt(rest) === lower(b, o + 8)
  );
}

/** UIDAI: first digit 2 to 9, Verhoeff. */
const inAadhaar: DigitCheck = (d, o, n) => byteAt(d, o) >= 2 && verhoeff(d, o, n) && !isRepeated(d, o, n);

/** Income Tax Department: the fourth letter is the kind of holder. */
/** Whether the letters of a number are hexadecimal digits too: those of the queue of a mail server are written so. */
function isHexadecimal(b: Uint8Array, o: number): boolean {
  for (let i = 0; i < 10; i++) if (byteAt(HEX, byteAt(b, o + i)) > 15) return false;
  return true;
}

const pan = (b: Uint8Array, o: number): boolean =>
  isIn('abcfghljpt', b, o + 3) && numberAt(b, o + 5, 4) !== 0;

/** Korea: date of birth and century; numbers given since October 2020 have no check digit. */
const krRrn: DigitCheck = (d, o) => {
  const century = byteAt(d, o + 6);
  return (
    century >= 1 &&
    century <= 4 &&
    isDate((century < 3 ? 1900 : 2000) + number(d, o, 2), number(d, o + 2, 2), number(d, o + 4, 2))
  );
};

/** Thailand: modulus 11; the kind of citizen, 1 to 8, then the province (ISO 3166-2:TH). */
const thTnin: DigitCheck = (d, o) => {
  const sum = weighted(d, o, [13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2]);
  if (d[o] === 0 || d[o] === 9) return false;
  return (11 - (sum % 11)) % 10 === d[o + 12] && !isRepeated(d, o, 13);
};

/** Indonesia: province 11 to 97, date of birth with 40 added to the day for women, serial from 1. */
const idNik: DigitCheck = (d, o) => {
  const province = number(d, o, 2);
  if (province < 11 || province > 97 || number(d, o + 12, 4) === 0) return false;
  return isDate(2000, number(d, o + 8, 2), number(d, o + 6, 2) % 40);
};

/** Malaysia: date of birth, then a place that is in use. */
const myNric: DigitCheck = (d, o) => {
  const place = number(d, o + 6, 2);
  if (place === 0 || (place > 16 && place < 21) || place === 69 || place === 70) return false;
  return isDate(2000, number(d, o + 2, 2), number(d, o + 4, 2));
};

export const asia: readonly Kind[] = [
  {
    tag: 'SG_NRIC_FIN',
    categories: ['PII'],
    words: 'nric fin singapore identity_card',
    letters: [{ pattern: 'A9999999A', rank: CHECKSUM, alone: 'always', check: nric }],
    docs: {
      country: 'Singapore',
      counts: 'weights and check letter of the series',
      strength: ['checksum'],
      found: 'S2740116C',
      missed: 'S2740116D',
    },
  },
  {
    tag: 'IN_AADHAAR',
    categories: ['PII'],
    words: 'aadhaar aadhar adhaar uidai uid_number आधार आधार_नंबर आधार_संख्या आधार_कार्ड आधार_क्रमांक',
    identity: true,
    digits: [{ check: inAadhaar, always: '4 4 4|4-4-4', strict: '12|4:4:4|4~4~4' }],
    docs: {
      country: 'India',
      counts: 'Verhoeff, first digit 2 to 9; bare with a word',
      strength: ['checksum'],
      found: '3123 4567 8909',
      missed: '3123 4567 8908',
    },
  },
  {
    tag: 'IN_PAN',
    categories: ['PII'],
    words: 'pan permanent_account pancard pan_card income_tax',
    letters: [
      {
        pattern: 'AAAAA9999A',
        rank: FORMATTED,
        alone: 'upper',
        check: (b, o) => pan(b, o) && !isHexadecimal(b, o),
      },
      { pattern: 'AAAAA9999A', rank: FORMATTED, alone: 'named', check: pan },
    ],
    docs: {
      country: 'India',
      counts: 'five letters (the fourth a kind of holder), four digits, a letter; upper case or with a word',
      strength: ['formatted'],
      found: 'ABCPD1234Z',
      missed: 'ABCDD1234Z',
    },
  },
  {
    tag: 'KR_RRN',
    categories: ['PII'],
    words:
      'rrn resident_registration jumin jumin_number jumin_no jumin_num jumin_bunho juminbeonho korean 주민등록번호 주민번호',
    identity: true,
    digits: [{ check: krRrn, always: '6-7', strict: '13', rank: FORMATTED }],
    docs: {
      country: 'South Korea',
      counts:
        'date of birth and century; numbers since 2020 have no check digit; bare with a word only when strict',
      strength: ['formatted'],
      found: '960121-1234567',
      missed: '961321-1234567',
    },
  },
  {
    tag: 'TH_TNIN',
    categories: ['PII'],
    words: 'tnin thai thailand เลขประจำตัวประชาชน เลขบัตรประชาชน',
    identity: true,
    digits: [{ check: thTnin, always: '1-4-5-2-1|1 4 5 2 1', strict: '13' }],
    docs: {
      country: 'Thailand',
      counts: 'kind, modulus 11; bare with a word',
      strength: ['checksum'],
      found: '1-2345-67890-12-1',
      missed: '1-2345-67890-12-2',
    },
  },
  {
    tag: 'ID_NIK',
    categories: ['PII'],
    words: 'nik nomor_induk ktp e_ktp ektp kependudukan indonesian indonesia no_ktp',
    identity: true,
    digits: [{ check: idNik, named: '16|6~6~4|2~2~2~6~4', rank: FORMATTED }],
    docs: {
      country: 'Indonesia',
      counts: 'province, date of birth (days of women plus 40), serial, with a word',
      strength: ['formatted'],
      found: { nik: '3171011708450001' },
      missed: { nik: '3171013208450001' },
    },
  },
  {
    tag: 'MY_NRIC',
    categories: ['PII'],
    words: 'mykad my_kad ic_number nric kad_pengenalan no_kp nombor_kad malaysian malaysia no_ic ic_no',
    identity: true,
    digits: [{ check: myNric, always: '6-2-4', named: '12|6 2 4', rank: FORMATTED }],
    docs: {
      country: 'Malaysia',
      counts: 'date of birth, place of birth; bare with a word',
      strength: ['formatted'],
      found: '770305-02-1234',
      missed: '771305-02-1234',
    },
  },
];
