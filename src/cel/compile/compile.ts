import {
  type BindNode,
  countNodes,
  type ListNode,
  type MacroName,
  type MacroNode,
  type MapNode,
  type NameNode,
  type Node,
} from '../ast.ts';
import { ALLOCATION, type Budget, LOOKUP, spend } from '../budget.ts';
import type { CheckedExpression } from '../check/check.ts';
import { CelError, isError, SPENT, Unknown } from '../error.ts';
import { sortedBy } from '../library/lists.ts';
import { isInt } from '../number.ts';
import { isMap, keysOf, kindOf, lookup, NONE, Optional, some } from '../value.ts';
import { compileAccess, compileName } from './access.ts';
import { compileCall } from './call.ts';
import { type Activation, type CompileNode, Compiling, type Step, type Variables } from './compiling.ts';
import { compileConditional, compileOperator, notBool } from './operator.ts';

function compileList(compiling: Compiling, node: ListNode): Step {
  const constants = node.elements.map(({ node: element }) => (element.kind === 'literal' ? element : null));
  if (constants.every((constant) => constant !== null)) {
    const list = Object.freeze(constants.map(({ value }) => value));
    return () => list;
  }
  const elements = node.elements.map(({ node: element, optional }) => ({
    step: compiling.step(element),
    optional,
  }));
  return (variables, budget, locals) => {
    const list: unknown[] = [];
    if (!spend(budget, elements.length + ALLOCATION)) return SPENT;
    for (const { step, optional } of elements) {
      const value = step(variables, budget, locals);
      if (isError(value)) return value;
      if (!optional) list.push(value);
      else if (!(value instanceof Optional)) return NOT_OPTIONAL;
      else if (value.present) list.push(value.value);
    }
    return list;
  };
}

const NOT_OPTIONAL = new CelError('no_such_overload', 'an element after "?" is not an optional');
const DUPLICATE = new CelError('duplicate_key', 'a key occurs twice in a map');

function compileMap(compiling: Compiling, node: MapNode): Step {
  const step = (part: Node): Step => compiling.step(part);
  const entries = node.entries.map(({ key, value }) => ({
    key: step(key),
    value: step(value.node),
    optional: value.optional,
  }));
  return (variables, budget, locals) => {
    const map = new Map<unknown, unknown>();
    if (!spend(budget, 3 * entries.length + ALLOCATION)) return SPENT;
    for (const entry of entries) {
      const key = entry.key(variables, budget, locals);
      const wrong = wrongKey(key);
      if (wrong !== null) return wrong;
      if (map.has(key)) return DUPLICATE;
      const value = entry.value(variables, budget, locals);
      if (isError(value)) return value;
      if (!entry.optional) map.set(key, value);
      else if (!(value instanceof Optional)) return NOT_OPTIONAL;
      else if (value.present) map.set(key, value.value);
    }
    return map;
  };
}

/** Why a value cannot be a key, or null when it can. */
function wrongKey(key: unknown): CelError | null {
  if (typeof key === 'string' || typeof key === 'boolean' || isInt(key)) return null;
  return isError(key) ? key : new CelError('no_such_overload', `a key of a map is ${kindOf(key)}`);
}

/** How a macro combines the results of its body. */
interface Fold {
  /** Takes the result for one element; anything but undefined ends the macro with that value. */
  visit(result: unknown, key: unknown, element: unknown): unknown;
  finish(): unknown;
}

const DUPLICATE_ENTRY = new CelError('duplicate_key', 'transformMapEntry: a key occurs twice');
const NOT_MAP = new CelError('no_such_overload', 'transformMapEntry: the body is not a map');

/** `all` and `exists`: one decisive result ends them and overrides an earlier error. */
function quantifier(decisive: boolean): Fold {
  let failure: CelError | null = null;
  return {
    visit(result) {
      if (result === decisive) return decisive;
      if (result instanceof Unknown) failure = result;
      else if (result !== !decisive) failure ??= notBool(result);
      return undefined;
    },
    finish: () => failure ?? !decisive,
  };
}

function existsOne(): Fold {
  let count = 0;
  return {
    visit(result) {
      if (result === true) count += 1;
      return result === true || result === false ? undefined : notBool(result);
    },
    finish: () => count === 1,
  };
}

function collect(): Fold {
  const list: unknown[] = [];
  return {
    visit(result) {
      if (isError(result)) return result;
      list.push(result);
      return undefined;
    },
    finish: () => list,
  };
}

