import { ALLOCATION, type Budget, spend } from '../budget.ts';
import { A, global, member, type Overload } from '../declaration.ts';
import { CelError, SPENT } from '../error.ts';
import { NONE, type Optional, some } from '../optional.ts';
import { types } from '../type.ts';
import { isMap, lookup } from '../value.ts';

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
