import { bankAccounts } from './bank-accounts.ts';
import { contact } from './contact.ts';
import { credentials } from './credentials.ts';
import { documents } from './documents.ts';
import { health } from './health.ts';
import type { Kind } from './kind.ts';
import { africaAndMiddleEast } from './national-ids/africa-and-middle-east.ts';
import { asia } from './national-ids/asia.ts';
import { easternEurope } from './national-ids/eastern-europe.ts';
import { northAmerica } from './national-ids/north-america.ts';
import { northernEurope } from './national-ids/northern-europe.ts';
import { oceania } from './national-ids/oceania.ts';
import { southAmerica } from './national-ids/south-america.ts';
import { southernEurope } from './national-ids/southern-europe.ts';
import { westernEurope } from './national-ids/western-europe.ts';
import { network } from './network.ts';
import { paymentCards } from './payment-cards.ts';
import { person } from './person.ts';
import { security } from './security.ts';

/** Every kind of data that is looked for. Findings are counted, and the documentation is written, in this order. */
export const kinds: readonly Kind[] = [
  ...contact,
  ...northAmerica,
  ...documents,
  ...southAmerica,
  ...westernEurope,
  ...southernEurope,
  ...northernEurope,
  ...easternEurope,
  ...asia,
  ...africaAndMiddleEast,
  ...oceania,
  ...person,
  ...paymentCards,
  ...bankAccounts,
  ...credentials,
  ...health,
  ...network,
  ...security,
];
