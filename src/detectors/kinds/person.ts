import type { Kind } from './kind.ts';

export const person: readonly Kind[] = [
  {
    tag: 'DATE_OF_BIRTH',
    categories: ['PII'],
    words:
      'dob birthdate birthday bday birth dateofbirth date_birth born o_b geburtsdatum geburtstag geboren geb geb_am naissance ' +
      'ne_le nee_le nee ne_e nacimiento nacido nacida naci nasci fecha_nacimiento nascita nato nata nato_il nata_il geboortedatum geboorte ' +
      'nascimento nascido nascida data_nascimento born_on fodelsedatum fodd fodselsdato fodt syntymaaika syntynyt ' +
      'data_urodzenia urodzenia urodzony urodzona urodzilem_sie urodzilam_sie ur datum_narozeni narozeni narozen narozena datum_narodenia narodeny ' +
      'szuletesi_datum szuletesi szuletett dogum_tarihi dogum data_nasterii nasterii nascut datum_rodenja rodenja roden ' +
      'tanggal_lahir lahir ngay_sinh рождения дата_рождения родился родилась рожд народження γεννησης γεννηθηκε ' +
      'f_nac nac fec_nac 生年月日 出生日期 出生 出生年月日 生日 誕生日 생년월일 생일 narozeny narozena_dne naroden narodena geboortedag geboren_op geboren_am ne_e_le born_in ' +
      'rodnedatum narozen_dne datum_rojstva rojen rodjen datum_rodjenja rodjena datum_rodenia dzimsanas_datums dzimsanas gimimo_data gimimo sunnikuupaev ' +
      'sundinud fodelsedag fodselsdag syntymapaiva szul szul_datum szuletesnap dogum_gunu dogumgunu dogdu tgl_lahir tanggal_kelahiran sinh_ngay ngaysinh ' +
      'roczny ur_dnia narozeniny aniversario cumpleanos compleanno anniversaire geburtsjahr geb_datum gebdatum gebdat dob_date patient_dob emp_dob д_р др ' +
      'день_рождения рождён рожден датата_на_раждане роден родена датум_рођења ημερομηνια_γεννησης ημ_γεννησης ημνια_γεννησης γενν 생일은 出生于 生于 出生年月 生れ 生まれ ' +
      'الميلاد_تاريخ مواليد נולד נולדה जन्मदिन जन्म เกิดวันที่ วันเดือนปีเกิด الميلاد תאריך_לידה לידה जन्म_तिथि วันเกิด',
    docs: {
      counts:
        "a date right after its label or under its key, in digits, with the month's name in seven languages, or in an era of Japan or Taiwan",
      strength: ['formatted'],
      found: { dob: '1980-01-02' },
      missed: { created: '1980-01-02' },
    },
  },
  {
    tag: 'PERSON',
    categories: ['PII'],
    docs: {
      counts: "capitalised words under a key or label of a person's name",
      strength: ['bare'],
      found: { first_name: 'Jane' },
      missed: { file_name: 'Jane' },
    },
  },
  {
    tag: 'STREET_ADDRESS',
    categories: ['PII'],
    docs: {
      counts: 'letters and digits under a key or label of an address',
      strength: ['bare'],
      found: { street_address: '12 Main Street' },
      missed: { street_address: 'unknown' },
    },
  },
];
