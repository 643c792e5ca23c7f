import { type DigitCheck, isRepeated, luhn } from '../checks/check-digits.ts';
import type { Kind } from './kind.ts';

export const network: readonly Kind[] = [
  {
    tag: 'IP_ADDRESS',
    categories: ['NETWORK'],
    words: 'ip ipaddress ip_address ipv4 ipv6 host server client_ip addr cidr subnet',
  },
  {
    tag: 'MAC_ADDRESS',
    categories: ['NETWORK'],
    words: 'mac macaddress mac_address bssid ethernet hwaddr',
  },
  {
    tag: 'URL',
    categories: ['NETWORK'],
    optIn: true,
  },
];

/** 3GPP TS 23.003: Luhn; the software version in place of the check digit makes 16. */
const imei: DigitCheck = (d, o, n) => !isRepeated(d, o, n) && (n === 16 || luhn(d, o, 15));

export const vehiclesAndDevices: readonly Kind[] = [
  {
    tag: 'IMEI',
    words: 'imei imeisv imei_number device_imei',
    digits: [{ check: imei, named: '15|16|2-6-6-1|2~6~6~1|6~2~6~1|8~6~1' }],
  },
  {
    tag: 'VEHICLE_ID',
    words:
      'vin vin_number vehicle_identification chassis chassis_number fahrgestellnummer fahrzeugidentifikationsnummer vehicle_id numero_chassis bastidor telaio',
  },
  {
    tag: 'LICENSE_PLATE',
    words:
      'plate plates license_plate licence_plate number_plate plate_number licenseplate licenceplate numberplate vehicle_registration registration_plate ' +
      'kennzeichen nummernschild immatriculation plaque matricula placa targa kenteken kentekenplaat rejestracyjny numer_rejestracyjny 车牌 車牌 车牌号 ナンバープレート ' +
      'matriculas kfz_kennzeichen autokennzeichen amtliches_kennzeichen kentekennummer registreringsnummer regnr reg_nr reg_no reg_number registration_no ' +
      'registration_number regno nummerskylt rekisterinumero rekisteritunnus spz rz_vozidla registracni_znacka rendszam numar_inmatriculare plaka plaka_no ' +
      'plakasi numer_tablicy tablica_rejestracyjna registarska_oznaka госномер номерной_знак гос_номер номер_авто 차량번호 번호판 車両番号 車牌號 plat_nomor nopol bien_so ' +
      'placas patente_vehiculo',
  },
];

export const security: readonly Kind[] = [
  {
    tag: 'PROMPT_INJECTION',
    categories: ['SECURITY'],
    optIn: true,
  },
  {
    tag: 'UNSCANNED',
    categories: ['UNSCANNED'],
  },
];
