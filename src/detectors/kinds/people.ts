import type { Kind } from './kind.ts';

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
  {
    tag: 'USERNAME',
    categories: ['ACCOUNT'],
  },
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
  {
    tag: 'LOCATION',
    isRecognized: true,
  },
  {
    tag: 'NRP',
    isRecognized: true,
  },
  {
    tag: 'ORGANIZATION',
    isRecognized: true,
  },
];
