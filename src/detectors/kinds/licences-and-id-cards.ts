import { germanSerial } from '../checks/check-digits.ts';
import type { Kind } from './kind.ts';
import { BARE } from './kind.ts';

/** Licences and identity cards that only a word tells. A word that names no country leaves the neutral tag. */

export const licencesAndIdCards: readonly Kind[] = [
  {
    tag: 'US_DRIVER_LICENSE',
    categories: ['PII'],
    words:
      'driver_license s_license s_licence drivers_license driver_licence drivers_licence ' +
      'driving_license driving_licence driverlicense driverslicense dl_number dlnumber ' +
      'driving_permit license_number licence_number',
    digits: [{ named: '7|8|9|10|11|12|3~3~3', rank: BARE }],
    anyWord: true,
    docs: {
      country: 'United States',
      counts: '6 to 15 letters and digits after its word, which must be the nearest',
      strength: ['bare'],
      found: "driver's license A56319335",
      missed: 'serial number A56319335',
    },
  },
  {
    tag: 'DE_ID_CARD',
    categories: ['PII'],
    words: 'personalausweis personalausweisnummer ausweisnummer ausweis perso ausweisnr german_id',
    letters: [
      { pattern: 'AXXXXXXXX', rank: BARE, alone: 'named', check: germanSerial },
      { pattern: 'AXXXXXXXX9', rank: BARE, alone: 'named', check: germanSerial },
    ],
    docs: {
      country: 'Germany',
      counts: 'letter first, characters of the serial, with a word',
      strength: ['bare'],
      found: 'Personalausweisnummer T220001293',
      missed: 'Teilenummer T220001293',
    },
  },
  {
    tag: 'FR_CNI',
    categories: ['PII'],
    words: 'carte_identite carte_nationale cni identite_nationale',
    digits: [{ named: '12', rank: BARE }],
    letters: [{ pattern: 'XXXXXXXX9', rank: BARE, alone: 'named' }],
    docs: {
      country: 'France',
      counts: '12 digits, or 9 letters and digits, with a word',
      strength: ['bare'],
      found: { cni: '880692310285' },
      missed: { lot: '880692310285' },
    },
  },
  {
    tag: 'IT_IDENTITY_CARD',
    categories: ['PII'],
    words: 'd_identita carta_identita identita_numero carta_didentita cie',
    letters: [
      { pattern: 'AA99999AA', rank: BARE, alone: 'named' },
      { pattern: 'AA9999999', rank: BARE, alone: 'named' },
      { pattern: '9999999AA', rank: BARE, alone: 'named' },
    ],
    docs: {
      country: 'Italy',
      counts: 'letters and digits of its form, with a word',
      strength: ['bare'],
      found: 'carta d’identità CA12345AA',
      missed: 'codice CA12345AA',
    },
  },
  {
    tag: 'IT_DRIVER_LICENSE',
    categories: ['PII'],
    words: 'patente patente_guida numero_patente',
    letters: [{ pattern: 'AA9999999A', rank: BARE, alone: 'named' }],
    docs: {
      country: 'Italy',
      counts: 'letters and digits of its form, with a word',
      strength: ['bare'],
      found: 'patente AB1234567C',
      missed: 'codice AB1234567C',
    },
  },
  {
    tag: 'UK_DRIVER_LICENSE',
    categories: ['PII'],
    words:
      'uk_licence dvla uk_driving driver_number driving_licence driver_licence drivers_licence s_licence',
    letters: [{ pattern: 'AAAAA999999XXXAA', rank: BARE, alone: 'named' }],
    docs: {
      country: 'United Kingdom',
      counts: 'five letters of the name, date of birth, five letters and digits, with a word',
      strength: ['bare'],
      found: 'DVLA MORGA657054SM9IJ',
      missed: 'lot MORGA657054SM9IJ',
    },
  },
  {
    tag: 'DRIVER_LICENSE',
    categories: ['PII'],
    words:
      'fuhrerschein fuehrerschein fuhrerscheinnummer fuehrerscheinnummer permis_conduire permis_de rijbewijs rijbewijsnummer carnet_conducir ' +
      'permiso_conducir licencia_conducir carta_conducao carteira_habilitacao cnh prawo_jazdy korkort korkortsnummer kjorekort 驾驶证 駕駛執照 運転免許証 免許証番号 운전면허 ' +
      '운전면허번호 licencia_de ' +
      'de_conduire de_conducir de_conduccion carta_conducao de_conducao de_habilitacao ajokortti forerkort forerkortnummer rijbewijsnr ridicsky_prukaz ' +
      'vodicsky_preukaz jogositvany vezetoi_engedely permis_auto ehliyet ehliyet_no surucu_belgesi sim_number права водительское_удостоверение ' +
      'водительские_права vozacka_dozvola giay_phep 운전면허증 驾照 驾照号',
    digits: [{ named: '7|8|9|10|11|12', rank: BARE }],
    anyWord: true,
    docs: {
      counts: '6 to 15 letters and digits after its word, where no country is known',
      strength: ['bare'],
      found: 'Führerscheinnummer B072RRE2I55',
      missed: 'Teilenummer B072RRE2I55',
    },
  },
  {
    tag: 'ID_CARD_NUMBER',
    categories: ['PII'],
    words:
      'id_card identity_card idcard id_number idnumber identity_number id_document document_number dowod_osobisty dowodu numer_dowodu identiteitskaart kimlik_no cedula_identidad numero_identidad nomer_udostovereniya',
    anyWord: true,
    docs: {
      counts: '6 to 15 letters and digits after its word, where no country is known',
      strength: ['bare'],
      found: { id_card: 'ABS123456' },
      missed: { part: 'ABS123456' },
    },
  },
];
