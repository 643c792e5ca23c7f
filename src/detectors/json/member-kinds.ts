import { type KeyCache, type KeyInfo, type KnownKey, NO_KEY } from '../context/keys.ts';
import { tagId } from '../kinds/taxonomy.ts';
import { isSecretKind } from '../labels/classifier.ts';
import { isThing } from '../labels/plain-words.ts';
import { IDENTITY_NAMES } from '../people/people-nearby.ts';
import { elementBeside, inherit, kindBeside, nameBeside } from './structures.ts';

/** Members, or heads of columns, that people have, and neither things nor authors of packages. */
const OF_PEOPLE = new Set([
  ...IDENTITY_NAMES,
  ...(
    'phone phones phonenumber phoneno mobile mobilephone mobilenumber telephone tel cell cellphone telefon telefono telefone whatsapp msisdn ' +
    'street streetaddress homeaddress ssn socialsecuritynumber nationalid dob birthdate birthday dateofbirth born geburtsdatum fechanacimiento ' +
    'fechadenacimiento datanascimento datedenaissance datanascita gender sex nationality passport passportnumber passportno password passwd pwd ' +
    'surname lastname familyname salary mrn iban cardnumber maritalstatus cpf dni bsn pesel curp nino ninumber strasse wohnort mobilnummer handynummer voornaam vorname nachname geslacht apellidos patientid'
  ).split(' '),
]);
/** Heads that name a table of people only together with a name. */
const OF_COLUMNS = new Set(['email', 'emailaddress', 'mail', 'correo', 'adresseemail']);
/** Members of an account beside a name and an address of mail; authors of packages have none of them. */
const OF_ACCOUNTS = new Set(
  'id uid userid username userprincipalname customerid role roles company subject message status createdat department title team language locale plan age city'.split(
    ' ',
  ),
);
/** The longest of them, with what parts its words. */
const MAX_MEMBER = 24;
/** Members that are looked at. */
const MAX_PERSON_MEMBERS = 40;
/** Beside the parts of a name that are only called the first and the last. */
const OF_NAMES = new Set(['title', 'middle', 'prefix', 'suffix', 'salutation', 'maiden', 'email']);
/** How the name of somebody begins who has two: what no sentence and few titles of things are. */
const TWO_NAMES = /^[\p{Lu}\p{Lo}][\p{L}\p{M}.'\u2019-]*[ ,]/u;
const ONE_NAME = /^\p{Lu}[\p{L}\p{M}'\u2019-]+$/u;

/** A member's name in lower case without what parts its words. */
function plainName(member: string): string {
  return member.length > MAX_MEMBER ? '' : member.toLowerCase().replace(/[ _.:@-]/g, '');
}

/** Members and heads that people and things have alike, and those that are only called the first or last name. */
const NAME_KEYS = new Set(
  'name Name NAME :name @name displayName display_name DisplayName memberName member_name clientName client_name'.split(
    ' ',
  ),
);
const PART_KEYS = new Set(['first', 'last', 'First', 'Last']);
const SHOWN = 'display';
/** Members whose values may be names of people: see `isPersons` and `isShownPerson`. */
const PERSON_KEYS: readonly string[] = [...NAME_KEYS, ...PART_KEYS, SHOWN];

/** Whether an element of an array of names is the name of a human in FHIR: `{"use": "official", "text": "Jane Doe"}`. */
function isHumanName(name: unknown): boolean {
  if (typeof name !== 'object' || name === null || !Object.hasOwn(name, 'text')) return false;
  return Object.keys(name).every((member) => HUMAN_NAME.has(member));
}

const HUMAN_NAME = new Set(['text', 'use', 'family', 'given', 'prefix', 'suffix', 'period']);

/** Whether a member is what a reference of FHIR to a person is shown as: `{"reference": "Patient/1", "display": …}`. */
function isShownPerson(object: Readonly<Record<string, unknown>>, key: string): boolean {
  return (
    key === SHOWN &&
    typeof object.reference === 'string' &&
    /^(?:Patient|Practitioner|RelatedPerson|Person)\//.test(object.reference)
  );
}

/**
 * Whether a member that is only called a name is that of a person: `{"name": "Jane Doe", "phone": …}`, a list of names
 * beside a list of telephone numbers, `{"first": "Jane", "last": "Doe", "title": …}`.
 */
function isPersons(object: Readonly<Record<string, unknown>>, key: string): boolean {
  if (NAME_KEYS.has(key)) {
    const value = object[key];
    if (Array.isArray(value) && isHumanName(value[0])) return true;
    const text: unknown = Array.isArray(value) ? value[0] : value;
    if (typeof text !== 'string' || !TWO_NAMES.test(text) || isThing(text)) return false;
    return hasMember(object, OF_PEOPLE) || (hasMember(object, OF_COLUMNS) && hasMember(object, OF_ACCOUNTS));
  }
  if (!PART_KEYS.has(key)) return false;
  const [first, last] = [object.first ?? object.First, object.last ?? object.Last];
  if (typeof first !== 'string' || typeof last !== 'string') return false;
  if (!ONE_NAME.test(first) || !ONE_NAME.test(last) || isThing(`${first} ${last}`)) return false;
  return hasMember(object, OF_PEOPLE) || hasMember(object, OF_NAMES);
}

function hasMember(object: Readonly<Record<string, unknown>>, names: ReadonlySet<string>): boolean {
  let members = 0;
  for (const member in object) {
    if (typeof object[member] !== 'boolean' && names.has(plainName(member))) return true;
    if (++members === MAX_PERSON_MEMBERS) return false;
  }
  return false;
}

/** The heads of columns, in which a name beside what people have is a full name, and what is first or last a part of one. */
export function headsOfPeople(heads: readonly string[]): readonly string[] {
  if (!heads.some((head) => NAME_KEYS.has(head) || PART_KEYS.has(head))) return heads;
  const names = heads.map(plainName);
  if (!names.some((name) => OF_PEOPLE.has(name) || OF_COLUMNS.has(name))) return heads;
  const areParts = names.includes('first') && names.includes('last');
  return heads.map((head) => {
    if (NAME_KEYS.has(head)) return 'full_name';
    return areParts && PART_KEYS.has(head) ? `${head}_name` : head;
  });
}

const CODED = 'code';
const PALAU = 'PW';
/** A code whose system says what it is. */
const CODE: KeyInfo = { ...NO_KEY, holds: true };

/** Whether a member is a code of FHIR, of which the system beside it says what it is: {"system": "…/icd-10-cm", "code": "E11.9"}. */
function isCoded(object: Readonly<Record<string, unknown>>, key: string): boolean {
  return key === CODED && typeof object.system === 'string' && object.system.includes('icd-10');
}

/** Members that hold the number of a document, and those beside them that say of which kind it is. */
const NUMBERS = new Set(
  'number id_number idNumber no document_number documentNumber doc_number value'.split(' '),
);
const ACCOUNTS = new Set(['account', 'Account', 'acct']);
const TYPES = 'type id_type idType document_type documentType doc_type docType idDocType kind'.split(' ');
/** Members beside the number of a card. */
const PAYMENT = (
  'cvv cvc cvn cvv2 csc security_code securityCode exp_month expMonth expiryMonth expiry_month cardholder cardHolder card_holder ' +
  'cardholderName cardholder_name'
).split(' ');
const DOCUMENTS: readonly (readonly [type: RegExp, key: string])[] = [
  [/passport|pasaporte|passeport|reisepass|passaport/i, 'passport'],
  [/driv|licen[cs]e|permis|f\u00fchrerschein|patente/i, 'drivers_license'],
  [/national_?id|id_?card|identity|cedula|personalausweis|dni/i, 'id_card'],
  [/ssn|social/i, 'ssn'],
];

/** The kind of a document's or account's number, as members beside it say: `{"idType": "PASSPORT", "number": …}`. */
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

const LINES = new Set(
  'line line1 line2 line_1 line_2 primary_line secondary_line lines thoroughfare'.split(' '),
);
const TOWNS = 'postal_code postalCode postcode zip zip_code zipCode city town country'.split(' ');

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
export const TOLD: ReadonlySet<string> = new Set([
  CODED,
  PALAU,
  ...RECIPIENTS,
  ...ACCOUNTS,
  ...NUMBERS,
  ...LINES,
  ...PERSON_KEYS,
]);

/** The kind that a member's name says together with members beside it: a code of a disease, the name of a person. */
export function ownKind(
  object: Readonly<Record<string, unknown>>,
  { key, info, isTold }: KnownKey,
  keys: KeyCache,
): KeyInfo {
  if (!isTold) return info;
  // beside Portugal, in lists of countries
  if (key === PALAU) return 'PT' in object ? NO_KEY : info;
  if (isCoded(object, key)) return CODE;
  if (isSentCode(object, key)) return keys.get(ONE_TIME_CODE);
  if (!info.named && isCalled(object, key)) return keys.get(PHONE);
  if (!info.named) {
    const numbered = numberedKind(object, key);
    if (numbered !== null) return keys.get(numbered);
  }
  return isPersons(object, key) || isShownPerson(object, key) ? keys.get(FULL_NAME) : info;
}

/** The kind of a member that is only called a key, below a name that says whose key. */
const ANY_KEY = 'its_key';

/** The kind of a member's value, read from the member's name and from the object around it; `beside` is the result of `named` for an object that holds a value. */
export function meant(
  object: Readonly<Record<string, unknown>>,
  outer: KeyInfo,
  own: KeyInfo,
  keys: KeyCache,
  key: string,
  beside: KeyInfo | null,
): KeyInfo {
  if (outer.keyed && !own.named && key.toLowerCase() === 'key') return keys.get(ANY_KEY);
  if (beside !== null && own.holds) return inherit(beside, own);
  if (outer.isPlural && isSecret(outer) && !own.named && isBesideSecret(object)) return own;
  return outer.contexts.length > 0 || outer.label !== null ? inherit(outer, own) : own;
}

function isSecret({ label }: KeyInfo): boolean {
  return label !== null && isSecretKind(label);
}

/** Names of members that hold the secret itself. */
const SECRETS = 'password Password passwd pass pwd secret token value'.split(' ');

/** Whether a member is the secret, so that the others are none: {"passwords": [{"website": …, "password": …}]}. */
function isBesideSecret(object: Readonly<Record<string, unknown>>): boolean {
  return SECRETS.some((member) => Object.hasOwn(object, member));
}

/** The kind that the name beside a value implies: {"name": "DB_PASSWORD", "value": …}. Call it once for each object. */
export function named(object: Readonly<Record<string, unknown>>, outer: KeyInfo, keys: KeyCache): KeyInfo {
  const name = nameBeside(object);
  const info = name === null ? null : keys.get(name);
  if (info?.named) return inherit(outer, info);
  for (const kind of [kindBeside(object), elementBeside(object)]) {
    const known = kind === null ? null : keys.get(kind);
    if (known?.named) return inherit(outer, known);
  }
  return info === null ? outer : inherit(outer, info);
}

export const COORDINATES = tagId('COORDINATES');
const MAX_DEGREES = 180;
/** Members of an object among which the other number of a place is looked for. */
const MAX_MEMBERS = 32;
const DEGREES = /^-?\d{1,3}\.\d+$/;
/** Degrees with so many decimals that they name a place of some ten metres. */
const PRECISE = /\.\d{4}/;

/** Whether the key is that of degrees: lat, longitude, coordinates. */
export function isPlaceKey({ contexts }: KeyInfo): boolean {
  return contexts.length > 0 && contexts.includes(COORDINATES);
}

/** The members of a small object that are degrees, by their keys too; none of a larger one. To be asked once for each object. */
export function degreesOf(object: Readonly<Record<string, unknown>>, keys: KeyCache): readonly unknown[] {
  const degrees: unknown[] = [];
  let members = 0;
  for (const key in object) {
    if (++members > MAX_MEMBERS) return [];
    const value = object[key];
    if (isDegrees(value) && isPlaceKey(keys.get(key))) degrees.push(value);
  }
  return degrees;
}

/** Whether the value is degrees and the object has others: {"lat": 52.520008, "lng": 13.404954}, as numbers or as text. */
export function isPartOfPlace(degrees: readonly unknown[], value: unknown): boolean {
  if (!isDegrees(value)) return false;
  return degrees.some((other) => other !== value) && degrees.some((other) => PRECISE.test(String(other)));
}

/** Whether an array is the position of GeoJSON (RFC 7946): longitude, latitude and perhaps a height. */
export function isPosition(value: unknown): value is readonly unknown[] {
  if (!Array.isArray(value) || value.length < 2 || value.length > 3) return false;
  const [x, y] = value as readonly unknown[];
  return isDegrees(x) && isDegrees(y) && (PRECISE.test(String(x)) || PRECISE.test(String(y)));
}

function isDegrees(value: unknown): boolean {
  if (typeof value !== 'number' && typeof value !== 'string') return false;
  const text = String(value);
  return text.length < 24 && DEGREES.test(text) && Math.abs(Number(text)) <= MAX_DEGREES;
}
