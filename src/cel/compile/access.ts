import type { IndexNode, NameNode, Node, SelectNode } from '../ast.ts';
import { type Budget, LOOKUP, MESSAGE } from '../budget.ts';
import { CelError, isError, NO_KEY, OUT_OF_RANGE } from '../error.ts';
import { isInt } from '../number.ts';
import type { ObjectType } from '../type.ts';
import { isMap, kindOf, lookup, lookupIn, NONE, Optional, some } from '../value.ts';
import type { Compiling, Step } from './compiling.ts';

export function compileName(compiling: Compiling, node: NameNode): Step {
  const slot = compiling.slot(node);
  if (slot !== undefined) return (_variables, _budget, locals) => locals[slot];
  const missing = new CelError('no_such_variable', `the variable "${node.name}" has no value`);
  const read = readerOf(node.name);
  return (variables) => {
    const value = read(variables);
    return value === undefined ? missing : value;
  };
}

type AccessNode = SelectNode | IndexNode;

export function compileAccess(compiling: Compiling, node: AccessNode): Step {
  if (node.kind === 'select' && node.test) {
    const found = accessStep(compiling, node, undefined);
    return (variables, budget, locals) => {
      const value = found(variables, budget, locals);
      return isError(value) ? value : value !== undefined;
    };
  }
  if (givesOptional(compiling, node)) {
    const found = accessStep(compiling, node, undefined);
    return (variables, budget, locals) => {
      const value = found(variables, budget, locals);
      if (value === undefined) return NONE;
      return isError(value) ? value : some(value);
    };
  }
  return accessStep(compiling, node, missingError(compiling, node));
}

export function givesOptional(compiling: Compiling, node: AccessNode): boolean {
  return node.optional || compiling.typeOf(node.operand).kind === 'optional';
}

// Created once, with the names in the source: missing keys are common and must not allocate.
function missingError(compiling: Compiling, node: AccessNode): CelError {
  if (node.kind === 'select') return new CelError('no_such_key', `no such field "${node.field}"`);
  if (compiling.typeOf(node.operand).kind === 'list') return OUT_OF_RANGE;
  if (node.key.kind !== 'literal') return NO_KEY;
  return new CelError('no_such_key', `no such key ${JSON.stringify(node.key.value)}`);
}

/** A step that returns the element, an error when the operand has no elements, and `missing` when the element is missing. */
export function accessStep(compiling: Compiling, node: AccessNode, missing: CelError | undefined): Step {
  const type = compiling.typeOf(node.operand);
  const inner = type.kind === 'optional' ? type.value : type;
  const field = fieldOf(node);
  if (inner.kind === 'object' && field !== null) {
    const variable = node.operand.kind === 'name' && compiling.slot(node.operand) === undefined;
    if (variable && type === inner && isPlainField(field)) {
      return variableFieldStep((node.operand as NameNode).name, field, missing);
    }
    return fieldStep(unwrapped(compiling, node.operand), field, missing);
  }
  const operand = unwrapped(compiling, node.operand);
  if (field !== null) return keyStep(operand, field, missing);
  const key = compiling.step((node as IndexNode).key);
  return inner.kind === 'object'
    ? declaredIndex(operand, key, inner, missing)
    : indexStep(operand, key, missing);
}

function fieldOf(node: AccessNode): string | null {
  if (node.kind === 'select') return node.field;
  return node.key.kind === 'literal' && typeof node.key.value === 'string' ? node.key.value : null;
}

/** The operand, unwrapped from its optional; undefined, in which every field is missing, for an empty one. */
function unwrapped(compiling: Compiling, node: Node): Step {
  const step = compiling.step(node);
  if (compiling.typeOf(node).kind !== 'optional') return step;
  return (variables, budget, locals) => {
    const value = step(variables, budget, locals);
    return value instanceof Optional ? value.value : value;
  };
}

function keyStep(operand: Step, key: string, missing: CelError | undefined): Step {
  return (variables, budget, locals) => {
    const container = operand(variables, budget, locals);
    const value = lookupIn(container, key);
    return value === undefined ? (whyMissing(container, key, budget) ?? missing) : value;
  };
}

function indexStep(operand: Step, keyOf: Step, missing: CelError | undefined): Step {
  return (variables, budget, locals) => {
    const container = operand(variables, budget, locals);
    const key = keyOf(variables, budget, locals);
    if (isError(key)) return isError(container) ? container : key;
    const isElement = Array.isArray(container) && typeof key === 'number';
    if (!isElement) budget.left -= LOOKUP;
    const value = isElement ? container[key] : lookupIn(container, key);
    return value === undefined ? (whyMissing(container, key, budget) ?? missing) : value;
  };
}

/** A computed key of a record: only its declared fields are there, as when they are named in the source. */
function declaredIndex(operand: Step, keyOf: Step, type: ObjectType, missing: CelError | undefined): Step {
  const fields = [...type.fields.keys()];
  const steps = new Map(fields.map((field) => [field, fieldStep(operand, field, missing)]));
  return (variables, budget, locals) => {
    const key = keyOf(variables, budget, locals);
    if (isError(key)) return key;
    const step = steps.get(key as string);
    return step === undefined ? missing : step(variables, budget, locals);
  };
}

function whyMissing(container: unknown, key: unknown, budget: Budget): CelError | undefined {
  if (isError(container)) return container;
  if (container === undefined || isMap(container)) return undefined;
  if (Array.isArray(container) && isInt(key)) return undefined;
  budget.left -= MESSAGE;
  return new CelError('no_such_overload', `${kindOf(container)} has no element under ${kindOf(key)}`);
}

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
function variableFieldStep(name: string, field: string, missing: CelError | undefined): Step {
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
