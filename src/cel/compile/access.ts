import type { IndexNode, NameNode, Node, SelectNode } from '../ast.ts';
import { type Budget, LOOKUP, MESSAGE } from '../budget.ts';
import { CelError, isError, NO_KEY, OUT_OF_RANGE } from '../error.ts';
import { isInt } from '../number.ts';
import type { ObjectType } from '../type.ts';
import { isMap, kindOf, lookupIn, NONE, Optional, some } from '../value.ts';
import type { Compiling, Step } from './compiling.ts';
import { fieldStep, isPlainField, readerOf, variableFieldStep } from './field.ts';

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
