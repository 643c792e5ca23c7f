import { Cidr, Ip } from '../address.ts';
import type { CallNode, Node } from '../ast.ts';
import { type Budget, LOOKUP, MESSAGE, spend } from '../budget.ts';
import type { Overload } from '../environment.ts';
import { CelError, isError, SPENT } from '../error.ts';
import { isInt, isNumber } from '../number.ts';
import { matches, type Pattern, type SearchFunction, searches } from '../regex.ts';
import { Duration, Timestamp } from '../time.ts';
import type { CelType } from '../type.ts';
import { isMap, kindOf, Optional, TypeValue } from '../value.ts';
import { accessStep, givesOptional } from './access.ts';
import type { Compiling, Step } from './compiling.ts';

type Guard = (value: unknown) => boolean;

/** Functions take no parameters of the other kinds. */
type ParameterKind = Exclude<CelType['kind'], 'null' | 'object'>;

// The host declares the types, but data of a caller may not match them: every argument is checked.
const guards: Readonly<Record<ParameterKind, Guard>> = {
  bool: (value) => typeof value === 'boolean',
  int: isInt,
  double: isNumber,
  string: (value) => typeof value === 'string',
  timestamp: (value) => value instanceof Timestamp,
  duration: (value) => value instanceof Duration,
  ip: (value) => value instanceof Ip,
  cidr: (value) => value instanceof Cidr,
  type: (value) => value instanceof TypeValue,
  dyn: (value) => !isError(value),
  list: (value) => Array.isArray(value),
  map: isMap,
  optional: (value) => value instanceof Optional,
  variable: (value) => !isError(value),
};

/** Whether a value may be passed to a parameter of a type. Elements of lists and maps are not checked. */
const guardOf = (type: CelType): Guard => guards[type.kind as ParameterKind];

export function compileCall(compiling: Compiling, node: CallNode): Step {
  const plan = compiling.plan(node);
  switch (plan.kind) {
    case 'function':
      return functionStep(
        plan.overloads,
        plan.operands.map((operand) => compiling.step(operand)),
      );
    case 'matches':
      return matchesStep(compiling.step(plan.operands[0] as Node), plan.pattern as Pattern);
    case 'find':
    case 'findAll':
    case 'extract': {
      const [text, , limit] = plan.operands as [Node, Node, Node | undefined];
      const most = limit === undefined ? null : compiling.step(limit);
      return searchStep(plan.kind, compiling.step(text), plan.pattern as Pattern, most);
    }
    case 'or':
      return orStep(...optionalOperands(compiling, plan.operands));
    case 'orValue':
      return orValueStep(compiling, plan.operands as [Node, Node]);
  }
}

function functionStep(overloads: readonly Overload[], operands: readonly Step[]): Step {
  const [overload] = overloads as [Overload];
  const [first, second] = operands;
  if (overloads.length > 1 || first === undefined || operands.length > 2)
    return dispatchStep(overloads, operands);
  if (second === undefined) return unaryStep(overload, first);
  const onTexts = overload.params.every(({ kind }) => kind === 'string');
  return onTexts ? textsStep(overload, first, second) : binaryStep(overload, first, second);
}

function unaryStep({ name, params, run }: Overload, operand: Step): Step {
  const [fits] = params.map(guardOf) as [Guard];
  return (variables, budget, locals) => {
    const value = operand(variables, budget, locals);
    return fits(value) ? run(budget, value) : mismatch(budget, name, [value]);
  };
}

function binaryStep({ name, params, run }: Overload, left: Step, right: Step): Step {
  const [fitsLeft, fitsRight] = params.map(guardOf) as [Guard, Guard];
  return (variables, budget, locals) => {
    const first = left(variables, budget, locals);
    const second = right(variables, budget, locals);
    return fitsLeft(first) && fitsRight(second)
      ? run(budget, first, second)
      : mismatch(budget, name, [first, second]);
  };
}

/** `contains`, `startsWith`, `endsWith`: the functions that rules call most, with their guards inlined. */
function textsStep({ name, run }: Overload, left: Step, right: Step): Step {
  return (variables, budget, locals) => {
    const first = left(variables, budget, locals);
    const second = right(variables, budget, locals);
    const fit = typeof first === 'string' && typeof second === 'string';
    return fit ? run(budget, first, second) : mismatch(budget, name, [first, second]);
  };
}

/** Finds the overload for the values at run time: for values of unknown type, and for more than two arguments. */
function dispatchStep(overloads: readonly Overload[], operands: readonly Step[]): Step {
  const forms = overloads.map(({ name, params, run }) => ({ name, guards: params.map(guardOf), run }));
  const { name } = overloads[0] as Overload;
  return (variables, budget, locals) => {
    if (!spend(budget, LOOKUP)) return SPENT;
    const values = operands.map((operand) => operand(variables, budget, locals));
    for (const { guards, run } of forms) {
      if (guards.every((guard, index) => guard(values[index]))) return run(budget, ...values);
    }
    return mismatch(budget, name, values);
  };
}

function mismatch(budget: Budget, name: string, values: readonly unknown[]): CelError {
  budget.left -= MESSAGE;
  const message = `${name}: no form of it takes ${values.map(kindOf).join(', ')}`;
  return values.find(isError) ?? new CelError('no_such_overload', message);
}

function matchesStep(operand: Step, pattern: Pattern): Step {
  return (variables, budget, locals) => {
    const text = operand(variables, budget, locals);
    return typeof text === 'string' ? matches(text, pattern, budget) : mismatch(budget, 'matches', [text]);
  };
}

function searchStep(name: SearchFunction, operand: Step, pattern: Pattern, most: Step | null): Step {
  const search = searches[name];
  return (variables, budget, locals) => {
    const text = operand(variables, budget, locals);
    const limit = most === null ? -1 : most(variables, budget, locals);
    return typeof text === 'string' && isInt(limit)
      ? search(text, pattern, budget, Number(limit))
      : mismatch(budget, name, [text, limit]);
  };
}

const optionalOperands = (compiling: Compiling, operands: readonly Node[]): [Step, Step] => [
  compiling.step(operands[0] as Node),
  compiling.step(operands[1] as Node),
];

function orStep(first: Step, second: Step): Step {
  return (variables, budget, locals) => {
    const value = first(variables, budget, locals);
    if (!(value instanceof Optional)) return mismatch(budget, 'or', [value]);
    return value.present ? value : second(variables, budget, locals);
  };
}

function orValueStep(compiling: Compiling, [target, otherwise]: readonly [Node, Node]): Step {
  const second = compiling.step(otherwise);
  if ((target.kind === 'select' || target.kind === 'index') && givesOptional(compiling, target)) {
    // `m[?k].orValue(0)` is how rules read counters, so it allocates no optional.
    const found = accessStep(compiling, target, undefined);
    return (variables, budget, locals) => {
      const value = found(variables, budget, locals);
      return value === undefined ? second(variables, budget, locals) : value;
    };
  }
  const first = compiling.step(target);
  return (variables, budget, locals) => {
    const value = first(variables, budget, locals);
    if (!(value instanceof Optional)) return mismatch(budget, 'orValue', [value]);
    return value.present ? value.value : second(variables, budget, locals);
  };
}
