import type { Overload } from './declaration.ts';
import { aggregates } from './library/aggregates.ts';
import { conversions } from './library/conversions.ts';
import { decodings } from './library/decoding.ts';
import { formatting } from './library/format.ts';
import { lists } from './library/lists.ts';
import { math } from './library/math.ts';
import { network } from './library/network.ts';
import { optionals } from './library/optionals.ts';
import { strings } from './library/strings.ts';
import { times } from './library/times.ts';
import { typeTests } from './library/type-tests.ts';

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
