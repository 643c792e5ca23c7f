import { CelError } from './error.ts';
import { isInt } from './number.ts';
import { Duration, Timestamp } from './time.ts';

/** A value without parts, such as an IP address: it is compared and printed as a whole. */
export abstract class Opaque {
  /** The name of its type: `net.IP`. */
  abstract readonly typeName: string;
  abstract equals(other: unknown): boolean;
  abstract toString(): string;
}

/** A value that may be missing: what `a.?b`, `m[?k]` and `optional.of(x)` give. */
export class Optional {
  readonly present: boolean;
  readonly value: unknown;
  constructor(present: boolean, value: unknown) {
    this.present = present;
    this.value = value;
  }
}

export const NONE = new Optional(false, undefined);
export const some = (value: unknown): Optional => new Optional(true, value);

/** Values at run time: JSON's own, JavaScript Maps, and the classes of this folder. */
export type CelMap = ReadonlyMap<unknown, unknown> | Readonly<Record<string, unknown>>;

/** A Map, or any object that is none of the other kinds of value. */
export function isMap(value: unknown): value is CelMap {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Timestamp) &&
    !(value instanceof Duration) &&
    !(value instanceof Optional) &&
    !(value instanceof Opaque) &&
    !(value instanceof CelError)
  );
}

/**
 * The value under a key, or undefined. Only own enumerable properties of an object count: `constructor`,
 * `__proto__` and `toString` are ordinary names in an attacker's data and must not reach inherited members.
 */
export function lookup(map: CelMap, key: unknown): unknown {
  if (map instanceof Map) return map.get(key);
  if (typeof key !== 'string') return undefined;
  if (isPlain(map)) return plainLookup(map as PlainObject, key);
  return isEnumerable.call(map, key) ? (map as PlainObject)[key] : undefined;
}

type PlainObject = Readonly<Record<string, unknown>>;

const isEnumerable = Object.prototype.propertyIsEnumerable;

/** One lookup instead of two: a plain object inherits only functions and, as `__proto__`, Object.prototype. */
function plainLookup(map: PlainObject, key: string): unknown {
  const value = map[key];
  if (typeof value !== 'function' && value !== Object.prototype) return value;
  return Object.hasOwn(map, key) ? value : undefined;
}

/** Made by JSON.parse or an object literal. */
const isPlain = (map: object): boolean => Object.getPrototypeOf(map) === Object.prototype;

/** The value under a key; undefined when there is none or `container` is not a map. */
export function lookupIn(container: unknown, key: unknown): unknown {
  if (typeof container !== 'object' || container === null) return undefined;
  // Nearly all maps are plain objects: one test instead of the five of isMap.
  if (isPlain(container))
    return typeof key === 'string' ? plainLookup(container as PlainObject, key) : undefined;
  return isMap(container) ? lookup(container, key) : undefined;
}

export function keysOf(map: CelMap): unknown[] {
  return map instanceof Map ? [...map.keys()] : Object.keys(map);
}

/** The name of a value's kind in messages. */
export function kindOf(value: unknown): string {
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'string':
      return 'string';
    case 'number':
      return Number.isSafeInteger(value) ? 'int' : 'double';
    case 'bigint':
      return isInt(value) ? 'int' : 'double';
    case 'object':
      return kindOfObject(value);
    default:
      return 'unsupported value';
  }
}

function kindOfObject(value: object | null): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (value instanceof Timestamp) return 'timestamp';
  if (value instanceof Duration) return 'duration';
  if (value instanceof Optional) return 'optional';
  if (value instanceof Opaque) return value.typeName;
  return value instanceof CelError ? 'error' : 'map';
}

/** The value of `type(x)` and of the names of types. One instance for each type. */
export class TypeValue extends Opaque {
  readonly typeName = 'type';
  readonly name: string;
  constructor(name: string) {
    super();
    this.name = name;
  }
  equals(other: unknown): boolean {
    return other === this;
  }
  toString(): string {
    return this.name;
  }
}

const NAMES = [
  'bool',
  'int',
  'double',
  'string',
  'list',
  'map',
  'null_type',
  'type',
  'optional_type',
  'net.IP',
  'net.CIDR',
  'google.protobuf.Timestamp',
  'google.protobuf.Duration',
] as const;

/** The types under their names in a source text. */
export const typeValues: ReadonlyMap<string, TypeValue> = new Map(
  NAMES.map((name) => [name, new TypeValue(name)]),
);

/** The type of a value. A number without a fraction is an int, because JSON does not distinguish 1 from 1.0. */
export const typeOfValue = (value: unknown): TypeValue => typeValues.get(nameOf(value)) as TypeValue;

function nameOf(value: unknown): (typeof NAMES)[number] {
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'number' || typeof value === 'bigint') return isInt(value) ? 'int' : 'double';
  if (value === null) return 'null_type';
  if (Array.isArray(value)) return 'list';
  if (value instanceof Opaque) return value.typeName as 'net.IP';
  if (value instanceof Timestamp) return 'google.protobuf.Timestamp';
  if (value instanceof Duration) return 'google.protobuf.Duration';
  return value instanceof Optional ? 'optional_type' : 'map';
}
