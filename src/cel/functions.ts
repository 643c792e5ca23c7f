import type { Overload } from './declaration.ts';
import { conversions, decodings, typeTests } from './library/conversions.ts';
import { aggregates, lists, optionals } from './library/lists.ts';
import { math } from './library/math.ts';
import { network } from './library/network.ts';
import { formatting, strings } from './library/strings.ts';
import { times } from './library/times.ts';

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
