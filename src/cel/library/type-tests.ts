import type { Budget } from '../budget.ts';
import { A, global, type Overload } from '../declaration.ts';
import { Duration } from '../duration.ts';
import { isInt, isNumber } from '../number.ts';
import { Optional } from '../optional.ts';
import { Timestamp } from '../timestamp.ts';
import { types } from '../type.ts';
import { typeOfValue, typeValues } from '../type-value.ts';
import { isMap } from '../value.ts';

const { bool, double, int, type } = types;

/** An optional is what it contains, so that `isString(input.?to)` asks about the field; an empty one is nothing. */
const test = (name: string, holds: (value: unknown) => boolean): Overload =>
  global(name, [A], bool, (_: Budget, value: unknown) =>
    value instanceof Optional ? value.present && holds(value.value) : holds(value),
  );

export const typeTests: readonly Overload[] = [
  global('type', [int], type, () => typeValues.get('int')),
  global('type', [double], type, () => typeValues.get('double')),
  global('type', [A], type, (_: Budget, value: unknown) => typeOfValue(value)),
  test('isBool', (value) => typeof value === 'boolean'),
  test('isInt', isInt),
  test('isNumber', isNumber),
  test('isString', (value) => typeof value === 'string'),
  test('isList', Array.isArray),
  test('isMap', isMap),
  test('isNull', (value) => value === null),
  test('isTimestamp', (value) => value instanceof Timestamp),
  test('isDuration', (value) => value instanceof Duration),
];
