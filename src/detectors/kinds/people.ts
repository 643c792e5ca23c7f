import { germanSerial } from '../checks/check-digits.ts';
import type { Kind } from './kind.ts';
import { BARE, FORMATTED } from './kind.ts';

export const person: readonly Kind[] = [
  {
    tag: 'DATE_OF_BIRTH',
    words:
      'dob birthdate birthday bday birth dateofbirth date_birth born o_b geburtsdatum geburtstag geboren geb geb_am naissance ' +
      'ne_le nee_le nee ne_e nacimiento nacido nacida naci nasci fecha_nacimiento nascita nato nata nato_il nata_il geboortedatum geboorte ' +
      'nascimento nascido nascida data_nascimento born_on fodelsedatum fodd fodselsdato fodt syntymaaika syntynyt ' +
      'data_urodzenia urodzenia urodzony urodzona urodzilem_sie urodzilam_sie ur datum_narozeni narozeni narozen narozena datum_narodenia narodeny ' +
      'szuletesi_datum szuletesi szuletett dogum_tarihi dogum data_nasterii nasterii nascut datum_rodenja rodenja roden ' +
      'tanggal_lahir lahir ngay_sinh рождения дата_рождения родился родилась рожд народження γεννησης γεννηθηκε ' +
      'f_nac nac fec_nac 生年月日 出生日期 出生 出生年月日 生日 誕生日 생년월일 생일 narozeny narozena_dne naroden narodena geboortedag geboren_op geboren_am born_in ' +
      'rodnedatum narozen_dne datum_rojstva rojen rodjen datum_rodjenja rodjena datum_rodenia dzimsanas_datums dzimsanas gimimo_data gimimo sunnikuupaev ' +
      'sundinud fodelsedag fodselsdag syntymapaiva szul szul_datum szuletesnap dogum_gunu dogumgunu dogdu tgl_lahir tanggal_kelahiran sinh_ngay ngaysinh ' +
      'roczny ur_dnia narozeniny aniversario cumpleanos compleanno anniversaire geburtsjahr geb_datum gebdatum gebdat dob_date patient_dob emp_dob д_р др ' +
      'день_рождения рождён рожден роден родена датум_рођења ημερομηνια_γεννησης ημ_γεννησης ημνια_γεννησης γενν 생일은 出生于 生于 出生年月 生れ 生まれ ' +
      'الميلاد_تاريخ مواليد נולד נולדה जन्मदिन जन्म เกิดวันที่ วันเดือนปีเกิด الميلاد תאריך_לידה לידה जन्म_तिथि วันเกิด',
  },
  { tag: 'PERSON' },
  { tag: 'STREET_ADDRESS' },
];

