import { germanSerial } from '../checks/check-digits.ts';
import type { Kind } from './kind.ts';
import { BARE, FORMATTED } from './kind.ts';

/** Passports and licences that only a word tells. A word that names no country leaves the neutral tag. */

export const passports: readonly Kind[] = [
  {
    tag: 'US_PASSPORT',
    categories: ['PII'],
    words: 'passport passports passportnumber travel_document',
    digits: [{ named: '9', rank: BARE }],
    letters: [{ pattern: 'A99999999', rank: BARE, alone: 'named' }],
    docs: {
      country: 'United States',
      counts: '9 digits or a letter and 8, with a word',
      strength: ['bare'],
      found: { passport: '912803456' },
      missed: { build: '912803456' },
    },
  },
  {
    tag: 'UK_PASSPORT',
    categories: ['PII'],
    words: 'uk_passport british_passport gb_passport ukpassport',
    digits: [{ named: '9', rank: BARE }],
    docs: {
      country: 'United Kingdom',
      counts: '9 digits, with a word that names the country',
      strength: ['bare'],
      found: { uk_passport: '925665416' },
      missed: { order: '925665416' },
    },
  },
  {
    tag: 'DE_PASSPORT',
    categories: ['PII'],
    words: 'reisepass reisepassnummer passnummer german_passport reisepassnr passnr',
    letters: [
      { pattern: 'AXXXXXXXX', rank: BARE, alone: 'named', check: germanSerial },
      { pattern: 'AXXXXXXXX9', rank: BARE, alone: 'named', check: germanSerial },
    ],
    docs: {
      country: 'Germany',
      counts: 'letter first, characters of the serial, with a word',
      strength: ['bare'],
      found: 'Reisepassnummer: C01X00T47',
      missed: 'Reisepassnummer: C01E00T47',
    },
  },
  {
    tag: 'FR_PASSPORT',
    categories: ['PII'],
    words: 'passeport numero_passeport french_passport',
    letters: [{ pattern: '99AA99999', rank: BARE, alone: 'named' }],
    docs: {
      country: 'France',
      counts: 'letters and digits of its form, with a word',
      strength: ['bare'],
      found: 'passeport n° 12AB34567',
      missed: 'lot n° 12AB34567',
    },
  },
  {
    tag: 'ES_PASSPORT',
    categories: ['PII'],
    words: 'pasaporte numero_pasaporte spanish_passport',
    letters: [
      { pattern: 'AAA999999', rank: BARE, alone: 'named' },
      { pattern: 'AA999999', rank: BARE, alone: 'named' },
    ],
    docs: {
      country: 'Spain',
      counts: 'letters and digits of its form, with a word',
      strength: ['bare'],
      found: 'pasaporte AAA123456',
      missed: 'pieza AAA123456',
    },
  },
  {
    tag: 'IT_PASSPORT',
    categories: ['PII'],
    words: 'passaporto numero_passaporto italian_passport',
    letters: [{ pattern: 'AA9999999', rank: BARE, alone: 'named' }],
    docs: {
      country: 'Italy',
      counts: 'letters and digits of its form, with a word',
      strength: ['bare'],
      found: 'passaporto YA1234567',
      missed: 'pezzo YA1234567',
    },
  },
  {
    tag: 'IN_PASSPORT',
    categories: ['PII'],
    words: 'indian_passport india_passport',
    letters: [{ pattern: 'A9999999', rank: BARE, alone: 'named' }],
    docs: {
      country: 'India',
      counts: 'letters and digits of its form, with a word',
      strength: ['bare'],
      found: 'Indian passport J8369854',
      missed: 'part J8369854',
    },
  },
  {
    tag: 'CN_PASSPORT',
    categories: ['PII'],
    words: '护照 护照号 护照号码 chinese_passport',
    letters: [
      { pattern: 'A99999999', rank: BARE, alone: 'named' },
      { pattern: 'AA9999999', rank: BARE, alone: 'named' },
    ],
    docs: {
      country: 'China',
      counts: 'letters and digits of its form, with a word',
      strength: ['bare'],
      found: { 护照号: 'E12345678' },
      missed: { 件: 'E12345678' },
    },
  },
  {
    tag: 'JP_PASSPORT',
    categories: ['PII'],
    words: '旅券番号 パスポート パスポート番号 japanese_passport',
    letters: [{ pattern: 'AA9999999', rank: BARE, alone: 'named' }],
    docs: {
      country: 'Japan',
      counts: 'letters and digits of its form, with a word',
      strength: ['bare'],
      found: { 旅券番号: 'TK1234567' },
      missed: { 番: 'TK1234567' },
    },
  },
  {
    tag: 'KR_PASSPORT',
    categories: ['PII'],
    words: '여권번호 여권 korean_passport',
    letters: [
      { pattern: 'A99999999', rank: BARE, alone: 'named' },
      { pattern: 'A999A9999', rank: BARE, alone: 'named' },
    ],
    docs: {
      country: 'South Korea',
      counts: 'letters and digits of its form, with a word',
      strength: ['bare'],
      found: { 여권번호: 'M12345678' },
      missed: { 번: 'M12345678' },
    },
  },
  {
    tag: 'PASSPORT',
    categories: ['PII'],
    words:
      'passport passports passportnumber passport_number travel_document paspoort paspoortnummer paszport numer_paszportu pasport pass_nummer pasaportu pasaport passaporte passeport pasaporte passaporto reisepass паспорт паспорта passport_no passportno',
    digits: [{ named: '4 6|2 2 6', rank: FORMATTED }],
    anyWord: true,
    docs: {
      counts:
        '6 to 12 letters and digits of which most are digits, after its word, where no country is known',
      strength: ['bare'],
      found: { passport: 'PA12345678' },
      missed: { part: 'PA12345678' },
    },
  },
];
