import { type Budget, spend } from '../budget.ts';
import { global, globalExact, type Overload } from '../environment.ts';
import { CelError, SPENT } from '../error.ts';
import { asInt, type CelNumber, isNumber } from '../number.ts';
import { type CelType, commonType, types } from '../type.ts';

const { bool, double, int } = types;

const NO_NUMBERS = new CelError('invalid_argument', 'math.least and math.greatest need at least one number');
const NOT_NUMBERS = new CelError('no_such_overload', 'math.least and math.greatest take numbers');

function extreme(
  budget: Budget,
  values: readonly unknown[],
  isBetter: (a: CelNumber, b: CelNumber) => boolean,
): unknown {
  if (!spend(budget, values.length)) return SPENT;
  let best: CelNumber | CelError = NO_NUMBERS;
  for (const value of values) {
    if (!isNumber(value)) return NOT_NUMBERS;
    if (!isNumber(best) || isBetter(value, best)) best = value;
  }
  return best;
}

const MOST_ARGUMENTS = 4;

/** Every row of `count` numbers of either kind: all int, all double, then the mixed ones. */
function rows(count: number): (typeof int | typeof double)[][] {
  const all = Array.from({ length: 2 ** count }, (_, bits) =>
    Array.from({ length: count }, (_, place) => ((bits >> place) & 1 ? double : int)),
  );
  return [...all.slice(0, 1), ...all.slice(-1), ...all.slice(1, -1)];
}

/** One number or list of numbers, or two to four numbers of any kinds. */
function extremes(name: string, isBetter: (a: CelNumber, b: CelNumber) => boolean): Overload[] {
  const of = (params: readonly CelType[], result: CelType): Overload =>
    globalExact(name, params, result, (budget: Budget, ...values: unknown[]) =>
      extreme(budget, values, isBetter),
    );
  const ofList = (element: CelType): Overload =>
    globalExact(name, [types.list(element)], element, (budget: Budget, list: unknown[]) =>
      extreme(budget, list, isBetter),
    );
  const overloads = [ofList(int), ofList(double)];
  for (let count = 1; count <= MOST_ARGUMENTS; count += 1) {
    for (const row of rows(count)) overloads.push(of(row, commonType(row)));
  }
  return overloads;
}

const onDouble = (name: string, result: CelType, run: (value: number) => unknown): Overload =>
  global(name, [double], result, (_: Budget, value: number) => run(value));
const onInt = (name: string, run: (value: number) => unknown): Overload =>
  global(name, [int], int, (_: Budget, value: number) => run(value));

/** Rounds halves away from zero, as the math extension specifies; Math.round rounds them up. */
const round = (value: number): number => Math.sign(value) * Math.round(Math.abs(value));

export const math: readonly Overload[] = [
  ...extremes('math.least', (a, b) => a < b),
  ...extremes('math.greatest', (a, b) => a > b),
  onDouble('math.ceil', double, Math.ceil),
  onDouble('math.floor', double, Math.floor),
  onDouble('math.round', double, round),
  onDouble('math.trunc', double, Math.trunc),
  globalExact('math.abs', [int], int, (_: Budget, value: CelNumber) => (value < 0 ? asInt(-value) : value)),
  onDouble('math.abs', double, Math.abs),
  onInt('math.sign', Math.sign),
  onDouble('math.sign', double, Math.sign),
  onDouble('math.isNaN', bool, Number.isNaN),
  onDouble('math.isInf', bool, (value) => Math.abs(value) === Number.POSITIVE_INFINITY),
  onDouble('math.isFinite', bool, Number.isFinite),
];
