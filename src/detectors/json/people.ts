import { IDENTITY_NAMES } from '../secrets/people-words.ts';
import { isThing } from '../secrets/thing-words.ts';

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
/** What an account beside a name and an address of mail has, and no author of a package. */
const OF_ACCOUNTS = new Set(
  'id userid customerid role roles company subject message status createdat department title team language locale plan age city'.split(
    ' ',
  ),
);
/** The longest of them, with what parts its words. */
const MAX_MEMBER = 24;
/** Members that are looked at. */
const MAX_MEMBERS = 40;
/** Beside the parts of a name that are only called the first and the last. */
const OF_NAMES = new Set(['title', 'middle', 'prefix', 'suffix', 'salutation', 'maiden', 'email']);
/** How the name of somebody begins who has two: what no sentence and few titles of things are. */
const TWO_NAMES = /^[\p{Lu}\p{Lo}][\p{L}\p{M}.'\u2019-]*[ ,]/u;
const ONE_NAME = /^\p{Lu}[\p{L}\p{M}'\u2019-]+$/u;

/** A member's name in lower case without what parts its words. */
function plainName(member: string): string {
  return member.length > MAX_MEMBER ? '' : member.toLowerCase().replace(/[ _.:@-]/g, '');
}

/** Members and heads that are only called a name, and those that are only called the first or last one. */
const NAME_KEYS = new Set(['name', 'Name', 'NAME', ':name', '@name']);
const PART_KEYS = new Set(['first', 'last', 'First', 'Last']);
const SHOWN = 'display';
/** Members whose values may be names of people: see `isPersons` and `isShownPerson`. */
export const PERSON_KEYS: readonly string[] = [...NAME_KEYS, ...PART_KEYS, SHOWN];

/** Whether an element of an array of names is the name of a human in FHIR: `{"use": "official", "text": "Jane Doe"}`. */
function isHumanName(name: unknown): boolean {
  if (typeof name !== 'object' || name === null || !Object.hasOwn(name, 'text')) return false;
  return Object.keys(name).every((member) => HUMAN_NAME.has(member));
}

const HUMAN_NAME = new Set(['text', 'use', 'family', 'given', 'prefix', 'suffix', 'period']);

/** Whether a member is what a reference of FHIR to a person is shown as: `{"reference": "Patient/1", "display": …}`. */
export function isShownPerson(object: Readonly<Record<string, unknown>>, key: string): boolean {
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
export function isPersons(object: Readonly<Record<string, unknown>>, key: string): boolean {
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
    if (++members === MAX_MEMBERS) return false;
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
