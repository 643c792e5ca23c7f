import type { Kind } from './kind.ts';

export const contact: readonly Kind[] = [
  {
    tag: 'EMAIL_ADDRESS',
    categories: ['PII'],
    docs: {
      counts:
        'RFC 5321 local part, quoted too; domain with two labels and a top one of letters (or xn--) that is no file ending; with (at) and (dot) too',
      strength: ['formatted'],
      found: 'write to jane.doe@example.com',
      missed: 'npm i @types/node@24.1',
    },
  },
  {
    tag: 'PHONE_NUMBER',
    categories: ['PII'],
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
      'رقم_الهاتف رقم_الجوال فون नंबर मोबाइल_नंबर सिम phone_no contact_no contact_number contact_phone ph_no sim sms_to recipient_number buro buero tawag tawagan tumawag text_mo text_mo_ako number_ko numero_ko cp_number cp_no selpon',
    docs: {
      counts:
        '`+` and an ITU-T E.164 country code; the North American plan (NXX-NXX-XXXX); 00 or 011 and a country code, in groups; any other grouping with a word near it',
      strength: ['formatted', 'bare'],
      found: '(415) 555-0132',
      missed: '2024-10-11 12:30',
    },
  },
  {
    tag: 'USERNAME',
    categories: ['ACCOUNT'],
    docs: {
      counts:
        'a name of an account under its key, or after its label in quotes or with digits at its end; not admin, root, guest and the like',
      strength: ['bare'],
      found: { username: 'asmith42' },
      missed: { username: 'admin' },
    },
  },
];
