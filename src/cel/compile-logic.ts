import type { ConditionalNode } from './ast.ts';
import type { Compiling, Step } from './compiling.ts';
import { CelError, isError, Unknown } from './error.ts';
import { kindOf } from './value.ts';

/** The error for a value that is not a condition: the value itself when it is an error. */
export function notBool(value: unknown): CelError {
  if (isError(value)) return value;
  return new CelError('no_such_overload', `a condition is ${kindOf(value)}, expected bool`);
}

/** Neither side decides. */
const undecided = (first: unknown, second: unknown): CelError =>
  second instanceof Unknown ? second : notBool(first);

const asBool = (value: unknown): boolean | CelError =>
  value === true || value === false ? value : notBool(value);

/**
 * `&&` is false when either side is, `||` true when either side is, even if the other side is an error: this makes
 * both commutative in CEL, and lets a rule guard a field with has() on either side.
 */
export function and(left: Step, right: Step): Step {
  return (variables, budget, locals) => {
    const first = left(variables, budget, locals);
    if (first === false) return false;
    const second = right(variables, budget, locals);
    if (second === false) return false;
    return first === true ? asBool(second) : undecided(first, second);
  };
}

export function or(left: Step, right: Step): Step {
  return (variables, budget, locals) => {
    const first = left(variables, budget, locals);
    if (first === true) return true;
    const second = right(variables, budget, locals);
    if (second === true) return true;
    return first === false ? asBool(second) : undecided(first, second);
  };
}

export function not(operand: Step): Step {
  return (variables, budget, locals) => {
    const value = operand(variables, budget, locals);
    return value === true || value === false ? !value : notBool(value);
  };
}

export function compileConditional(compiling: Compiling, node: ConditionalNode): Step {
  const condition = compiling.step(node.condition);
  const yes = compiling.step(node.yes);
  const no = compiling.step(node.no);
  return (variables, budget, locals) => {
    const chosen = condition(variables, budget, locals);
    if (chosen === true) return yes(variables, budget, locals);
    return chosen === false ? no(variables, budget, locals) : notBool(chosen);
  };
}
