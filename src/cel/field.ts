import type { Step } from './compiling.ts';
import { CelError, isError } from './error.ts';
import { isMap, kindOf, lookup } from './value.ts';

// Names that some value has although no data put them there: through Object.prototype, or as a member of the classes
// that stand for values. Reading them as `value[field]` would let data of the wrong kind answer with those.
const INHERITED: ReadonlySet<string> = new Set(
  [Object.prototype, Array.prototype, Map.prototype].flatMap((prototype) =>
    Object.getOwnPropertyNames(prototype),
  ),
);
const MEMBERS: ReadonlySet<string> = new Set(['code', 'message', 'seconds', 'nanos', 'present', 'value']);

/** A declared field of a record, undefined when missing. The record may be a class instance with lazy getters. */
export function fieldStep(operand: Step, field: string): Step {
  if (INHERITED.has(field)) {
    return (variables, budget, locals) => {
      const record = operand(variables, budget, locals);
      return isMap(record) ? lookup(record, field) : notRecord(record);
    };
  }
  if (MEMBERS.has(field)) {
    return (variables, budget, locals) => {
      const record = operand(variables, budget, locals);
      return isMap(record) ? read(record, field) : notRecord(record);
    };
  }
  return (variables, budget, locals) => {
    const record = operand(variables, budget, locals);
    if (typeof record !== 'object' || record === null) return notRecord(record);
    const value = (record as Readonly<Record<string, unknown>>)[field];
    return value === undefined ? other(record, field) : value;
  };
}

const read = (record: object, field: string): unknown =>
  record instanceof Map ? record.get(field) : (record as Readonly<Record<string, unknown>>)[field];

function other(record: object, field: string): unknown {
  if (record instanceof Map) return record.get(field);
  return isMap(record) ? undefined : notRecord(record);
}

function notRecord(found: unknown): CelError | undefined {
  if (isError(found) || found === undefined) return found;
  return new CelError('no_such_overload', `${kindOf(found)} has no fields`);
}
