import type { Step } from './compiling.ts';
import { CelError, isError } from './error.ts';
import { type Reader, readerOf } from './reader.ts';
import { isMap, kindOf, lookup } from './value.ts';

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
