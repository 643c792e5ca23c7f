import type { Pattern } from '../cel/index.ts';
import { type Check, countOf, isObject, type Keyword, occurs, type Place } from './keywords.ts';
import { Covered, keysOf, type Run } from './run.ts';

/** The values of a keyword that holds subschemas by names. */
function named(given: unknown, place: Place): [name: string, check: Check][] {
  if (!isObject(given)) return place.refuse('must be an object of schemas');
  return Object.entries(given).map(([name, schema]) => [name, place.sub(schema, name)]);
}

function listed(given: unknown, place: Place): Check[] {
  if (!Array.isArray(given)) return place.refuse('must be a list of schemas');
  return given.map((schema, at) => place.sub(schema, at));
}

function namesIn(given: unknown, { refuse }: Place): string[] {
  if (!Array.isArray(given) || given.some((name) => typeof name !== 'string'))
    return refuse('must be a list of names');
  return given as string[];
}

// Names of arguments that are there come from the caller: messages repeat only those of the schema.
const required: Keyword = (given, place) => {
  const names = namesIn(given, place);
  return (value, run) => {
    if (!isObject(value)) return true;
    run.spend(names.length);
    const missing = names.find((name) => !Object.hasOwn(value, name));
    return missing === undefined || run.fail(`must have required property '${missing}'`, place.path);
  };
};

const properties: Keyword = (given, place) => {
  const checks = named(given, place);
  return (value, run, covered) => {
    if (!isObject(value)) return true;
    run.spend(checks.length);
    for (const [name, check] of checks) {
      if (!Object.hasOwn(value, name)) continue;
      if (!check(value[name], run, null)) return false;
      covered?.name(name);
    }
    return true;
  };
};

const patternProperties: Keyword = (given, place) => {
  const checks = named(given, place).map(([source, check]) => ({ pattern: place.pattern(source), check }));
  return (value, run, covered) => {
    if (!isObject(value)) return true;
    for (const name of keysOf(value, run)) {
      run.spend(checks.length);
      for (const { pattern, check } of checks) {
        if (!occurs(pattern, name, run)) continue;
        if (!check(value[name], run, null)) return false;
        covered?.name(name);
      }
    }
    return true;
  };
};

const additionalProperties: Keyword = (given, place) => {
  const { properties, patternProperties } = place.schema;
  const names = new Set(isObject(properties) ? Object.keys(properties) : []);
  const patterns: Pattern[] = isObject(patternProperties)
    ? Object.keys(patternProperties).map((source) => place.pattern(source))
    : [];
  const check = place.sub(given);
  return (value, run, covered) => {
    if (!isObject(value)) return true;
    for (const name of keysOf(value, run)) {
      if (names.has(name) || patterns.some((pattern) => occurs(pattern, name, run))) continue;
      if (given === false) return run.fail('must NOT have additional properties', place.path);
      if (!check(value[name], run, null)) return false;
      covered?.name(name);
    }
    return true;
  };
};

const propertyNames: Keyword = (given, place) => {
  const check = place.sub(given);
  return (value, run) =>
    !isObject(value) ||
    keysOf(value, run).every((name) => alternative(check, name, run)) ||
    run.fail('must have names that match', place.path);
};

const dependentRequired: Keyword = (given, place) => {
  if (!isObject(given)) return place.refuse('must be an object of lists of names');
  const needs = Object.entries(given).map(([name, names]) => ({ name, names: namesIn(names, place) }));
  return (value, run) => {
    if (!isObject(value)) return true;
    run.spend(2 * needs.length);
    for (const { name, names } of needs) {
      if (!Object.hasOwn(value, name)) continue;
      run.spend(names.length);
      if (names.some((needed) => !Object.hasOwn(value, needed)))
        return run.fail(`must have the properties that '${name}' needs`, place.path);
    }
    return true;
  };
};

const dependentSchemas: Keyword = (given, place) => {
  const checks = named(given, place);
  return (value, run, covered) => {
    if (!isObject(value)) return true;
    run.spend(checks.length);
    return checks.every(([name, check]) => !Object.hasOwn(value, name) || check(value, run, covered));
  };
};

/** Both of the above: of draft 7, and taken in later ones, as their meta-schemas do. */
const dependencies: Keyword = (given, place) => {
  if (!isObject(given)) return place.refuse('must be an object of schemas or lists of names');
  const part = (isList: boolean) =>
    Object.fromEntries(Object.entries(given).filter(([, one]) => Array.isArray(one) === isList));
  const byNames = dependentRequired(part(true), place);
  const bySchemas = dependentSchemas(part(false), place);
  return (value, run, covered) =>
    byNames?.(value, run, covered) !== false && bySchemas?.(value, run, covered) !== false;
};

/** Checks the entries from one place on. */
function entriesFrom(first: number, check: Check): Check {
  return (value, run, covered) => {
    if (!Array.isArray(value)) return true;
    for (let at = first; at < value.length; at++) {
      run.spend(1);
      if (!check(value[at], run, null)) return false;
    }
    covered?.places(value.length);
    return true;
  };
}

function entriesByPlace(given: unknown, place: Place): Check {
  const checks = listed(given, place);
  return (value, run, covered) => {
    if (!Array.isArray(value)) return true;
    covered?.places(Math.min(checks.length, value.length));
    return checks.every((check, at) => at >= value.length || check(value[at], run, null));
  };
}