export const contact: readonly Kind[] = [
  { tag: 'EMAIL_ADDRESS' },
  {
    tag: 'PHONE_NUMBER',
    words:
      'phone phones telephone tel cel fone mobile mobil cell cellphone fax call calling callback contact ' +
      'reach whatsapp sms dial answering hotline landline voicemail office_phone handy telefon ' +
      'telefono telefone telefoon telephone movil celular cellulare cellulari puhelin portable ' +
      'rufnummer telefonnummer handynummer phonenumber msisdn whats_app please_text text_me text_us ' +
      'lost_ring please_ring ring_mig ring_meg ring_oss soita zadzwon llamame chiamami appelle_moi rappelle_moi ruf_mich bel_me pozvoni ring_me ring_us ring_on texted pager switchboard helpline fon viber ' +
      'telefonu телефон тел 电话 手机 電話 전화 전화번호 numero_telefono 電話番号 携帯電話 携帯番号 手机号 手机号码 手機 联系电话 ' +
      '휴대폰 휴대전화 핸드폰 연락처 هاتف الهاتف جوال الجوال موبايل τηλεφωνο κινητο טלפון נייד โทรศัพท์ फ़ोन मोबाइल dien_thoai ' +
      'telefonszam telefoonnummer mon_numero mi_numero mio_numero meu_numero mijn_nummer meine_nummer bel bel_op cep gsm cep_telefonu tlf mobiltelefon mobilnummer telefonnumero nomor_telepon telepon ' +
      'telemovel telemovil telemoveis ruckruf rueckruf anruf anrufen erreichbar erreichen mobilfunk mobilfunknummer festnetz telefonnr telnr handynr telefax ' +
      'contactez joindre joignable fixe portatil recado llamar llamarme llamadas chiamare chiamami richiamare recapito contattare ligar ligue ' +
      'mobiel mobieltje gsm_nummer bereikbaar terugbellen ringa nas_pa tel_nr mob mob_nr puh puhelinnumero matkapuhelin kannykka ' +
      'komorka komorkowy nr_telefonu numer_telefonu telefonem zadzwonic mobitel mobilni telefonski numar_telefon numarul_telefonului telefonul sunati ' +
      'mobilszam telefonom hivhato telefonszamom cep_no cep_numarasi telefon_numarasi telefonum numaram arayin no_hp nohp hp_no nomor_hp hubungi no_telp telp ' +
      'so_dt sdt sodienthoai di_dong lien_he номер_телефона мобильный моб сотовый звонить тел_номер моб_тел телефону звоните ' +
      'τηλ κινητο_τηλεφωνο τηλεφωνου 携帯 連絡先 電話連絡先 お電話 ご連絡先 座机 手机号是 联系方式 電話號碼 联系人电话 전화번호는 번호 폰번호 연락처는 เบอร์ เบอร์โทร โทร มือถือ מספר_טלפון רקם_الهاتف ' +
      'رقم_الهاتف رقم_الجوال فون नंबर मोबाइल_नंबर सिम phone_no contact_no contact_number contact_phone ph_no sim sms_to recipient_number buro buero tawag tawagan tumawag text_mo number_ko numero_ko cp_number cp_no selpon',
  },
  { tag: 'USERNAME', categories: ['ACCOUNT'] },
];

export const location: readonly Kind[] = [
  {
    tag: 'COORDINATES',
    categories: ['GEOLOCATION'],
    words:
      'lat lng lon latitude longitude latlng lat_lng latlong lat_lon coordinates coordinate coords coord gps geo geolocation geopoint breitengrad langengrad koordinaten latitud longitud latitudine longitudine coordenadas coordonnees geotag 纬度 经度 緯度 経度 座標',
  },
];

/** Kinds that no pattern finds: tags of a recogniser that reads language, in a process of its own. */
export const recognized: readonly Kind[] = [
  { tag: 'LOCATION', isRecognized: true },
  { tag: 'NRP', isRecognized: true },
  { tag: 'ORGANIZATION', isRecognized: true },
];

/** Passports and licences that only a word tells. A word that names no country leaves the neutral tag. */
export const passports: readonly Kind[] = [
  {
    tag: 'US_PASSPORT',
    words: 'passport passports passportnumber travel_document',
    digits: [{ named: '9', rank: BARE }],
    letters: [{ named: 'A99999999', rank: BARE }],
  },
  {
    tag: 'UK_PASSPORT',
    words: 'uk_passport british_passport gb_passport ukpassport',
    digits: [{ named: '9', rank: BARE }],
  },
  {
    tag: 'DE_PASSPORT',
    words: 'reisepass reisepassnummer passnummer german_passport reisepassnr passnr',
    letters: [{ check: germanSerial, named: 'AXXXXXXXX|AXXXXXXXX9', rank: BARE }],
  },
  {
    tag: 'FR_PASSPORT',
    words: 'passeport numero_passeport french_passport',
    letters: [{ named: '99AA99999', rank: BARE }],
  },
  {
    tag: 'ES_PASSPORT',
    words: 'pasaporte numero_pasaporte spanish_passport',
    letters: [{ named: 'AAA999999|AA999999', rank: BARE }],
  },
  {
    tag: 'IT_PASSPORT',
    words: 'passaporto numero_passaporto italian_passport',
    letters: [{ named: 'AA9999999', rank: BARE }],
  },
  {
    tag: 'IN_PASSPORT',
    words: 'indian_passport india_passport',
    letters: [{ named: 'A9999999', rank: BARE }],
  },
  {
    tag: 'CN_PASSPORT',
    words: '护照 护照号 护照号码 chinese_passport',
    letters: [{ named: 'A99999999|AA9999999', rank: BARE }],
  },
  {
    tag: 'JP_PASSPORT',
    words: '旅券番号 パスポート パスポート番号 japanese_passport',
    letters: [{ named: 'AA9999999', rank: BARE }],
  },
  {
    tag: 'KR_PASSPORT',
    words: '여권번호 여권 korean_passport',
    letters: [{ named: 'A99999999|A999A9999', rank: BARE }],
  },
  {
    tag: 'PASSPORT',
    words:
      'passport passports passportnumber passport_number travel_document paspoort paspoortnummer paszport numer_paszportu pasport pass_nummer pasaportu pasaport passaporte passeport pasaporte passaporto reisepass паспорт паспорта passport_no passportno',
    digits: [{ named: '4 6|2 2 6', rank: FORMATTED }],
    anyWord: true,
  },
];

