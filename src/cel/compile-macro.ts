import type { BindNode, MacroNode, NameNode, Node } from './ast.ts';
import { ALLOCATION, spend } from './budget.ts';
import { notBool } from './compile-logic.ts';
import type { Compiling, Step } from './compiling.ts';
import { CelError, isError, SPENT } from './error.ts';
import { folds } from './fold.ts';
import { sortedBy } from './library/lists.ts';
import { NONE, Optional, some } from './optional.ts';
import { isMap, keysOf, kindOf, lookup } from './value.ts';
import { countNodes } from './walk.ts';

export function compileBind(compiling: Compiling, node: BindNode): Step {
  const slot = slotOf(compiling, node.variable);
  const value = compiling.step(node.value);
  const body = compiling.step(node.body);
  return (variables, budget, locals) => {
    // An error is bound like any other value: it does not affect a body that does not read it.
    locals[slot] = value(variables, budget, locals);
    return body(variables, budget, locals);
  };
}

export function compileMacro(compiling: Compiling, node: MacroNode): Step {
  switch (node.macro) {
    case 'optMap':
    case 'optFlatMap':
      return optionalStep(compiling, node);
    case 'sortBy':
      return sortStep(compiling, node);
    default:
      return loopStep(compiling, node, folds[node.macro]);
  }
}

const slotOf = (compiling: Compiling, variable: Node): number =>
  compiling.slot(variable as NameNode) as number;

function optionalStep(compiling: Compiling, node: MacroNode): Step {
  const range = compiling.step(node.range);
  const slot = slotOf(compiling, node.variables[0] as Node);
  const body = compiling.step(node.body);
  const flat = node.macro === 'optFlatMap';
  return (variables, budget, locals) => {
    const optional = range(variables, budget, locals);
    if (!(optional instanceof Optional)) return notRange(node.macro, optional);
    if (!optional.present) return NONE;
    locals[slot] = optional.value;
    const result = body(variables, budget, locals);
    if (isError(result) || (flat && result instanceof Optional)) return result;
    return flat ? notRange(node.macro, result) : some(result);
  };
}

function notRange(macro: string, value: unknown): CelError {
  if (isError(value)) return value;
  return new CelError('no_such_overload', `${macro}: cannot go through ${kindOf(value)}`);
}

/** The keys of sortBy are the results of map(). */
function sortStep(compiling: Compiling, node: MacroNode): Step {
  const keysStep = loopStep(compiling, { ...node, macro: 'map' }, folds.map);
  const range = compiling.step(node.range);
  return (variables, budget, locals) => {
    const list = range(variables, budget, locals);
    if (!Array.isArray(list)) return notRange(node.macro, list);
    const keys = keysStep(variables, budget, locals);
    return isError(keys) ? keys : sortedBy(budget, list, keys as unknown[]);
  };
}

function loopStep(compiling: Compiling, node: MacroNode, createFold: (typeof folds)['all']): Step {
  const range = compiling.step(node.range);
  const first = slotOf(compiling, node.variables[0] as Node);
  const second = node.variables[1] === undefined ? null : slotOf(compiling, node.variables[1]);
  const filter = node.filter === null ? null : compiling.step(node.filter);
  const body = compiling.step(node.body);
  // The steps charged for each element. Macros inside the body charge for their own elements.
  const stepsEach = countNodes(node.body) + (node.filter === null ? 0 : countNodes(node.filter)) + 1;
  return (variables, budget, locals) => {
    const found = range(variables, budget, locals);
    const isList = Array.isArray(found);
    if (!isList && !isMap(found)) return notRange(node.macro, found);
    const keys = isList ? found : keysOf(found);
    // All keys of a map are listed, even if the first one ends the macro.
    if (!spend(budget, isList ? ALLOCATION : ALLOCATION + 2 * keys.length)) return SPENT;
    const fold = createFold(budget);
    for (let index = 0; index < keys.length; index += 1) {
      budget.left -= stepsEach;
      if (budget.left < 0) return SPENT;
      const key = isList && second !== null ? index : keys[index];
      locals[first] = key;
      if (second !== null) locals[second] = isList ? keys[index] : lookup(found, key);
      if (filter !== null) {
        const kept = filter(variables, budget, locals);
        if (kept === false) continue;
        if (kept !== true) return notBool(kept);
      }
      const end = fold.visit(body(variables, budget, locals), key, keys[index]);
      if (end !== undefined) return end;
    }
    return fold.finish();
  };
}
