import type { KeyCache, KeyInfo } from '../context/keys.ts';
import { isPersons, isShownPerson, PERSON_KEYS } from './people.ts';
import { NO_KEY } from './structures.ts';

const CODED = 'code';
/** A code whose system says what it is. */
const CODE: KeyInfo = { ...NO_KEY, holds: true };

/** Whether a member is a code of FHIR, of which the system beside it says what it is: {"system": "…/icd-10-cm", "code": "E11.9"}. */
function isCoded(object: Readonly<Record<string, unknown>>, key: string): boolean {
  return key === CODED && typeof object.system === 'string' && object.system.includes('icd-10');
}

/** Members that hold the number of a document, and those beside them that say of which kind it is. */
const NUMBERS = new Set([
  'number',
  'id_number',
  'idNumber',
  'no',
  'document_number',
  'documentNumber',
  'doc_number',
  'value',
]);
const ACCOUNTS = new Set(['account', 'Account', 'acct']);
const TYPES = [
  'type',
  'id_type',
  'idType',
  'document_type',
  'documentType',
  'doc_type',
  'docType',
  'idDocType',
  'kind',
];
/** Members beside the number of a card. */
const PAYMENT = [
  'cvv',
  'cvc',
  'cvn',
  'cvv2',
  'csc',
  'security_code',
  'securityCode',
  'exp_month',
  'expMonth',
  'expiryMonth',
  'expiry_month',
  'cardholder',
  'cardHolder',
  'card_holder',
  'cardholderName',
  'cardholder_name',
];
const DOCUMENTS: readonly (readonly [type: RegExp, key: string])[] = [
  [/passport|pasaporte|passeport|reisepass|passaport/i, 'passport'],
  [/driv|licen[cs]e|permis|f\u00fchrerschein|patente/i, 'drivers_license'],
  [/national_?id|id_?card|identity|cedula|personalausweis|dni/i, 'id_card'],
  [/ssn|social/i, 'ssn'],
];

/** What the number of a document or an account is, as members beside it say: `{"idType": "PASSPORT", "number": …}`. */
function numberedKind(object: Readonly<Record<string, unknown>>, key: string): string | null {
  if (ACCOUNTS.has(key))
    return Object.hasOwn(object, 'routing') ||
      Object.hasOwn(object, 'sort_code') ||
      Object.hasOwn(object, 'aba')
      ? 'account_number'
      : null;
  if (!NUMBERS.has(key)) return isStreet(object, key) ? 'street_address' : null;
  if (PAYMENT.some((member) => Object.hasOwn(object, member))) return 'card_number';
  for (const member of TYPES) {
    const type = object[member];
    if (typeof type !== 'string') continue;
    const document = DOCUMENTS.find(([pattern]) => pattern.test(type));
    if (document !== undefined) return document[1];
  }
  return null;
}

const LINES = new Set([
  'line',
  'line1',
  'line2',
  'line_1',
  'line_2',
  'primary_line',
  'secondary_line',
  'lines',
  'thoroughfare',
]);
const TOWNS = [
  'postal_code',
  'postalCode',
  'postcode',
  'zip',
  'zip_code',
  'zipCode',
  'city',
  'town',
  'country',
];

/** Whether a member is a line of an address: `{"line1": …, "city": …}`. */
function isStreet(object: Readonly<Record<string, unknown>>, key: string): boolean {
  return LINES.has(key) && TOWNS.some((town) => Object.hasOwn(object, town));
}

const FULL_NAME = 'full_name';
const ONE_TIME_CODE = 'otp';
const PHONE = 'phone';
const CALLED = /^\+?\d{8,15}$/;
const RECIPIENTS = new Set(['to', 'To', 'recipient', 'number']);
const MESSAGES = ['body', 'text', 'message', 'sms', 'template', 'channel', 'content'];

/** Whether a member is the number that a message is sent to: `{"to": "00447700900123", "body": …}`. */
function isCalled(object: Readonly<Record<string, unknown>>, key: string): boolean {
  if (!RECIPIENTS.has(key)) return false;
  const value = object[key];
  return (
    typeof value === 'string' &&
    CALLED.test(value) &&
    MESSAGES.some((member) => Object.hasOwn(object, member))
  );
}

/** Whether a member is the code that is sent or checked by a channel: {"to": "+44…", "code": "482913", "channel": "sms"}. */
function isSentCode(object: Readonly<Record<string, unknown>>, key: string): boolean {
  return (
    key === CODED &&
    typeof object.channel === 'string' &&
    /^(?:sms|call|voice|whatsapp|e?mail)$/i.test(object.channel)
  );
}

/** Members of which those beside them may say more; most members are none of these. */
const TOLD = new Set([CODED, ...RECIPIENTS, ...ACCOUNTS, ...NUMBERS, ...LINES, ...PERSON_KEYS]);

/** What a member's name says, where members beside it say more: a code of a disease, the name of a person. */
export function ownKind(
  object: Readonly<Record<string, unknown>>,
  key: string,
  info: KeyInfo,
  keys: KeyCache,
): KeyInfo {
  if (!TOLD.has(key)) return info;
  if (isCoded(object, key)) return CODE;
  if (isSentCode(object, key)) return keys.get(ONE_TIME_CODE);
  if (!info.named && isCalled(object, key)) return keys.get(PHONE);
  if (!info.named) {
    const numbered = numberedKind(object, key);
    if (numbered !== null) return keys.get(numbered);
  }
  return isPersons(object, key) || isShownPerson(object, key) ? keys.get(FULL_NAME) : info;
}
