import { HASH_SEED, hashStep, hashWord } from '../context/words.ts';
import { kinds } from '../kinds/taxonomy.ts';
import { byteAt, DIGIT, IDEOGRAPH, is, isAt, LETTER, LOWER, loweredAt, setOf, UPPER } from '../text/bytes.ts';
import * as Char from '../text/chars.ts';
import type { Text } from '../text/text.ts';

/** Letters of the shortest word for a number of identity that tells it is one: not pan, sin, nie. */
const MIN_IDENTITY = 4;

/** Words for numbers of identity that also name countries, languages and other things. */
const OF_COUNTRIES = new Set(
  (
    'irish ireland swedish belgian belgium belge belgique belgie swiss switzerland schweiz suisse austrian austria osterreich oesterreich portuguese ' +
    'greek greece ελλαδα danish denmark dansk danmark norwegian norway norsk norge czech czechia slovak slovakia ceske slovenske hungarian hungary ' +
    'magyar estonian estonia eesti lithuanian lithuania lietuva lietuvos latvian latvia latvijas romanian romania bulgarian bulgaria croatian croatia ' +
    'hrvatska serbian slovenian bosnian korean thai thailand indonesian indonesia malaysian malaysia chinese china japanese japan hongkong taiwan ' +
    'taiwanese southafrican southafrica turkish turk israeli israel burger said personas'
  ).split(' '),
);

/** Words for numbers of identity, in lower case without what parts them: pesel, ahvnummer, nationalinsurance. */
export const IDENTITY_NAMES: readonly string[] = kinds
  .filter(({ identity, tag }) => identity || tag.endsWith('_SSN') || tag.endsWith('NINO'))
  .flatMap(({ words = '' }) => words.split(' '))
  .map((word) => word.replaceAll('_', ''))
  .filter((word) => word.length >= MIN_IDENTITY && !OF_COUNTRIES.has(word));

/** Labels, arguments and heads in data about people, and neither about things nor about authors of packages. */
const LABELS_OF_PEOPLE: readonly string[] = [
  ...IDENTITY_NAMES,
  ...(
    'phone mobile mobil mobilephone homephone workphone telephone telefono telefon telefone telefoon tel cell cellphone celular cellulare handy whatsapp ' +
    'ssn dob born birth birthdate birthday bday dateofbirth datebirth geburtsdatum geb geburtstag nele neele naissance datenaissance datedenaissance nato nata ' +
    'datadinascita fechadenacimiento fechanacimiento geboortedatum street streetaddress homeaddress ' +
    'strasse wohnort wohnhaft domicilio passport passportno passportnumber password passwd pwd surname lastname familyname nachname prenom cognome apellido apellidos gender ' +
    'sex nationality maritalstatus salary iban ssnlast mrn nhs nino ninumber pesel cpf dni bsn codicefiscale forename voornaam firstname nome nom vorname ' +
    'sortcode accountnumber accountno cardnumber patientid nextofkin socialsecurity telnr mobilenr ' +
    '電話 電話番号 生年月日 手机 手机号 住所 전화번호 телефон адрес паспорт датарождения'
  ).split(' '),
];

/** Names of addresses that things have as well. */
const ADDRESSES: readonly string[] = 'address adresse anschrift adres direccion indirizzo endereco'.split(
  ' ',
);

/** How far before a name, and behind it, what else people have is looked for. */
const BEFORE = 160;
const AFTER = 240;
const LETTERS = UPPER | LOWER | LETTER | IDEOGRAPH;
/** Words of one label, and letters of the longest one. */
const MAX_WORDS = 3;
const MAX_LETTERS = 24;
/** Blanks between a label and its sign, and characters of an address of mail that are looked at. */
const MAX_BLANKS = 3;
const MAX_MAIL = 64;

