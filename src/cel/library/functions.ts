import type { Overload } from '../environment.ts';
import { conversions, decodings, typeTests } from './conversions.ts';
import { aggregates, lists, optionals } from './lists.ts';
import { math } from './math.ts';
import { network } from './network.ts';
import { formatting, strings } from './strings.ts';
import { times } from './times.ts';

const library = [
  ...conversions,
  ...strings,
  ...formatting,
  ...decodings,
  ...lists,
  ...aggregates,
  ...math,
  ...optionals,
  ...times,
  ...typeTests,
  ...network,
];

/** Functions called on a value, and functions called by name, each with all its overloads. */
export const memberFunctions: ReadonlyMap<string, readonly Overload[]> = byName(
  library.filter((one) => one.member),
);
export const globalFunctions: ReadonlyMap<string, readonly Overload[]> = byName(
  library.filter((one) => !one.member),
);

function byName(overloads: readonly Overload[]): Map<string, Overload[]> {
  return Map.groupBy(overloads, ({ name }) => name);
}
