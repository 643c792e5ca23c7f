import { germanSerial } from '../checks/check-digits.ts';
import type { Kind } from './kind.ts';
import { BARE, FORMATTED } from './kind.ts';

/** Passports and licences that only a word tells. A word that names no country leaves the neutral tag. */

export const passports: readonly Kind[] = [
  {
    tag: 'US_PASSPORT',
    words: 'passport passports passportnumber travel_document',
    digits: [{ named: '9', rank: BARE }],
    letters: [{ pattern: 'A99999999', rank: BARE, alone: 'named' }],
  },
  {
    tag: 'UK_PASSPORT',
    words: 'uk_passport british_passport gb_passport ukpassport',
    digits: [{ named: '9', rank: BARE }],
  },
  {
    tag: 'DE_PASSPORT',
    words: 'reisepass reisepassnummer passnummer german_passport reisepassnr passnr',
    letters: [
      { pattern: 'AXXXXXXXX', rank: BARE, alone: 'named', check: germanSerial },
      { pattern: 'AXXXXXXXX9', rank: BARE, alone: 'named', check: germanSerial },
    ],
  },
  {
    tag: 'FR_PASSPORT',
    words: 'passeport numero_passeport french_passport',
    letters: [{ pattern: '99AA99999', rank: BARE, alone: 'named' }],
  },
  {
    tag: 'ES_PASSPORT',
    words: 'pasaporte numero_pasaporte spanish_passport',
    letters: [
      { pattern: 'AAA999999', rank: BARE, alone: 'named' },
      { pattern: 'AA999999', rank: BARE, alone: 'named' },
    ],
  },
  {
    tag: 'IT_PASSPORT',
    words: 'passaporto numero_passaporto italian_passport',
    letters: [{ pattern: 'AA9999999', rank: BARE, alone: 'named' }],
  },
  {
    tag: 'IN_PASSPORT',
    words: 'indian_passport india_passport',
    letters: [{ pattern: 'A9999999', rank: BARE, alone: 'named' }],
  },
  {
    tag: 'CN_PASSPORT',
    words: '护照 护照号 护照号码 chinese_passport',
    letters: [
      { pattern: 'A99999999', rank: BARE, alone: 'named' },
      { pattern: 'AA9999999', rank: BARE, alone: 'named' },
    ],
  },
  {
    tag: 'JP_PASSPORT',
    words: '旅券番号 パスポート パスポート番号 japanese_passport',
    letters: [{ pattern: 'AA9999999', rank: BARE, alone: 'named' }],
  },
  {
    tag: 'KR_PASSPORT',
    words: '여권번호 여권 korean_passport',
    letters: [
      { pattern: 'A99999999', rank: BARE, alone: 'named' },
      { pattern: 'A999A9999', rank: BARE, alone: 'named' },
    ],
  },
  {
    tag: 'PASSPORT',
    words:
      'passport passports passportnumber passport_number travel_document paspoort paspoortnummer paszport numer_paszportu pasport pass_nummer pasaportu pasaport passaporte passeport pasaporte passaporto reisepass паспорт паспорта passport_no passportno',
    digits: [{ named: '4 6|2 2 6', rank: FORMATTED }],
    anyWord: true,
  },
];