const OF_PEOPLE = new Set(LABELS_OF_PEOPLE.map(hashWord));
const STREETS = new Set(ADDRESSES.map(hashWord));
/** An address of mail is what authors of packages and accounts of programs have too. */
const MAIL = new Set('email emailaddress mail mailaddress correo'.split(' ').map(hashWord));
/** Words behind those of a label in some: phone number, tel no. */
const SUFFIXES = new Set(['number', 'no', 'nr'].map(hashWord));
/** Words for authors, near which an address of mail is one of an author. */
const AUTHORS = ['author', 'maintain', 'contribut'];
const OF_AUTHORS = 'homepage licen version committer copyright user] bot signature package'.split(' ');
/** 1 for the letters with which these begin. */
const OPENS_AUTHOR = new Uint8Array(256);
for (const word of [...AUTHORS, ...OF_AUTHORS]) OPENS_AUTHOR[word.charCodeAt(0)] = 1;
const QUOTES: readonly number[] = [...'"\'`'].map((c) => c.charCodeAt(0));
/** Bytes behind a label. */
const SIGNS = setOf(':=,|(+"\'0123456789');

const MAIL_SIGNS = setOf(':=|(');

/** Where words stand that tell of people, in a part of a text. */
export class PeopleWords {
  /** The part that was read. */
  #from = 0;
  #to = 0;
  /** Where labels of what people have begin, those of addresses of mail, words for authors, and others of packages. */
  #people: number[] = [];
  #mails: number[] = [];
  #authors: number[] = [];
  #packages: number[] = [];

  /** Begins a new text. */
  begin(): void {
    this.#from = this.#to = 0;
  }

