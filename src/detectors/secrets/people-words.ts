import { kinds } from '../kinds/index.ts';

/** Letters of the shortest word for a number of identity that tells it is one: not pan, sin, nie. */
const MIN_IDENTITY = 4;

/** Words for numbers of identity, in lower case without what parts them: pesel, ahvnummer, nationalinsurance. */
export const IDENTITY_NAMES: readonly string[] = kinds
  .filter(({ identity, tag }) => identity || tag.endsWith('_SSN') || tag.endsWith('NINO'))
  .flatMap(({ words = '' }) => words.split(' '))
  .map((word) => word.replaceAll('_', ''))
  .filter((word) => word.length >= MIN_IDENTITY);

/** What labels, arguments and heads of what people have are called, and neither those of things nor of authors of packages. */
export const LABELS_OF_PEOPLE: readonly string[] = [
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

/** What addresses are called that things have as well. */
export const ADDRESSES: readonly string[] =
  'address adresse anschrift adres direccion indirizzo endereco'.split(' ');
