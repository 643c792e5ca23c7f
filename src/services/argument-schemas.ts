import { Ajv, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { RE2JS } from 're2js';
import type { CallArguments } from '../engine/index.ts';
import { canonicalJson } from '../json/canonical.ts';
import type { JsonObject } from '../schemas/values.ts';
import { counted, SchemaSteps } from './schema-steps.ts';

/** What is wrong with the arguments of a call, without any of their content; null when they match. */
export type CheckArguments = (call: CallArguments) => string | null;

/** Instructions of one pattern: each costs a step for each character of a text. */
const mostInstructions = 1_000;

/** In linear time, whatever the pattern: schemas may come from the servers of tools. */
const linear = Object.assign(
  (pattern: string) => {
    const machine = RE2JS.compile(pattern);
    if (machine.programSize() > mostInstructions) throw new Error(`the pattern "${pattern}" is too large`);
    return { test: (text: string) => machine.matcher(text).find() };
  },
  { code: 'linear' },
);

const options: Options = {
  strict: false,
  validateFormats: false,
  ownProperties: true,
  // Logs parts of schemas otherwise.
  logger: false,
  code: { regExp: linear },
};

/**
 * Compiles a JSON Schema of arguments (draft 2020-12, or draft-07 when it says so). Throws an `Error` whose message says
 * what is wrong with the schema. Formats are not checked. What takes too many steps does not match.
 */
export function compileArguments({ $schema, ...schema }: JsonObject): CheckArguments {
  const isOlder = typeof $schema === 'string' && /draft-0[4-7]/.test($schema);
  const ajv = isOlder ? new Ajv(options) : new Ajv2020(options);
  // Its own compares every pair of entries.
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({ keyword: 'uniqueItems', type: 'array', schemaType: 'boolean', validate: isUnique });
  const steps = new SchemaSteps();
  steps.addTo(ajv);
  const matches = ajv.compile(counted(schema));
  if ('$async' in matches) throw new Error('a schema with $async is not supported');
  const properties = new Set(Object.keys(isObject(schema.properties) ? schema.properties : {}));
  const check: CheckArguments = ({ nested, own }) => {
    const places = placesToCheck(nested, own, properties);
    const found = steps.within(() => [mistakeIn(matches, places)]);
    return found === null ? endless : (found[0] ?? null);
  };
  if (check({ nested: [], own: {} }) === endless) throw new Error('it refers to itself without an end');
  return check;
}

const endless = 'to compare them with the schema takes too many steps';

const isUnique = (isAsked: boolean, list: unknown[]): boolean =>
  !isAsked || new Set(list.map((entry) => canonicalJson(entry))).size === list.length;

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

function mistakeIn(matches: ValidateFunction, places: readonly JsonObject[]): string | null {
  for (const place of places) {
    if (matches(withNumbers(place))) continue;
    const [error] = matches.errors ?? [];
    return error ? `${error.message} (${error.schemaPath})` : 'they do not match';
  }
  return null;
}

/** Big integers as the numbers that a schema speaks of. */
function withNumbers(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(withNumbers);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, withNumbers(entry)]));
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