function filter(): Fold {
  const list: unknown[] = [];
  return {
    visit(result, _key, element) {
      if (result === true) list.push(element);
      return result === true || result === false ? undefined : notBool(result);
    },
    finish: () => list,
  };
}

function transformMap(): Fold {
  const map = new Map<unknown, unknown>();
  return {
    visit(result, key) {
      if (isError(result)) return result;
      map.set(key, result);
      return undefined;
    },
    finish: () => map,
  };
}

function transformMapEntry(budget: Budget): Fold {
  const map = new Map<unknown, unknown>();
  return {
    visit(result) {
      if (!isMap(result)) return isError(result) ? result : NOT_MAP;
      const keys = keysOf(result);
      if (!spend(budget, 30 * keys.length)) return SPENT;
      for (const key of keys) {
        if (map.has(key)) return DUPLICATE_ENTRY;
        map.set(key, lookup(result, key));
      }
      return undefined;
    },
    finish: () => map,
  };
}

type LoopName = Exclude<MacroName, 'sortBy' | 'optMap' | 'optFlatMap'>;

const folds: Readonly<Record<LoopName, (budget: Budget) => Fold>> = {
  all: () => quantifier(false),
  exists: () => quantifier(true),
  existsOne,
  filter,
  map: collect,
  transformList: collect,
  transformMap,
  transformMapEntry,
};

function compileBind(compiling: Compiling, node: BindNode): Step {
  const slot = slotOf(compiling, node.variable);
  const value = compiling.step(node.value);
  const body = compiling.step(node.body);
  return (variables, budget, locals) => {
    // An error is bound like any other value: it does not affect a body that does not read it.
    locals[slot] = value(variables, budget, locals);
    return body(variables, budget, locals);
  };
}

function compileMacro(compiling: Compiling, node: MacroNode): Step {
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
  const stepsAKey = second === null ? 3 : 3 + LOOKUP;
  const stepsEach = countNodes(node.body) + (node.filter === null ? 0 : countNodes(node.filter)) + 1;
  return (variables, budget, locals) => {
    const found = range(variables, budget, locals);
    const isList = Array.isArray(found);
    if (!isList && !isMap(found)) return notRange(node.macro, found);
    const keys = isList ? found : keysOf(found);
    // All keys of a map are listed, even if the first one ends the macro.
    if (!spend(budget, isList ? ALLOCATION : ALLOCATION + stepsAKey * keys.length)) return SPENT;
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

/** A compiled expression, to be run any number of times. It retains nothing of the data it ran over. */
export interface Program {
  /**
   * The value of the expression, or a CelError; never throws. Takes steps from the budget; once it is spent, every
   * run returns the error `budget_spent`.
   */
  run(activation: Activation, budget: Budget): unknown;
}

// Getters of the host may throw, and so may JavaScript when a string exceeds its maximum length.
const FAILURE = new CelError('host_failure', 'a value could not be read');

/** `constants`: JSON values of variables that are the same in every activation. They are read once, now. */
export function compile(expression: CheckedExpression, constants: Activation = {}): Program {
  return new CompiledProgram(expression, constants);
}

// A class, so that all programs share one method (monomorphic calls).
class CompiledProgram implements Program {
  private readonly root: Step;
  private readonly nodeCount: number;
  private readonly slotCount: number;
  constructor(expression: CheckedExpression, constants: Activation) {
    this.root = new Compiling(expression, constants as Variables, compileNode).step(expression.root);
    this.nodeCount = expression.nodeCount;
    this.slotCount = expression.slotCount;
  }

  run(activation: Activation, budget: Budget): unknown {
    budget.left -= this.nodeCount;
    if (budget.left < 0) return SPENT;
    try {
      // Each run has its own locals, because a getter of the host may run the same program again.
      const locals = this.slotCount === 0 ? NO_LOCALS : new Array(this.slotCount);
      return this.root(activation as Variables, budget, locals);
    } catch {
      return FAILURE;
    }
  }
}

const NO_LOCALS: unknown[] = [];

const compileNode: CompileNode = (compiling, node) => {
  switch (node.kind) {
    case 'name':
      return compileName(compiling, node);
    case 'select':
    case 'index':
      return compileAccess(compiling, node);
    case 'call':
      return compileCall(compiling, node);
    case 'operator':
      return compileOperator(compiling, node);
    case 'conditional':
      return compileConditional(compiling, node);
    case 'list':
      return compileList(compiling, node);
    case 'map':
      return compileMap(compiling, node);
    case 'macro':
      return compileMacro(compiling, node);
    case 'bind':
      return compileBind(compiling, node);
  }
};
