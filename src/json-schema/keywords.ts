import type { Pattern } from '../cel/index.ts';
import { canonicalJson } from '../json/stringify.ts';
import { type Covered, keysOf, type Run, type Spending, TooManySteps } from './run.ts';

/** Whether two JSON values are equal: 1 and 1.0 are, in whatever order the keys stand. */
function equal(a: unknown, b: unknown, run: Spending): boolean {
  run.spend(1);
  if (typeof a === 'string' && typeof b === 'string') {
    if (a.length === b.length) run.spend(a.length >> 6);
    return a === b;
  }
  if (a === b) return true;
  if (isNumber(a) && isNumber(b)) {
    if (typeof a === 'bigint' || typeof b === 'bigint') run.spend(2);
    return !(a < b) && !(a > b);
  }
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  run.spend(2);
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((entry, place) => equal(entry, b[place], run));
  }
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  const names = keysOf(left, run);
  if (names.length !== keysOf(right, run).length) return false;
  return names.every((name) => Object.hasOwn(right, name) && equal(left[name], right[name], run));
}

/** Whole numbers beyond ±(2^53 - 1) are bigints. */
const isNumber = (value: unknown): value is number | bigint =>
  typeof value === 'number' || typeof value === 'bigint';

/** Decimal, as both are written: 0.3 is a multiple of 0.1. Null for numbers of more than 1,000 digits. */
function isMultiple(value: number | bigint, of: number | bigint, run: Spending): boolean | null {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(of)) return Number(value) % Number(of) === 0;
  run.spend(200);
  const [whole, dividend] = decimal(value) ?? [];
  const [part, divisor] = decimal(of) ?? [];
  if (whole === undefined || dividend === undefined || part === undefined || divisor === undefined)
    return null;
  const least = Math.min(dividend, divisor);
  return (whole * 10n ** BigInt(dividend - least)) % (part * 10n ** BigInt(divisor - least)) === 0n;
}

/** Digits and the power of ten that they are multiplied by. */
function decimal(value: number | bigint): [digits: bigint, exponent: number] | null {
  if (typeof value === 'bigint') return value < most && value > -most ? [value, 0] : null;
  const [, whole = '', fraction = '', exponent = '0'] =
    /^(-?\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? [];
  return whole === '' ? null : [BigInt(whole + fraction), Number(exponent) - fraction.length];
}

const most = 10n ** 1_000n;

export type Draft = 7 | 2019 | 2020;

/** Whether a value matches. `covered` is where a subschema notes what it looked at; null where nobody asks. */
export type Check = (value: unknown, run: Run, covered: Covered | null) => boolean;

/** A keyword in a schema. */
export interface Place {
  /** With the keywords beside it. */
  readonly schema: Readonly<Record<string, unknown>>;
  readonly draft: Draft;
  /** The place of the keyword: `#/properties/to/type`. */
  readonly path: string;
  /** Throws: the schema cannot be used, for a reason that begins with the name of the keyword. */
  refuse(message: string): never;
  /** The subschema at these names below the keyword. */
  sub(schema: unknown, ...names: readonly (string | number)[]): Check;
  /** The subschema of a keyword beside this one; null when it is not there. */
  beside(keyword: string): Check | null;
  pattern(source: string): Pattern;
}

/** Makes the check that a keyword demands; null for none. */
export type Keyword = (given: unknown, place: Place) => Check | null;

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const types = ['null', 'boolean', 'object', 'array', 'number', 'string', 'integer'];
const isOfType: Readonly<Record<string, (value: unknown) => boolean>> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === 'boolean',
  object: isObject,
  array: Array.isArray,
  number: isNumber,
  string: (value) => typeof value === 'string',
  integer: (value) => typeof value === 'bigint' || Number.isInteger(value),
};

const type: Keyword = (given, { schema, path, refuse }) => {
  const names: unknown[] = Array.isArray(given) ? given : [given];
  if (names.length === 0 || names.some((name) => !types.includes(name as string)))
    refuse(`must be one of ${types.join(', ')}, or a list of them`);
  // OpenAPI has `nullable`, and many tools have its schemas.
  const all = schema.nullable === true && !names.includes('null') ? [...names, 'null'] : names;
  const tests = all.map((name) => isOfType[name as string] as (value: unknown) => boolean);
  const message = `must be ${names.join(' or ')}`;
  const [only] = tests;
  if (tests.length === 1 && only) return (value, run) => only(value) || run.fail(message, path);
  return (value, run) => tests.some((test) => test(value)) || run.fail(message, path);
};

const constant: Keyword =
  (given, { path }) =>
  (value, run) =>
    equal(value, given, run) || run.fail('must be the one allowed value', path);

const enumeration: Keyword = (given, { path, refuse }) => {
  if (!Array.isArray(given)) return refuse('must be a list');
  const texts = new Set(given.filter((entry) => typeof entry === 'string'));
  const others = given.filter((entry) => typeof entry !== 'string');
  return (value, run) =>
    (typeof value === 'string' ? texts.has(value) : others.some((entry) => equal(value, entry, run))) ||
    run.fail('must be one of the allowed values', path);
};

