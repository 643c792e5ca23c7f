import { access, credentials } from './credentials.ts';
import { bankAccounts, paymentCards } from './finance.ts';
import { health } from './health.ts';
import type { Kind } from './kind.ts';
import { licencesAndIdCards } from './licences-and-id-cards.ts';
import { africaAndMiddleEast, oceania } from './national-ids/africa-and-oceania.ts';
import { mexico, northAmerica, southAmerica } from './national-ids/americas.ts';
import { asia, eastAsia } from './national-ids/asia.ts';
import { balkans, centralEurope, easternEurope } from './national-ids/eastern-europe.ts';
import { baltics, northernEurope, scandinavia } from './national-ids/northern-europe.ts';
import { iberiaAndGreece, southernEurope } from './national-ids/southern-europe.ts';
import { alpineAndBenelux, westernEurope } from './national-ids/western-europe.ts';
import { network, security, vehiclesAndDevices } from './networks-and-devices.ts';
import { passports } from './passports.ts';
import { contact, location, person, recognized } from './people.ts';
import { vat } from './vat.ts';

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

export type { Strength } from './kind.ts';

export interface TagInfo {
  tag: string;
  /** Categories a finding of this tag adds, most general first. */
  categories: readonly string[];
  /** Off unless an integration turns it on. */
  optIn?: boolean;
}

/** Every built-in tag, in the order findings are counted. */
export const taxonomy: readonly TagInfo[] = kinds.map(({ tag, categories = ['PII'], optIn }) =>
  optIn ? { tag, categories, optIn } : { tag, categories },
);

const ids = new Map(taxonomy.map(({ tag }, id) => [tag, id]));

/** The number a tag has inside the scanner. Throws a RangeError on a name the taxonomy does not have. */
export function tagId(tag: string): number {
  const id = ids.get(tag);
  if (id === undefined) throw new RangeError(`no such tag: ${tag}`);
  return id;
}
