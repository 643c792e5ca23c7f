import type { Pass } from '../pass.ts';

/** How far before a name, and behind it, what else people have is looked for. */
const BEFORE = 160;
const AFTER = 240;
/** Names that stand nearer to one of a person share what was found around it. */
const SHARED = 80;
/** Names of nobody that are looked at in a text. */
const MAX_MISSES = 16;
/** What lists of authors call them. */
const NAMES_AUTHOR = /author|maintain|contribut/i;
/** An address of mail is what authors of packages and accounts of programs have too. */
const MAIL =
  /(?:^|[^\p{L}])(?:e-?mail|mail|correo)(?:_?address)?["'`\]*]{0,2}\s{0,3}(?:[:=|(]|=>|,\s*["'][^"'\s]+@)/iu;
const OF_AUTHORS =
  /author|maintain|contribut|homepage|licen[sc]e|version|committer|copyright|\[user\]|\bbot\b|signature|package/i;
/** Labels, arguments and heads of what people have, and neither things nor authors of packages. */
const LABELS = [
  'phone',
  'mobile',
  'mobil',
  'telephone',
  'telefono?',
  'telefone',
  'telefoon',
  'tel',
  'cell',
  'celular',
  'cellulare',
  'handy',
  'whatsapp',
  'ssn',
  'dob',
  'd\\.o\\.b',
  'born',
  'birth[_ -]?(?:date|day)?',
  'bday',
  'date[_ ]of[_ ]birth',
  'dateofbirth',
  'geburtsdatum',
  'geb',
  'n[ée]e?(?:\\(e\\))?[_ ]le',
  'date[_ ]de[_ ]naissance',
  'nat[oa]',
  'data[_ ]di[_ ]nascita',
  'fecha[_ ]de[_ ]nacimiento',
  'street',
  'street_?address',
  'home_?address',
  'address',
  'adresse',
  'anschrift',
  'adres',
  'direcci[oó]n',
  'indirizzo',
  'passport',
  'password',
  'passwd',
  'pwd',
  'surname',
  'last_?name',
  'family_?name',
  'nachname',
  'prenom',
  'pr[ée]nom',
  'cognome',
  'apellidos?',
  'gender',
  'iban',
  'ssn_last4',
  'mrn',
  'nhs',
  'pesel',
  'cpf',
  'dni',
  'bsn',
  'codice_?fiscale',
  'c\\.f',
  'forename',
  'voornaam',
  'first_?name',
  'nome',
  'nom',
  'vorname',
  '電話(?:番号)?',
  '生年月日',
  '手机号?',
  '住所',
  '전화번호',
];
const OF_PEOPLE = new RegExp(
  `(?:^|[^\\p{L}])(?:${LABELS.join('|')})(?:[_ -]?(?:number|no|nr))?\\.?["'\`\\]*]{0,2}\\s{0,3}(?:[:=,|(+"'\\d]|<\\/|=>|$)`,
  'iu',
);

/** Whether what stands around the value at `from` is of a person: a telephone number, a day of birth, an address has its label there. */
export function isAmongPeople(pass: Pass, from: number, to: number): boolean {
  if (from < pass.peopleRead) return true;
  if (pass.peopleMisses === MAX_MISSES) return false;
  const { start, end } = pass.text;
  const before = pass.slice(Math.max(start, from - BEFORE), from);
  if (NAMES_AUTHOR.test(before)) return false;
  const after = pass.slice(to, Math.min(end, to + AFTER));
  if (!OF_PEOPLE.test(before) && !OF_PEOPLE.test(after)) {
    const around = `${before}\n${after}`;
    if (!MAIL.test(around) || OF_AUTHORS.test(around)) {
      pass.peopleMisses++;
      return false;
    }
  }
  pass.peopleRead = from + SHARED;
  return true;
}
