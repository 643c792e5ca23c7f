import type { ListNode, MapNode, Node } from './ast.ts';
import { ALLOCATION, spend } from './budget.ts';
import type { Compiling, Step } from './compiling.ts';
import { CelError, isError, SPENT } from './error.ts';
import { isInt } from './number.ts';
import { Optional } from './optional.ts';
import { kindOf } from './value.ts';

export function compileList(compiling: Compiling, node: ListNode): Step {
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

export function compileMap(compiling: Compiling, node: MapNode): Step {
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