/** Licences and identity cards that only a word tells. A word that names no country leaves the neutral tag. */
export const licencesAndIdCards: readonly Kind[] = [
  {
    tag: 'US_DRIVER_LICENSE',
    words:
      'driver_license s_license s_licence drivers_license driver_licence drivers_licence ' +
      'driving_license driving_licence driverlicense driverslicense dl_number dlnumber ' +
      'driving_permit license_number licence_number',
    digits: [{ named: '7|8|9|10|11|12|3~3~3', rank: BARE }],
    anyWord: true,
  },
  {
    tag: 'DE_ID_CARD',
    words: 'personalausweis personalausweisnummer ausweisnummer ausweis perso ausweisnr german_id',
    letters: [{ check: germanSerial, named: 'AXXXXXXXX|AXXXXXXXX9', rank: BARE }],
  },
  {
    tag: 'FR_CNI',
    words: 'carte_identite carte_nationale cni identite_nationale',
    digits: [{ named: '12', rank: BARE }],
    letters: [{ named: 'XXXXXXXX9', rank: BARE }],
  },
  {
    tag: 'IT_IDENTITY_CARD',
    words: 'd_identita carta_identita identita_numero carta_didentita cie',
    letters: [{ named: 'AA99999AA|AA9999999|9999999AA', rank: BARE }],
  },
  {
    tag: 'IT_DRIVER_LICENSE',
    words: 'patente patente_guida numero_patente',
    letters: [{ named: 'AA9999999A', rank: BARE }],
  },
  {
    tag: 'UK_DRIVER_LICENSE',
    words:
      'uk_licence dvla uk_driving driver_number driving_licence driver_licence drivers_licence s_licence',
    letters: [{ named: 'AAAAA999999XXXAA', rank: BARE }],
  },
  {
    tag: 'DRIVER_LICENSE',
    words:
      'fuhrerschein fuehrerschein fuhrerscheinnummer fuehrerscheinnummer permis_conduire permis_de rijbewijs rijbewijsnummer carnet_conducir ' +
      'permiso_conducir licencia_conducir carta_conducao carteira_habilitacao cnh prawo_jazdy korkort korkortsnummer kjorekort 驾驶证 駕駛執照 運転免許証 免許証番号 운전면허 ' +
      '운전면허번호 licencia_de ' +
      'de_conduire de_conducir de_conduccion carta_conducao de_conducao de_habilitacao ajokortti forerkort forerkortnummer rijbewijsnr ridicsky_prukaz ' +
      'vodicsky_preukaz jogositvany vezetoi_engedely permis_auto ehliyet ehliyet_no surucu_belgesi sim_number права водительское_удостоверение ' +
      'водительские_права vozacka_dozvola giay_phep 운전면허증 驾照 驾照号',
    digits: [{ named: '7|8|9|10|11|12', rank: BARE }],
    anyWord: true,
  },
  {
    tag: 'ID_CARD_NUMBER',
    words:
      'id_card identity_card idcard id_number idnumber identity_number id_document document_number dowod_osobisty dowodu numer_dowodu identiteitskaart kimlik_no cedula_identidad numero_identidad nomer_udostovereniya',
    anyWord: true,
  },
];
