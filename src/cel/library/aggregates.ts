import { arithmetic } from '../arithmetic.ts';
import { type Budget, spend } from '../budget.ts';
import { A, listOfA, member, type Overload } from '../declaration.ts';
import { Duration } from '../duration.ts';
import { equal } from '../equality.ts';
import { CelError, isError, SPENT } from '../error.ts';
import { isNumber } from '../number.ts';
import { compare } from '../ordering.ts';
import { types } from '../type.ts';

const { bool, double, duration, int } = types;
type List = readonly unknown[];

const NOT_SUMMABLE = new CelError('invalid_argument', 'sum: the elements must be numbers or durations');
const EMPTY = new CelError('invalid_argument', 'min and max need at least one element');
const NO_ORDER = new CelError(
  'invalid_argument',
  'the elements have no order: use numbers, strings or timestamps',
);

function sum(budget: Budget, list: List): unknown {
  if (!spend(budget, 2 * list.length)) return SPENT;
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
