import { BARE } from '../hits.ts';
import type { Kind } from './kind.ts';

export const documents: readonly Kind[] = [
  {
    tag: 'US_PASSPORT',
    categories: ['PII'],
    words: 'passport passports passportnumber travel_document',
    digits: [{ named: '9', rank: BARE }],
    anyWord: true,
    docs: {
      country: 'United States',
      counts: '9 digits or a letter and 8, with a word',
      strength: ['bare'],
      found: { passport: '912803456' },
      missed: { build: '912803456' },
    },
  },
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
];
