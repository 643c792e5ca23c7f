import type { MacroName } from './ast.ts';
import { type Budget, spend } from './budget.ts';
import { notBool } from './compile-logic.ts';
import { CelError, isError, SPENT } from './error.ts';
import { isMap, keysOf, lookup } from './value.ts';

/** What a macro does with the results of its body. */
export interface Fold {
  /** Takes the result for one element; anything but undefined ends the macro with that value. */
  visit(result: unknown, key: unknown, element: unknown): unknown;
  finish(): unknown;
}

const DUPLICATE = new CelError('duplicate_key', 'transformMapEntry: a key occurs twice');
const NOT_MAP = new CelError('no_such_overload', 'transformMapEntry: the body is not a map');

/** `all` and `exists`: one decisive result ends them and overrides an earlier error. */
function quantifier(decisive: boolean): Fold {
  let failure: CelError | null = null;
  return {
    visit(result) {
      if (result === decisive) return decisive;
      if (result !== !decisive) failure ??= notBool(result);
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
      if (!spend(budget, 6 * keys.length)) return SPENT;
      for (const key of keys) {
        if (map.has(key)) return DUPLICATE;
        map.set(key, lookup(result, key));
      }
      return undefined;
    },
    finish: () => map,
  };
}

export type LoopName = Exclude<MacroName, 'sortBy' | 'optMap' | 'optFlatMap'>;

export const folds: Readonly<Record<LoopName, (budget: Budget) => Fold>> = {
  all: () => quantifier(false),
  exists: () => quantifier(true),
  existsOne,
  filter,
  map: collect,
  transformList: collect,
  transformMap,
  transformMapEntry,
};