const numbers =
  (
    holds: (value: number | bigint, given: number | bigint, run: Run) => boolean | null,
    words: string,
  ): Keyword =>
  (given, { path, refuse }) => {
    if (!isNumber(given)) return refuse('must be a number');
    const message = `must be ${words} ${given}`;
    return (value, run) => {
      if (!isNumber(value)) return true;
      const result = holds(value, given, run);
      if (result === null) throw new TooManySteps();
      return result || run.fail(message, path);
    };
  };

const multipleOf: Keyword = (given, place) => {
  if (!isNumber(given) || !(given > 0)) return place.refuse('must be a number above 0');
  return numbers(isMultiple, 'a multiple of')(given, place);
};

/** A limit of a count. Without `given`, when it is none. */
export function countOf(given: unknown, { refuse }: Pick<Place, 'refuse'>): number {
  const count = typeof given === 'bigint' ? Number.MAX_SAFE_INTEGER : given;
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 0)
    return refuse('must be a whole number from 0 on');
  return count;
}

const lengths =
  (isMost: boolean): Keyword =>
  (given, place) => {
    const count = countOf(given, place);
    const message = `must have at ${isMost ? 'most' : 'least'} ${count} characters`;
    return (value, run) => {
      if (typeof value !== 'string') return true;
      // JSON counts code points, at least half as many as the UTF-16 units: often these say enough.
      const isClear = value.length < count || value.length > 2 * count;
      const length = isClear ? value.length : codePoints(value, run);
      return (isMost ? length <= count : length >= count) || run.fail(message, place.path);
    };
  };

function codePoints(text: string, run: Run): number {
  run.spend(text.length >> 3);
  let length = text.length;
  for (let at = 0; at < text.length - 1; at++) {
    const isHigh = (text.charCodeAt(at) & 0xfc00) === 0xd800;
    if (isHigh && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00) {
      length--;
      at++;
    }
  }
  return length;
}

const pattern: Keyword = (given, place) => {
  if (typeof given !== 'string') return place.refuse('must be a regular expression in a string');
  const compiled = place.pattern(given);
  return (value, run) =>
    typeof value !== 'string' ||
    occurs(compiled, value, run) ||
    run.fail(`must match the pattern "${given.slice(0, 200)}"`, place.path);
};

/** A machine of so few instructions has few enough states to keep them all: a character costs a look into a table. */
const fewInstructions = 10;

export function occurs({ machine, programSize }: Pattern, text: string, run: Run): boolean {
  const each = programSize <= fewInstructions ? 1 : programSize / 2;
  run.spend(Math.ceil((text.length + 1) * each));
  return machine.test(text);
}

const sizes =
  (what: 'entries' | 'properties', isMost: boolean): Keyword =>
  (given, place) => {
    const count = countOf(given, place);
    const message = `must have at ${isMost ? 'most' : 'least'} ${count} ${what}`;
    return (value, run) => {
      let size: number;
      if (what === 'entries') {
        if (!Array.isArray(value)) return true;
        size = value.length;
      } else {
        if (!isObject(value)) return true;
        size = keysOf(value, run).length;
      }
      return (isMost ? size <= count : size >= count) || run.fail(message, place.path);
    };
  };

const uniqueItems: Keyword = (given, { path, refuse }) => {
  if (typeof given !== 'boolean') return refuse('must be true or false');
  if (!given) return null;
  return (value, run) => {
    if (!Array.isArray(value)) return true;
    // Equal values have one text: to compare each pair would take the square of the time.
    const texts = new Set<string>();
    for (const entry of value) {
      spendOnText(entry, run);
      const text = canonicalJson(entry);
      if (texts.has(text)) return run.fail('must not have two equal entries (uniqueItems)', path);
      texts.add(text);
    }
    return true;
  };
};

/** Spends the steps that it takes to write the value as a text, before it is written. */
function spendOnText(value: unknown, run: Run): void {
  run.spend(12);
  if (typeof value === 'string') run.spend(value.length >> 2);
  else if (Array.isArray(value)) for (const entry of value) spendOnText(entry, run);
  else if (isObject(value))
    for (const name of keysOf(value, run)) {
      run.spend(name.length >> 2);
      spendOnText(value[name], run);
    }
}

/** Keywords that look at one value and at nothing in it, beside the size. */
export const valueKeywords: Readonly<Record<string, Keyword>> = {
  type,
  const: constant,
  enum: enumeration,
  multipleOf,
  maximum: numbers((value, most) => value <= most, 'at most'),
  exclusiveMaximum: numbers((value, limit) => value < limit, 'below'),
  minimum: numbers((value, least) => value >= least, 'at least'),
  exclusiveMinimum: numbers((value, limit) => value > limit, 'above'),
  maxLength: lengths(true),
  minLength: lengths(false),
  pattern,
  maxItems: sizes('entries', true),
  minItems: sizes('entries', false),
  uniqueItems,
  maxProperties: sizes('properties', true),
  minProperties: sizes('properties', false),
};