const prefixItems: Keyword = (given, place) => entriesByPlace(given, place);

const items: Keyword = (given, place) => {
  if (place.draft !== 2020) {
    return Array.isArray(given) ? entriesByPlace(given, place) : entriesFrom(0, place.sub(given));
  }
  if (Array.isArray(given))
    return place.refuse(
      'must be a schema: in draft 2020-12 a list is "prefixItems"; say with "$schema" when the schema is of an older one',
    );
  const { prefixItems } = place.schema;
  return entriesFrom(Array.isArray(prefixItems) ? prefixItems.length : 0, place.sub(given));
};

const additionalItems: Keyword = (given, place) => {
  const check = place.sub(given);
  return Array.isArray(place.schema.items) ? entriesFrom(place.schema.items.length, check) : null;
};

const contains: Keyword = (given, place) => {
  const { minContains, maxContains } = place.schema;
  const counts = place.draft !== 7;
  const least = counts && minContains !== undefined ? countOf(minContains, place) : 1;
  const most = counts && maxContains !== undefined ? countOf(maxContains, place) : null;
  const check = place.sub(given);
  return (value, run, covered) => {
    if (!Array.isArray(value)) return true;
    let count = 0;
    for (const [at, entry] of value.entries()) {
      run.spend(1);
      if (!alternative(check, entry, run)) continue;
      count++;
      if (place.draft === 2020) covered?.place(at);
      if (covered === null && most === null && count >= least) return true;
    }
    if (count < least) return run.fail(`must contain at least ${least} entries that match`, place.path);
    return (
      most === null ||
      count <= most ||
      run.fail(`must contain at most ${most} entries that match`, place.path)
    );
  };
};

/** Whether it matches, where it need not. */
function alternative(check: Check, value: unknown, run: Run, covered: Covered | null = null): boolean {
  run.alternatives++;
  const matches = check(value, run, covered);
  run.alternatives--;
  return matches;
}

const allOf: Keyword = (given, place) => {
  const checks = listed(given, place);
  return (value, run, covered) => checks.every((check) => check(value, run, covered));
};

const anyOf: Keyword = (given, place) => {
  const checks = listed(given, place);
  return (value, run, covered) => {
    let matches = false;
    for (const check of checks) {
      if (!alternative(check, value, run, covered)) continue;
      matches = true;
      // Every one that matches covers something.
      if (covered === null) return true;
    }
    return matches || run.fail('must match a schema in anyOf', place.path);
  };
};

const oneOf: Keyword = (given, place) => {
  const checks = listed(given, place);
  return (value, run, covered) => {
    let count = 0;
    const own = covered && new Covered();
    for (const check of checks) {
      if (!alternative(check, value, run, own)) continue;
      count++;
      if (count > 1) break;
    }
    if (count !== 1) return run.fail('must match exactly one schema in oneOf', place.path);
    if (own) covered?.add(own, run);
    return true;
  };
};

const not: Keyword = (given, place) => {
  const check = place.sub(given);
  return (value, run) =>
    !alternative(check, value, run) || run.fail('must NOT match the schema in not', place.path);
};

const when: Keyword = (given, place) => {
  const check = place.sub(given);
  const [then, otherwise] = [place.beside('then'), place.beside('else')];
  return (value, run, covered) => {
    const next = alternative(check, value, run, covered) ? then : otherwise;
    return next === null || next(value, run, covered);
  };
};

/** Only holds schemas, which a reference or another keyword uses. */
const holdsOne: Keyword = (given, place) => {
  place.sub(given);
  return null;
};
const holdsNamed: Keyword = (given, place) => {
  named(given, place);
  return null;
};

const unevaluatedProperties: Keyword = (given, place) => {
  const check = place.sub(given);
  return (value, run, covered) => {
    if (!isObject(value)) return true;
    for (const name of keysOf(value, run)) {
      if (covered?.hasName(name)) continue;
      if (given === false) return run.fail('must NOT have unevaluated properties', place.path);
      if (!check(value[name], run, null)) return false;
      covered?.name(name);
    }
    return true;
  };
};

const unevaluatedItems: Keyword = (given, place) => {
  const check = place.sub(given);
  return (value, run, covered) => {
    if (!Array.isArray(value)) return true;
    for (const [at, entry] of value.entries()) {
      run.spend(1);
      if (covered?.hasPlace(at)) continue;
      if (given === false) return run.fail('must NOT have unevaluated items', place.path);
      if (!check(entry, run, null)) return false;
    }
    covered?.places(value.length);
    return true;
  };
};

/** Keywords that apply subschemas. */
export const applicatorKeywords: readonly [string, Keyword][] = [
  ...Object.entries({
    required,
    properties,
    patternProperties,
    additionalProperties,
    propertyNames,
    dependencies,
    dependentRequired,
    dependentSchemas,
    prefixItems,
    items,
    additionalItems,
    contains,
    allOf,
    anyOf,
    oneOf,
    not,
    if: when,
    $defs: holdsNamed,
    definitions: holdsNamed,
  }),
  ...['then', 'else', 'contentSchema'].map((name): [string, Keyword] => [name, holdsOne]),
];

/** They need what all others covered. */
export const lastKeywords: Readonly<Record<string, Keyword>> = { unevaluatedProperties, unevaluatedItems };
