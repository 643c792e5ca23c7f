import { noOverload } from './arithmetic.ts';
import { type Budget, spend } from './budget.ts';
import type { Step } from './compiling.ts';
import { contains } from './equality.ts';
import { isError, SPENT } from './error.ts';
import { fieldStep } from './field.ts';
import type { CelType, ObjectType } from './type.ts';
import { isMap, lookup } from './value.ts';

/** `tool in ["a", "b"]`: one lookup in a set. It contains only scalars, so equality is identity. */
export function inConstantList(operand: Step, constants: ReadonlySet<unknown>): Step {
  return (variables, budget, locals) => {
    const value = operand(variables, budget, locals);
    return isError(value) ? value : constants.has(value);
  };
}

/** `"PII" in session.dataTags`. */
export function constantIn(constant: unknown, container: Step, type: CelType): Step {
  if (type.kind === 'object') return inRecord(() => constant, container, type);
  return (variables, budget, locals) => {
    const found = container(variables, budget, locals);
    if (!Array.isArray(found)) return inOther(constant, found, budget);
    if (!spend(budget, found.length)) return SPENT;
    // A loop, because includes() takes twice as long for the few tags in a list.
    for (let index = 0; index < found.length; index += 1) if (found[index] === constant) return true;
    return false;
  };
}

export function inStep(element: Step, container: Step, type: CelType): Step {
  if (type.kind === 'object') return inRecord(element, container, type);
  return (variables, budget, locals) => {
    const value = element(variables, budget, locals);
    const found = container(variables, budget, locals);
    return inOther(value, found, budget);
  };
}

function inOther(value: unknown, container: unknown, budget: Budget): unknown {
  if (isError(value)) return value;
  if (Array.isArray(container)) return contains(container, value, budget);
  return isMap(container) ? lookup(container, value) !== undefined : noOverload('in', value, container);
}

/** A record has its declared fields and no others. */
function inRecord(element: Step, container: Step, type: ObjectType): Step {
  const steps = new Map(
    [...type.fields.keys()].map((field) => [field, fieldStep(container, field, undefined)]),
  );
  return (variables, budget, locals) => {
    const key = element(variables, budget, locals);
    if (isError(key)) return key;
    const value = steps.get(key as string)?.(variables, budget, locals);
    return isError(value) ? value : value !== undefined;
  };
}
