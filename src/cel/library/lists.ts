import { arithmetic } from '../arithmetic.ts';
import { ALLOCATION, type Budget, LOOKUP, spend } from '../budget.ts';
import { compare, contains, equal } from '../comparison.ts';
import { A, global, listOfA, mapOfAToB, member, type Overload } from '../environment.ts';
import { CelError, isError, OUT_OF_RANGE, SPENT, TOO_DEEP } from '../error.ts';
import { isNumber } from '../number.ts';
import { codePointLength } from '../text-units.ts';
import { Duration } from '../time.ts';
import { types } from '../type.ts';
import { type CelMap, isMap, keysOf, lookup, NONE, type Optional, some } from '../value.ts';

const { bool, int, string, double, duration } = types;
type List = readonly unknown[];

const NO_ORDER = new CelError(
  'invalid_argument',
  'the elements have no order: use numbers, strings or timestamps',
);

/** The elements in the order of their keys; equal keys keep the order they came in. */
export function sortedBy(budget: Budget, list: List, keys: List): unknown[] | CelError {
  // Each key is compared about log2(n) times, texts to their end when they are alike.
  const rounds = Math.ceil(Math.log2(list.length + 1)) + 1;
  const size = keys.reduce((total: number, key) => total + (typeof key === 'string' ? key.length : 1), 0);
  if (!spend(budget, rounds * size + 2 * ALLOCATION)) return SPENT;
  if (keys.some((key) => compare(keys[0], key) === null)) return NO_ORDER;
  const order = list.map((_, index) => index);
  order.sort((left, right) => compare(keys[left], keys[right]) as number);
  return order.map((index) => list[index]);
}

function distinct(budget: Budget, list: List): unknown[] | CelError {
  const found: unknown[] = [];
  if (!spend(budget, ALLOCATION)) return SPENT;
  for (const element of list) {
    const known = contains(found, element, budget);
    if (isError(known)) return known;
    if (!known) found.push(element);
  }
  return found;
}

const NEGATIVE_DEPTH = new CelError('invalid_argument', 'flatten: the depth must not be negative');
// As deep as values are compared and printed, and far from a stack overflow.
const DEEPEST = 64;

function flatten(budget: Budget, list: List, depth = 1): List | CelError {
  if (depth < 0) return NEGATIVE_DEPTH;
  const flat: unknown[] = [];
  return flattenInto(flat, budget, list, depth, 0) ?? flat;
}

function flattenInto(
  flat: unknown[],
  budget: Budget,
  list: List,
  depth: number,
  level: number,
): CelError | null {
  if (level > DEEPEST) return TOO_DEEP;
  if (!spend(budget, 4 * list.length + ALLOCATION)) return SPENT;
  for (const element of list) {
    if (!Array.isArray(element) || level >= depth) flat.push(element);
    else {
      const failure = flattenInto(flat, budget, element, depth, level + 1);
      if (failure !== null) return failure;
    }
  }
  return null;
}

function slice(budget: Budget, list: List, start: number, end: number): List | CelError {
  if (start < 0 || end < start || end > list.length) return OUT_OF_RANGE;
  return spend(budget, end - start + ALLOCATION) ? list.slice(start, end) : SPENT;
}

function range(budget: Budget, count: number): List | CelError {
  if (!spend(budget, 2 * Math.max(count, 0) + ALLOCATION)) return SPENT;
  return Array.from({ length: count }, (_, index) => index);
}

/** Whether every element of the second list is in the first. */
function includesAll(budget: Budget, list: List, wanted: List): boolean | CelError {
  for (const element of wanted) {
    const found = contains(list, element, budget);
    if (found !== true) return found;
  }
  return true;
}

function equivalent(budget: Budget, left: List, right: List): boolean | CelError {
  const forth = includesAll(budget, left, right);
  return forth === true ? includesAll(budget, right, left) : forth;
}

/** Pairs of elements from which on a set of the longer list is worth its making. */
const MANY = 64;

/** Sets of lists of texts, which are made once of those in a policy; null for lists of anything else. */
const sets = new WeakMap<List, ReadonlySet<unknown> | null>();

function textsOf(list: List): ReadonlySet<unknown> | null {
  const known = sets.get(list);
  if (known !== undefined) return known;
  const set = list.every((element) => typeof element === 'string') ? new Set<unknown>(list) : null;
  sets.set(list, set);
  return set;
}

function intersects(budget: Budget, left: List, right: List): boolean | CelError {
  if (left.length * right.length >= MANY) {
    const [few, many] = left.length < right.length ? [left, right] : [right, left];
    // The same steps whether the set is known or not: a decision that is replayed takes as many.
    if (!spend(budget, many.length + LOOKUP * few.length)) return SPENT;
    const texts = textsOf(many);
    if (texts !== null && few.every((element) => typeof element === 'string'))
      return few.some((element) => texts.has(element));
  }
  for (const element of right) {
    const found = contains(left, element, budget);
    if (found !== false) return found;
  }
  return false;
}

const sizeOfText = (budget: Budget, text: string): unknown =>
  spend(budget, text.length) ? codePointLength(text) : SPENT;
const sizeOfList = (_: Budget, list: List): number => list.length;
const sizeOfMap = (budget: Budget, map: CelMap): unknown => {
  if (map instanceof Map) return map.size;
  const { length } = keysOf(map);
  return spend(budget, length) ? length : SPENT;
};

