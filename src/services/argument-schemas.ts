import type { CallArguments } from '../engine/index.ts';
import { compileSchema, type Matcher } from '../json-schema/compile.ts';
import type { JsonObject } from '../schemas/values.ts';

/** What is wrong with the arguments of a call, without any of their content; null when they match. */
export type CheckArguments = (call: Pick<CallArguments, 'nested' | 'own'>) => string | null;

/**
 * Compiles a JSON Schema of arguments. Throws an `Error` whose message says what is wrong with the schema. What takes too many
 * steps to compare does not match.
 */
export function compileArguments(schema: JsonObject): CheckArguments {
  const matches = compileSchema(schema);
  const properties = new Set(Object.keys(isObject(schema.properties) ? schema.properties : {}));
  if (matches({}) === 'endless') throw new Error('it refers to itself without an end');
  return ({ nested, own }) => mistakeIn(matches, placesToCheck(nested, own, properties));
}

const endless = 'to compare them with the schema takes too many steps';

/**
 * Where the arguments may be is decided by the caller's format, so each place that may hold them must match. The fields of
 * the input itself are arguments when nothing is nested, or when one of them is called like an argument: an agent must not
 * hide those that are used behind others that match.
 */
function placesToCheck(
  nested: readonly JsonObject[],
  own: JsonObject,
  properties: ReadonlySet<string>,
): JsonObject[] {
  const isFlat = nested.length === 0 || Object.keys(own).some((key) => properties.has(key));
  const holders = nested.length === 0 || !isFlat ? [] : wrappersIn(own, properties);
  const flat = Object.fromEntries(Object.entries(own).filter(([key]) => !holders.includes(key)));
  return isFlat ? [...nested, flat] : [...nested];
}

/** Keys that hold nested arguments, unless an argument has that name. */
const wrappersIn = (own: JsonObject, properties: ReadonlySet<string>): string[] =>
  ['arguments', 'args', 'input', 'parameters'].filter((key) => key in own && !properties.has(key));

function mistakeIn(matches: Matcher, places: readonly JsonObject[]): string | null {
  for (const place of places) {
    const mistake = matches(place);
    if (mistake === 'endless') return endless;
    if (mistake !== null) return `${mistake.message} (${mistake.path})`;
  }
  return null;
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