  /** Whether what stands around the value between two places is of a person. Each byte is read about once. */
  areAround({ bytes, start, end }: Text, from: number, to: number): boolean {
    const first = Math.max(start, from - BEFORE);
    const last = Math.min(end, to + AFTER);
    this.#read(bytes, first, last);
    if (isAny(this.#authors, first, from)) return false;
    if (isAny(this.#people, first, from) || isAny(this.#people, to, last)) return true;
    const isMail = isAny(this.#mails, first, from) || isAny(this.#mails, to, last);
    return isMail && !isAny(this.#authors, first, last) && !isAny(this.#packages, first, last);
  }

  #read(b: Uint8Array, first: number, last: number): void {
    if (first < this.#from || first > this.#to || this.#to === 0) {
      this.#from = this.#to = first;
      this.#people = [];
      this.#mails = [];
      this.#authors = [];
      this.#packages = [];
    }
    let i = this.#to;
    // no word is read in halves
    while (i > this.#from && is(b, i - 1, LETTERS)) i--;
    for (; i < last; i++) if (is(b, i, LETTERS)) i = this.#word(b, i, last) - 1;
    if (last > this.#to) this.#to = last;
  }

  /** Notes what the word at `at`, alone and with those behind it, says; returns where it ends. */
  #word(b: Uint8Array, at: number, last: number): number {
    if (byteAt(OPENS_AUTHOR, loweredAt(b, at)) === 1) {
      if (AUTHORS.some((word) => isAt(b, at, word))) note(this.#authors, at);
      else if (OF_AUTHORS.some((word) => isAt(b, at, word))) note(this.#packages, at);
    }
    let hash = HASH_SEED;
    let own = at;
    let i = at;
    for (let words = 0; words < MAX_WORDS; words++) {
      while (i < last && i - at < MAX_LETTERS && is(b, i, LETTERS)) hash = hashStep(hash, byteAt(b, i++));
      if (words === 0) own = i;
      if (OF_PEOPLE.has(hash) && isLabel(b, i, last, SIGNS)) note(this.#people, at);
      else if (STREETS.has(hash) && isLabel(b, i, last, SIGNS) && isStreet(b, i, last))
        note(this.#people, at);
      else if (MAIL.has(hash) && (isLabel(b, i, last, MAIL_SIGNS) || isListed(b, i))) note(this.#mails, at);
      if (!isJoint(byteAt(b, i)) || !is(b, i + 1, LETTERS)) break;
      i++;
    }
    while (own < last && is(b, own, LETTERS)) own++;
    return own;
  }
}

function note(places: number[], at: number): void {
  if (places.at(-1) !== at) places.push(at);
}

/** Whether any of the places, which go up, is between these. */
function isAny(places: readonly number[], from: number, to: number): boolean {
  for (let k = places.length - 1; k >= 0; k--) {
    const place = places[k] as number;
    if (place < from) return false;
    if (place < to) return true;
  }
  return false;
}

/** Characters behind the label of an address that are looked at. */
const MAX_STREET = 60;

/** Whether a digit and a word with a capital stand in the line behind a label: 12 Main St, not bus 2, slot 4. */
function isStreet(b: Uint8Array, at: number, last: number): boolean {
  let hasDigit = false;
  let hasWord = false;
  for (let i = at; i < last && i - at < MAX_STREET && b[i] !== Char.LINE_FEED; i++) {
    if (is(b, i, DIGIT)) hasDigit = true;
    else if (is(b, i, UPPER) && is(b, i + 1, LOWER)) hasWord = true;
  }
  return (hasDigit && hasWord) || at + MAX_BLANKS >= last;
}

/** Tells a character that joins the words of a label. */
function isJoint(c: number): boolean {
  return c === Char.BLANK || c === Char.LOW_LINE_SIGN || c === Char.HYPHEN;
}

/** Whether the word that ends at `at` is a label: behind "number" and quotes follows a sign or a value. */
function isLabel(b: Uint8Array, at: number, last: number, signs: Uint8Array): boolean {
  let i = afterSuffix(b, at);
  if (b[i] === Char.FULL_STOP) i++;
  const quotes = i;
  while (i - quotes < 2 && (QUOTES.includes(byteAt(b, i)) || b[i] === Char.RIGHT_BRACKET || b[i] === 42)) i++;
  const blanks = i;
  while (i - blanks < MAX_BLANKS && byteAt(b, i) <= Char.BLANK && b[i] !== 0) i++;
  // IBAN DE89…
  if (i > blanks && is(b, i, UPPER) && is(b, i + 1, UPPER) && is(b, i + 2, DIGIT)) return true;
  if (i >= last || byteAt(signs, byteAt(b, i)) === 1) return true;
  if (b[i] === Char.GREATER_THAN && i === at) return true; // <phone>
  return (
    (b[i] === Char.LESS_THAN && b[i + 1] === Char.SLASH) ||
    (b[i] === Char.EQUALS_SIGN && b[i + 1] === Char.GREATER_THAN)
  );
}

/** Where "number" or the like ends that follows a label, perhaps as a part of its word; `at` for none. */
function afterSuffix(b: Uint8Array, at: number): number {
  let i = isJoint(byteAt(b, at)) ? at + 1 : at;
  let hash = HASH_SEED;
  const from = i;
  while (i - from < MAX_LETTERS && is(b, i, LETTERS)) hash = hashStep(hash, byteAt(b, i++));
  if (SUFFIXES.has(hash)) return i;
  i = at;
  while (i - at < 2 && is(b, i, DIGIT)) i++;
  return i;
}

/** Whether an address of mail follows as another argument: "email", "jane@example.com". */
function isListed(b: Uint8Array, at: number): boolean {
  let i = QUOTES.includes(byteAt(b, at)) ? at + 1 : at;
  if (b[i] !== Char.COMMA) return false;
  i++;
  while (b[i] === Char.BLANK) i++;
  if (!QUOTES.includes(byteAt(b, i))) return false;
  const from = i;
  while (i - from < MAX_MAIL && byteAt(b, i) > Char.BLANK && b[i] !== Char.AT_SIGN) i++;
  return b[i] === Char.AT_SIGN;
}

/** Whether what stands around the value at `from` is of a person: a telephone number, a day of birth, an address has its label there. */
export function isAmongPeople(
  { people, text }: { people: PeopleWords; text: Text },
  from: number,
  to: number,
): boolean {
  return people.areAround(text, from, to);
}
