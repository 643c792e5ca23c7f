import { type DigitCheck, digit, isIn, isRepeated, weighted } from '../checks/check-digits.ts';
import { byteAt } from '../text/bytes.ts';
import * as Char from '../text/chars.ts';
import type { Kind } from './kind.ts';
import { BARE, FORMATTED } from './kind.ts';

const MBI_LETTERS = 'acdefghjkmnpqrtuvwxy';

/** CMS: eleven places, letters without S, L, O, I, B and Z; no check digit. */
function mbi(b: Uint8Array, o: number): boolean {
  for (const i of [1, 4, 7, 8]) if (!isIn(MBI_LETTERS, b, o + i)) return false;
  for (const i of [2, 5]) if (!isIn(`${MBI_LETTERS}0123456789`, b, o + i)) return false;
  for (const i of [0, 3, 6, 9, 10]) if (digit(b, o + i) < 0 || digit(b, o + i) > 9) return false;
  return b[o] !== Char.DIGIT_0;
}

/** DEA: first, third and fifth digit, and twice the others, give the last one; letters of the registrant kinds. */
function dea(b: Uint8Array, o: number): boolean {
  const at = o + 2;
  const sum =
    digit(b, at) +
    digit(b, at + 2) +
    digit(b, at + 4) +
    2 * (digit(b, at + 1) + digit(b, at + 3) + digit(b, at + 5));
  return isIn('abcdefghjklmprstux', b, o) && sum % 10 === digit(b, at + 6);
}

/** CMS: Luhn over the number behind the prefix 80840, which adds 24 to the sum. */
const usNpi: DigitCheck = (d, o) => {
  if ((d[o] !== 1 && d[o] !== 2) || isRepeated(d, o, 9)) return false;
  let sum = 24 + byteAt(d, o + 9);
  for (let i = 0; i < 9; i++) {
    const x = byteAt(d, o + i);
    sum += i % 2 === 0 ? (x > 4 ? 2 * x - 9 : 2 * x) : x;
  }
  return sum % 10 === 0;
};

/** NHS data dictionary: modulus 11. */
const ukNhs: DigitCheck = (d, o) => {
  const check = (11 - (weighted(d, o, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 11;
  return check === d[o + 9] && !isRepeated(d, o, 10);
};

export const health: readonly Kind[] = [
  {
    tag: 'US_MBI',
    categories: ['PHI'],
    words: 'mbi medicare medicare_beneficiary beneficiary',
    letters: [{ check: mbi, always: '9AX9AX9AA99|9AX9-AX9-AA99|9AX9 AX9 AA99', rank: FORMATTED }],
  },
  {
    tag: 'US_NPI',
    categories: ['PHI'],
    words: 'npi provider_identifier national_provider provider prescriber',
    digits: [{ check: usNpi, strict: '10|4~3~3' }],
  },
  {
    tag: 'MEDICAL_LICENSE',
    categories: ['PHI'],
    words: 'dea dea_number certificate medical_license medical_certificate prescriber',
    letters: [
      { check: dea, strict: 'AA9999999' },
      { check: (b, o) => b[o + 1] === Char.DIGIT_9 && dea(b, o), strict: 'A99999999' },
    ],
  },
  {
    tag: 'UK_NHS',
    categories: ['PHI', 'PII'],
    words: 'nhs nhs_number national_health nhsnumber',
    digits: [{ check: ukNhs, strict: '10|3~3~4' }],
  },
  {
    tag: 'MRN',
    categories: ['PHI'],
    words:
      'mrn medical_record medicalrecord medicalrecordnumber patient_id patientid chart_number ' +
      'patient_number record_number patient_no patientnr pat_nr patientennummer patienten_nr fallnummer fallnr hosp_no hospital_number hospital_no ' +
      'unit_number numero_dossier ipp numero_historia historia_clinica nhc cartella_clinica prontuario patientnummer journalnummer 病历号 住院号 患者番号 患者ID 診察券番号 ' +
      '등록번호 환자번호',
    digits: [{ named: '6|7|8|9|10|3~3~3|2~2~2', rank: BARE }],
    anyWord: true,
  },
  {
    tag: 'HEALTH_PLAN_ID',
    categories: ['PHI'],
    words:
      'member_id memberid subscriber_id subscriberid health_plan healthplan insurance_id ' +
      'policy_holder group_number insurance_member beneficiary_id plan_id medicaid member_number vers_nr versichertennummer versicherten_nr versnr kvnr ' +
      'krankenversichertennummer krankenversicherungsnummer insurance_number insurance_no insurancenumber policy_number policyno policy_no numero_adherent ' +
      'numero_afiliado afiliado tessera_sanitaria numero_mutuelle polisnummer zorgpolis numer_polisy 医保号 医疗保险号 保険証番号 記号番号',
    digits: [{ named: '8|9|10|11|12', rank: BARE }],
    anyWord: true,
  },
  {
    tag: 'ICD10_CODE',
    categories: ['PHI'],
    words: 'icd icd10 icd_10 icd10cm diagnosis_code diagnosiscode diagnosis dx dx_code icdcode',
  },
];
