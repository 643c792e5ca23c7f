import { CelError, isError } from '../error.ts';
import { isMap, kindOf, lookup } from '../value.ts';
import type { Step } from './compiling.ts';

/** Reads one property of an object, as `object.name` does. */
type Reader = (object: object) => unknown;

const readers = new Map<string, Reader>();

// Names come from policies. Beyond this number, the slower generic read is used.
const READERS_KEPT = 1_000;
// Only such names may become part of a function's source; the length bounds its memory.
const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

/**
 * One function per name. V8's inline caches belong to a place in the source: a single `object[name]` shared by all
 * steps would be megamorphic and take 8 ns per read instead of 3.
 */
export function readerOf(name: string): Reader {
  const known = readers.get(name);
  if (known !== undefined) return known;
  if (!PLAIN_NAME.test(name) || readers.size >= READERS_KEPT) return (object) => Reflect.get(object, name);
  const reader = new Function('object', `return object.${name}`) as Reader;
  readers.set(name, reader);
  return reader;
}

// Names that some values have without any data: from Object.prototype, or as members of the classes for values.
// Reading them as `value[field]` could return such a member for data of the wrong kind.
const INHERITED: ReadonlySet<string> = new Set(
  [Object.prototype, Array.prototype, Map.prototype].flatMap((prototype) =>
    Object.getOwnPropertyNames(prototype),
  ),
);
const MEMBERS: ReadonlySet<string> = new Set(['code', 'message', 'seconds', 'nanos', 'present', 'value']);

/** Whether `value[field]` is safe to read from any value. */
export const isPlainField = (field: string): boolean => !INHERITED.has(field) && !MEMBERS.has(field);

/**
 * A declared field of a record, which may be a class instance with lazy getters. `missing` is returned when the field
 * is missing: an error, or undefined.
 */
export function fieldStep(operand: Step, field: string, missing: CelError | undefined): Step {
  if (isPlainField(field)) {
    const read = readerOf(field);
    return (variables, budget, locals) => readField(operand(variables, budget, locals), read, field, missing);
  }
  const read = INHERITED.has(field) ? lookup : readMember;
  return (variables, budget, locals) => {
    const record = operand(variables, budget, locals);
    return (isMap(record) ? read(record, field) : notRecord(record)) ?? missing;
  };
}

/** `variable.field` in one step, because most reads in rules are of one field of a variable. */
export function variableFieldStep(name: string, field: string, missing: CelError | undefined): Step {
  const variable = readerOf(name);
  const read = readerOf(field);
  return (variables) => readField(variable(variables), read, field, missing);
}

function readField(record: unknown, read: Reader, field: string, missing: CelError | undefined): unknown {
  if (typeof record !== 'object' || record === null) return notRecord(record) ?? missing;
  const value = read(record);
  return value === undefined ? (elsewhere(record, field) ?? missing) : value;
}

const readMember = (record: object, field: string): unknown =>
  record instanceof Map ? record.get(field) : (record as Readonly<Record<string, unknown>>)[field];

function elsewhere(record: object, field: string): unknown {
  if (record instanceof Map) return record.get(field);
  return isMap(record) ? undefined : notRecord(record);
}

function notRecord(found: unknown): CelError | undefined {
  if (isError(found) || found === undefined) return found;
  return new CelError('no_such_overload', `${kindOf(found)} has no fields`);
}
