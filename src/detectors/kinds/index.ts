import { access } from './access.ts';
import { bankAccounts } from './bank-accounts.ts';
import { contact } from './contact.ts';
import { credentials } from './credentials.ts';
import { health } from './health.ts';
import type { Kind } from './kind.ts';
import { licencesAndIdCards } from './licences-and-id-cards.ts';
import { location } from './location.ts';
import { africaAndMiddleEast } from './national-ids/africa-and-middle-east.ts';
import { alpineAndBenelux } from './national-ids/alpine-and-benelux.ts';
import { asia } from './national-ids/asia.ts';
import { balkans } from './national-ids/balkans.ts';
import { baltics } from './national-ids/baltics.ts';
import { centralEurope } from './national-ids/central-europe.ts';
import { eastAsia } from './national-ids/east-asia.ts';
import { easternEurope } from './national-ids/eastern-europe.ts';
import { iberiaAndGreece } from './national-ids/iberia-and-greece.ts';
import { mexico } from './national-ids/mexico.ts';
import { northAmerica } from './national-ids/north-america.ts';
import { northernEurope } from './national-ids/northern-europe.ts';
import { oceania } from './national-ids/oceania.ts';
import { scandinavia } from './national-ids/scandinavia.ts';
import { southAmerica } from './national-ids/south-america.ts';
import { southernEurope } from './national-ids/southern-europe.ts';
import { westernEurope } from './national-ids/western-europe.ts';
import { network } from './network.ts';
import { passports } from './passports.ts';
import { paymentCards } from './payment-cards.ts';
import { person } from './person.ts';
import { recognized } from './recognized.ts';
import { security } from './security.ts';
import { vat } from './vat.ts';
import { vehiclesAndDevices } from './vehicles-and-devices.ts';

/** Every kind of data that is looked for. Findings are counted, and the documentation is written, in this order. */
export const kinds: readonly Kind[] = [
  ...contact,
  ...northAmerica,
  ...mexico,
  ...southAmerica,
  ...westernEurope,
  ...southernEurope,
  ...northernEurope,
  ...alpineAndBenelux,
  ...iberiaAndGreece,
  ...scandinavia,
  ...easternEurope,
  ...centralEurope,
  ...baltics,
  ...balkans,
  ...asia,
  ...eastAsia,
  ...africaAndMiddleEast,
  ...oceania,
  ...passports,
  ...licencesAndIdCards,
  ...vat,
  ...vehiclesAndDevices,
  ...location,
  ...person,
  ...recognized,
  ...paymentCards,
  ...bankAccounts,
  ...credentials,
  ...access,
  ...health,
  ...network,
  ...security,
];
