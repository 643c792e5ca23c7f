import type { IndexNode, NameNode, Node, SelectNode } from './ast.ts';
import type { Compiling, Step } from './compiling.ts';
import { CelError, isError, NO_KEY, OUT_OF_RANGE } from './error.ts';
import { fieldStep } from './field.ts';
import { NONE, Optional, some } from './optional.ts';
import type { ObjectType } from './type.ts';
import { isMap, kindOf, lookupIn } from './value.ts';

export function compileName(compiling: Compiling, node: NameNode): Step {
  const slot = compiling.slot(node);
  if (slot !== undefined) return (_variables, _budget, locals) => locals[slot];
  const { name } = node;
  const missing = new CelError('no_such_variable', `the variable "${name}" has no value`);
  return (variables) => {
    const value = variables[name];
    return value === undefined ? missing : value;
  };
}

type AccessNode = SelectNode | IndexNode;

export function compileAccess(compiling: Compiling, node: AccessNode): Step {
  const found = accessStep(compiling, node);
  if (node.kind === 'select' && node.test) {
    return (variables, budget, locals) => {
      const value = found(variables, budget, locals);
      return isError(value) ? value : value !== undefined;
    };
  }
  if (givesOptional(compiling, node)) {
    return (variables, budget, locals) => {
      const value = found(variables, budget, locals);
      if (value === undefined) return NONE;
      return isError(value) ? value : some(value);
    };
  }
  const missing =
    node.kind === 'select'
      ? new CelError('no_such_key', `no such field "${node.field}"`)
      : missingElement(compiling, node);
  return (variables, budget, locals) => {
    const value = found(variables, budget, locals);
    return value === undefined ? missing : value;
  };
}

export function givesOptional(compiling: Compiling, node: AccessNode): boolean {
  return node.optional || compiling.typeOf(node.operand).kind === 'optional';
}

function missingElement(compiling: Compiling, node: IndexNode): CelError {
  if (compiling.typeOf(node.operand).kind === 'list') return OUT_OF_RANGE;
  if (node.key.kind !== 'literal') return NO_KEY;
  return new CelError('no_such_key', `no such key ${JSON.stringify(node.key.value)}`);
}

/** A step that answers the element, undefined when it is missing, or an error when there is nothing to look into. */
export function accessStep(compiling: Compiling, node: AccessNode): Step {
  const operand = unwrapped(compiling, node.operand);
  const type = compiling.typeOf(node.operand);
  const inner = type.kind === 'optional' ? type.value : type;
  const field = fieldOf(node);
  if (inner.kind === 'object') {
    return field === null
      ? declaredIndex(operand, compiling.step((node as IndexNode).key), inner)
      : fieldStep(operand, field);
  }
  if (field !== null) return keyStep(operand, field);
  return indexStep(operand, compiling.step((node as IndexNode).key));
}

function fieldOf(node: AccessNode): string | null {
  if (node.kind === 'select') return node.field;
  return node.key.kind === 'literal' && typeof node.key.value === 'string' ? node.key.value : null;
}

/** The operand, out of its optional; an empty optional is undefined, in which everything is missing. */
function unwrapped(compiling: Compiling, node: Node): Step {
  const step = compiling.step(node);
  if (compiling.typeOf(node).kind !== 'optional') return step;
  return (variables, budget, locals) => {
    const value = step(variables, budget, locals);
    return value instanceof Optional ? value.value : value;
  };
}

function keyStep(operand: Step, key: string): Step {
  return (variables, budget, locals) => {
    const container = operand(variables, budget, locals);
    const value = lookupIn(container, key);
    return value === undefined ? whyMissing(container, key) : value;
  };
}

function indexStep(operand: Step, keyStep: Step): Step {
  return (variables, budget, locals) => {
    const container = operand(variables, budget, locals);
    const key = keyStep(variables, budget, locals);
    if (isError(key)) return isError(container) ? container : key;
    const value =
      Array.isArray(container) && typeof key === 'number' ? container[key] : lookupIn(container, key);
    return value === undefined ? whyMissing(container, key) : value;
  };
}

/** A computed key of a record: only its declared fields are there, as when they are named in the source. */
function declaredIndex(operand: Step, keyStep: Step, type: ObjectType): Step {
  const steps = new Map([...type.fields.keys()].map((field) => [field, fieldStep(operand, field)]));
  return (variables, budget, locals) => {
    const key = keyStep(variables, budget, locals);
    if (isError(key)) return key;
    return steps.get(key as string)?.(variables, budget, locals);
  };
}

function whyMissing(container: unknown, key: unknown): CelError | undefined {
  if (isError(container)) return container;
  if (container === undefined || isMap(container)) return undefined;
  if (Array.isArray(container) && typeof key === 'number' && Number.isInteger(key)) return undefined;
  return new CelError('no_such_overload', `${kindOf(container)} has no element under ${kindOf(key)}`);
}
