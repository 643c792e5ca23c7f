import type { Node, Operator } from '../../cel/ast.ts';
import { type CheckedExpression, Duration, Optional, Timestamp } from '../../cel/index.ts';
import { severities } from '../../schemas/words.ts';
import { partsOfTime } from '../analysis/bounds.ts';
import {
  and,
  constantSum,
  type Formula,
  isAlways,
  less,
  no,
  not,
  or,
  plus,
  type Sum,
  times,
  truth,
} from './formula.ts';
import { literal } from './subject-model.ts';
import { anyNumber, type NumberRange, natural } from './symbols.ts';
import {
  always,
  bool,
  type Cases,
  constantText,
  equalTexts,
  equalValues,
  failure,
  inEach,
  keyOf,
  number,
  type Outcome,
  orderOf,
  type Value,
} from './value.ts';

// The operators and functions of the engine, on values of the model. Null where the model has no answer.

export const failing = (cases: Cases): Formula =>
  or(...cases.filter(({ value }) => value.kind === 'error').map(({ when }) => when));

export const isCollection = ({ kind }: Value): boolean =>
  kind === 'json' || kind === 'counts' || kind === 'record';

/** An error for a value of the wrong kind; null for one that is not modelled. */
export const failed = (value: Value): Cases | null => (value.kind === 'any' ? null : always(failure));

/** Has no stack: it is thrown often. */
class NotModelled {}
const notModelled = new NotModelled();

export function eachOrNull(cases: Cases, of: (value: Value) => Cases | null): Cases | null {
  try {
    return inEach(cases, (value) => {
      const found = of(value);
      if (found === null) throw notModelled;
      return found;
    });
  } catch (error) {
    if (error instanceof NotModelled) return null;
    throw error;
  }
}

export const inBothOrNull = (
  left: Cases,
  right: Cases,
  of: (one: Value, two: Value) => Cases | null,
): Cases | null => eachOrNull(left, (one) => eachOrNull(right, (two) => of(one, two)));

/** As `and` and `or` of the compiler: one side that decides makes an error of the other one irrelevant. */
export function joined(operator: '&&' | '||', one: Outcome, two: Outcome): Outcome {
  const fails = or(one.fails, two.fails);
  if (operator === '||') {
    const holds = or(one.holds, two.holds);
    return { holds, fails: and(fails, not(holds)) };
  }
  const isFalse = or(...[one, two].map((side) => and(not(side.holds), not(side.fails))));
  return { holds: and(one.holds, two.holds), fails: isAlways(isFalse) ? no : and(fails, not(isFalse)) };
}

export const isOrder = (operator: Operator): operator is '<' | '<=' | '>' | '>=' =>
  operator === '<' || operator === '<=' || operator === '>' || operator === '>=';

export function ordered(operator: '<' | '<=' | '>' | '>=', one: Value, two: Value): Cases | null {
  if (one.kind === 'error' || two.kind === 'error') return always(failure);
  const strict = operator === '<' || operator === '>';
  const order = operator.startsWith('<') ? orderOf(one, two, strict) : orderOf(two, one, strict);
  if (order === 'none') return always(failure);
  return order && always(bool(order));
}

export function isIn(element: Value, container: Value): Cases | null {
  if (element.kind === 'error' || container.kind === 'error') return always(failure);
  switch (container.kind) {
    case 'texts':
      if (element.kind === 'any') return null;
      return always(bool(element.kind === 'text' ? container.set.has(element.text) : no));
    case 'list':
      return inList(element, container.elements);
    case 'counts':
      return element.kind === 'text'
        ? inEach(container.counts.at(element.text), (value) => always(bool(truth(value.kind !== 'missing'))))
        : null;
    case 'json':
    case 'record':
    case 'any':
      return null;
    default:
      return always(failure);
  }
}

function inList(element: Value, elements: readonly Cases[]): Cases | null {
  const same: Formula[] = [];
  for (const { when, value } of elements.flat()) {
    const equal = equalValues(element, value);
    if (equal === null) return null;
    same.push(and(when, equal));
  }
  return always(bool(or(...same)));
}

/** `xs.containsAny(ys)` and `xs.containsAll(ys)`, where one of them is a list of known texts. */
export function contained(isAny: boolean, list: Value, wanted: Value): Cases | null {
  if (list.kind === 'error' || wanted.kind === 'error') return always(failure);
  if (list.kind === 'texts' && wanted.kind === 'list') {
    const each = wanted.elements.map((cases) =>
      or(
        ...cases.map(({ when, value }) => (value.kind === 'text' ? and(when, list.set.has(value.text)) : no)),
      ),
    );
    if (wanted.elements.flat().some(({ value }) => value.kind === 'any')) return null;
    return always(bool(isAny ? or(...each) : and(...each)));
  }
  if (isAny && list.kind === 'list' && wanted.kind === 'texts') return contained(true, wanted, list);
  const kinds = ['texts', 'list', 'json', 'any'];
  return kinds.includes(list.kind) && kinds.includes(wanted.kind) ? null : always(failure);
}

/** A number times or divided by a constant; null for everything else. */
function scaled(
  operator: Operator,
  one: Extract<Value, { kind: 'number' }>,
  two: Extract<Value, { kind: 'number' }>,
  areInts: boolean,
): Sum | null {
  const [left, right] = [one.sum, two.sum];
  if (operator === '*') {
    if (right.factors.size === 0) return times(left, right.constant);
    return left.factors.size === 0 ? times(right, left.constant) : null;
  }
  if (operator !== '/' || areInts || right.factors.size > 0 || right.constant === 0) return null;
  return times(left, 1 / right.constant);
}

