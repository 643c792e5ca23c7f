import type { Ajv } from 'ajv';
import type { JsonObject } from '../schemas/values.ts';

/** Subschemas that are compared for one call: some 20 ms. A schema that refers to itself twice would take for ever. */
const mostSteps = 500_000;

/** Counts the subschemas that are compared, whatever refers to them. */
export class SchemaSteps {
  #left = 0;

  /** The keyword that `counted` puts into each subschema. */
  addTo(ajv: Ajv): void {
    ajv.addKeyword({
      keyword,
      schemaType: 'boolean',
      errors: false,
      validate: () => {
        this.#left--;
        if (this.#left < 0) throw new TooManySteps();
        return true;
      },
    });
  }

  /** Null when it took too many steps, or nested too deep to go on. */
  within<T>(compare: () => T): T | null {
    this.#left = mostSteps;
    try {
      return compare();
    } catch (error) {
      if (error instanceof TooManySteps || error instanceof RangeError) return null;
      throw error;
    }
  }
}

class TooManySteps extends Error {}

const keyword = 'assizeStep';
/** What holds values. `$ref` does not lead into it: what stands there would not be counted. */
const ofValues: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples', 'required']);
const references: ReadonlySet<string> = new Set(['$ref', '$dynamicRef', '$recursiveRef']);
/** What holds schemas by names that are not keywords. */
const ofNames: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
]);

/** The schema with the keyword in each subschema. Throws an `Error` for a reference that leads to no subschema. */
export function counted(schema: JsonObject): JsonObject {
  const copy: Record<string, unknown> = { [keyword]: true };
  for (const [key, value] of Object.entries(schema)) {
    if (references.has(key) && typeof value === 'string') checkReference(value);
    if (ofValues.has(key)) copy[key] = value;
    else if (ofNames.has(key) && isObject(value)) copy[key] = eachCounted(value);
    else copy[key] = countedPart(value);
  }
  return copy;
}

const eachCounted = (schemas: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, countedPart(schema)]));

function countedPart(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(countedPart);
  return isObject(part) ? counted(part) : part;
}

function checkReference(reference: string): void {
  const names = decodeURIComponent(reference).split('/');
  const found = names.find((name, place) => ofValues.has(name) && !ofNames.has(names[place - 1] ?? ''));
  if (found !== undefined)
    throw new Error(`the reference "${reference}" leads into ${found}, not to a schema`);
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
