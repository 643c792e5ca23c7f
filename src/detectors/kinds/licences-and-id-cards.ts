import { germanSerial } from '../checks/check-digits.ts';
import type { Kind } from './kind.ts';
import { BARE } from './kind.ts';

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
    letters: [
      { pattern: 'AXXXXXXXX', rank: BARE, alone: 'named', check: germanSerial },
      { pattern: 'AXXXXXXXX9', rank: BARE, alone: 'named', check: germanSerial },
    ],
  },
  {
    tag: 'FR_CNI',
    words: 'carte_identite carte_nationale cni identite_nationale',
    digits: [{ named: '12', rank: BARE }],
    letters: [{ pattern: 'XXXXXXXX9', rank: BARE, alone: 'named' }],
  },
  {
    tag: 'IT_IDENTITY_CARD',
    words: 'd_identita carta_identita identita_numero carta_didentita cie',
    letters: [
      { pattern: 'AA99999AA', rank: BARE, alone: 'named' },
      { pattern: 'AA9999999', rank: BARE, alone: 'named' },
      { pattern: '9999999AA', rank: BARE, alone: 'named' },
    ],
  },
  {
    tag: 'IT_DRIVER_LICENSE',
    words: 'patente patente_guida numero_patente',
    letters: [{ pattern: 'AA9999999A', rank: BARE, alone: 'named' }],
  },
  {
    tag: 'UK_DRIVER_LICENSE',
    words:
      'uk_licence dvla uk_driving driver_number driving_licence driver_licence drivers_licence s_licence',
    letters: [{ pattern: 'AAAAA999999XXXAA', rank: BARE, alone: 'named' }],
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