export const textTests: Readonly<Record<string, 'begins' | 'ends' | 'contains'>> = {
  startsWith: 'begins',
  endsWith: 'ends',
  contains: 'contains',
};

export const kindTests: Readonly<Record<string, (value: Value) => boolean>> = {
  isBool: ({ kind }) => kind === 'bool',
  isNumber: ({ kind }) => kind === 'number',
  isString: ({ kind }) => kind === 'text',
  isList: (value) =>
    value.kind === 'list' || value.kind === 'texts' || (value.kind === 'json' && value.is === 'list'),
  isMap: (value) =>
    value.kind === 'record' || value.kind === 'counts' || (value.kind === 'json' && value.is === 'map'),
  isNull: ({ kind }) => kind === 'null',
};

const ranks: readonly string[] = severities;

export function rankOf(value: Value): Cases | null {
  if (value.kind !== 'text') return failed(value);
  const { text } = value;
  const known = ranks.map((word) => equalTexts(text, { constant: word }));
  return [
    ...known.map((when, place) => ({ when, value: number(constantSum(place + 1)) })),
    { when: not(or(...known)), value: failure },
  ];
}

/** The numbers that a call may give. Those of an untyped input need not be integers. */
export function rangeOf(node: Node, types: CheckedExpression['types']): NumberRange {
  if (node.kind !== 'call') return anyNumber;
  if (node.name === 'size') return natural;
  if (node.name === 'severityRank') return { isInt: true, low: 0, high: ranks.length };
  if (node.target === null || types.get(node.target)?.kind !== 'timestamp') return anyNumber;
  const range = partsOfTime[node.name];
  return range ? { isInt: true, ...range } : anyNumber;
}

/** A value of the engine that is known. */
export function casesOfValue(value: unknown): Cases | null {
  if (value instanceof Timestamp || value instanceof Duration)
    return always({
      kind: value instanceof Timestamp ? 'timestamp' : 'duration',
      sum: constantSum(value.seconds + value.nanos / 1e9),
    });
  if (value instanceof Optional) {
    if (!value.present) return always({ kind: 'none' });
    const inner = casesOfValue(value.value);
    return inner && always({ kind: 'some', of: inner });
  }
  if (Array.isArray(value)) {
    const elements = value.map(casesOfValue);
    return elements.includes(null) ? null : always({ kind: 'list', elements: elements as Cases[] });
  }
  const found = literal(value);
  return found && always(found);
}

/** The sums that arithmetic makes of the variables of a proof. */
export interface Arithmetic {
  /** The numbers that a sum of variables may be. */
  rangeOf(sum: Sum): { low: number; high: number };
  /** The text of two texts joined, which is not modelled: the same for the same two. */
  joined(key: string): Value;
}

export function arithmetic(
  operator: Operator,
  [one, two]: readonly [Value, Value],
  areInts: boolean,
  variables: Arithmetic,
): Cases | null {
  if (one.kind === 'error' || two.kind === 'error') return always(failure);
  if (one.kind === 'any' || two.kind === 'any') return null;
  const isSum = operator === '+' || operator === '-';
  if (one.kind === 'number' && two.kind === 'number') {
    const sum = isSum
      ? plus(one.sum, two.sum, operator === '-' ? -1 : 1)
      : scaled(operator, one, two, areInts);
    return sum && (areInts ? withinIntegers(sum, variables) : always(number(sum)));
  }
  if (!isSum) return one.kind === 'number' || two.kind === 'number' ? always(failure) : null;
  return timesOf(operator, one, two) ?? textsOf(operator, one, two, variables);
}

/** Sums and differences of moments and lengths of time; null for anything else. */
function timesOf(operator: '+' | '-', one: Value, two: Value): Cases | null {
  if (!('sum' in one) || !('sum' in two)) return null;
  const kind = kindsOfTimes[`${one.kind} ${operator} ${two.kind}`];
  if (kind === undefined) return always(failure);
  return always({ kind, sum: plus(one.sum, two.sum, operator === '-' ? -1 : 1) });
}

const kindsOfTimes: Readonly<Record<string, 'timestamp' | 'duration'>> = {
  'timestamp + duration': 'timestamp',
  'duration + timestamp': 'timestamp',
  'timestamp - duration': 'timestamp',
  'duration + duration': 'duration',
  'duration - duration': 'duration',
  'timestamp - timestamp': 'duration',
};

function textsOf(operator: '+' | '-', one: Value, two: Value, variables: Arithmetic): Cases {
  if (one.kind === 'text' && two.kind === 'text') {
    if (operator === '-') return always(failure);
    const [left, right] = [one.text, two.text];
    if ('constant' in left && 'constant' in right)
      return always(constantText(left.constant + right.constant));
    return always(variables.joined(`${keyOf(one)} ${keyOf(two)}`));
  }
  // The elements of joined lists are not modelled.
  return operator === '+' && isListed(one) && isListed(two)
    ? always({ kind: 'json', is: 'list', path: ['joined', keyOf(one), keyOf(two)] })
    : always(failure);
}

const isListed = (value: Value): boolean =>
  value.kind === 'list' || value.kind === 'texts' || (value.kind === 'json' && value.is === 'list');

/** Beyond 64 bits, an operation on integers is an error. */
function withinIntegers(sum: Sum, variables: Arithmetic): Cases {
  const most = constantSum(2 ** 63);
  const range = variables.rangeOf(sum);
  if (range.high < 2 ** 63 && range.low >= -(2 ** 63)) return always(number(sum));
  const fails = or(less(most, sum, false), less(sum, times(most, -1), true));
  return [
    { when: not(fails), value: number(sum) },
    { when: fails, value: failure },
  ];
}