export const lists: readonly Overload[] = [
  ...[global, member].flatMap((form) => [
    form('size', [string], int, sizeOfText),
    form('size', [listOfA], int, sizeOfList),
    form('size', [mapOfAToB], int, sizeOfMap),
  ]),
  member('slice', [listOfA, int, int], listOfA, slice),
  member('flatten', [types.list(listOfA)], listOfA, flatten),
  member('flatten', [listOfA, int], types.list(types.dyn), flatten),
  member('distinct', [listOfA], listOfA, distinct),
  member('sort', [listOfA], listOfA, (budget: Budget, list: List) => sortedBy(budget, list, list)),
  member('reverse', [listOfA], listOfA, (budget: Budget, list: List) =>
    spend(budget, list.length + ALLOCATION) ? [...list].reverse() : SPENT,
  ),
  member('containsAll', [listOfA, listOfA], bool, includesAll),
  member('containsAny', [listOfA, listOfA], bool, intersects),
  member('first', [listOfA], types.optional(A), (_: Budget, list: List) =>
    list.length > 0 ? some(list[0]) : NONE,
  ),
  member('last', [listOfA], types.optional(A), (_: Budget, list: List) =>
    list.length > 0 ? some(list.at(-1)) : NONE,
  ),
  global('lists.range', [int], types.list(int), range),
  global('sets.contains', [listOfA, listOfA], bool, includesAll),
  global('sets.equivalent', [listOfA, listOfA], bool, equivalent),
  global('sets.intersects', [listOfA, listOfA], bool, intersects),
];

const NOT_SUMMABLE = new CelError('invalid_argument', 'sum: the elements must be numbers or durations');
const EMPTY = new CelError('invalid_argument', 'min and max need at least one element');

function sum(budget: Budget, list: List): unknown {
  if (!spend(budget, 4 * list.length)) return SPENT;
  let total: unknown = list[0] instanceof Duration ? new Duration(0, 0) : 0;
  for (const element of list) {
    if (!isNumber(element) && !(element instanceof Duration)) return NOT_SUMMABLE;
    total = arithmetic['+'](total, element, budget);
    if (isError(total)) return total;
  }
  return total;
}

/** Charges for comparing neighbours: texts may be alike to their end. */
function chargeOrder(budget: Budget, list: List): boolean {
  return spend(
    budget,
    list.reduce((total: number, item) => total + (typeof item === 'string' ? item.length + 2 : 2), 0),
  );
}

function extreme(budget: Budget, list: List, sign: 1 | -1): unknown {
  if (list.length === 0) return EMPTY;
  if (!chargeOrder(budget, list)) return SPENT;
  let best = list[0];
  for (const element of list) {
    const order = compare(element, best);
    if (order === null || Number.isNaN(order)) return NO_ORDER;
    if (order * sign > 0) best = element;
  }
  return best;
}

function isSorted(budget: Budget, list: List): boolean | CelError {
  if (!chargeOrder(budget, list)) return SPENT;
  for (let index = 0; index < list.length; index += 1) {
    const order = compare(list[Math.max(index - 1, 0)], list[index]);
    if (order === null) return NO_ORDER;
    if (!(order <= 0)) return false;
  }
  return true;
}

function position(budget: Budget, list: List, value: unknown, from: number, step: 1 | -1): number | CelError {
  if (!spend(budget, list.length)) return SPENT;
  for (let index = from; index >= 0 && index < list.length; index += step) {
    const same = equal(list[index], value, budget);
    if (isError(same)) return same;
    if (same) return index;
  }
  return -1;
}

export const aggregates: readonly Overload[] = [
  member('sum', [types.list(int)], int, sum),
  member('sum', [types.list(double)], double, sum),
  member('sum', [types.list(duration)], duration, sum),
  member('min', [listOfA], A, (budget: Budget, list: List) => extreme(budget, list, -1)),
  member('max', [listOfA], A, (budget: Budget, list: List) => extreme(budget, list, 1)),
  member('isSorted', [listOfA], bool, isSorted),
  member('indexOf', [listOfA, A], int, (budget: Budget, list: List, value: unknown) =>
    position(budget, list, value, 0, 1),
  ),
  member('lastIndexOf', [listOfA, A], int, (budget: Budget, list: List, value: unknown) =>
    position(budget, list, value, list.length - 1, -1),
  ),
];

const optionalOfA = types.optional(A);

const NO_VALUE = new CelError('no_value', 'value() of an optional that has none');

function isZero(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (value instanceof Map) return value.size === 0;
  if (isMap(value)) {
    for (const key in value) if (lookup(value, key) !== undefined) return false;
    return true;
  }
  return value === null || value === false || value === 0 || value === '';
}

export const optionals: readonly Overload[] = [
  global('optional.of', [A], optionalOfA, (_: Budget, value: unknown) => some(value)),
  global('optional.none', [], optionalOfA, () => NONE),
  global('optional.ofNonZeroValue', [A], optionalOfA, (budget: Budget, value: unknown) => {
    // Finding the first key makes the JavaScript engine list all of them.
    if (!spend(budget, ALLOCATION)) return SPENT;
    return isZero(value) ? NONE : some(value);
  }),
  member('hasValue', [optionalOfA], types.bool, (_: Budget, optional: Optional) => optional.present),
  member('value', [optionalOfA], A, (_: Budget, optional: Optional) =>
    optional.present ? optional.value : NO_VALUE,
  ),
];
