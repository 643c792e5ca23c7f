import { Duration } from './duration.ts';
import { CelError } from './error.ts';
import { isInt } from './number.ts';
import { Opaque } from './opaque.ts';
import { Optional } from './optional.ts';
import { Timestamp } from './timestamp.ts';

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
