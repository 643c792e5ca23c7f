import {
  and,
  equalSums,
  type Formula,
  isNever,
  less,
  no,
  not,
  or,
  type Sum,
  sameText,
  textIs,
  truth,
  yes,
} from './formula.ts';

/** A text: a constant, or a variable. */
export type TextTerm = { readonly constant: string } | { readonly variable: string };

/** A list of texts whose order and repetitions do not matter. */
export interface TextSet {
  readonly name: string;
  has(text: TextTerm): Formula;
  readonly size: () => Sum;
}

/** Numbers by name, such as `session.toolCounts`. */
export interface Counts {
  readonly name: string;
  /** The cases of the count under a key; `missing` where the map has no such key. */
  at(key: TextTerm): Cases;
}

/** The values of an expression. Each value of the engine is one of these. */
export type Value =
  | { readonly kind: 'error' }
  /** A key or a field that is not there; never leaves the reading of it. */
  | { readonly kind: 'missing' }
  | { readonly kind: 'null' }
  | { readonly kind: 'bool'; readonly holds: Formula }
  | { readonly kind: 'number'; readonly sum: Sum }
  | { readonly kind: 'text'; readonly text: TextTerm }
  /** Seconds: since 1970 for a timestamp, else a duration. */
  | { readonly kind: 'timestamp' | 'duration'; readonly sum: Sum }
  | { readonly kind: 'texts'; readonly set: TextSet }
  | { readonly kind: 'list'; readonly elements: readonly Cases[] }
  | { readonly kind: 'counts'; readonly counts: Counts }
  /** A JSON list or map that is present. */
  | { readonly kind: 'json'; readonly is: 'list' | 'map'; readonly path: readonly string[] }
  /** A record of the subject, such as `session`. */
  | { readonly kind: 'record'; readonly name: string }
  | { readonly kind: 'some'; readonly of: Cases }
  | { readonly kind: 'none' }
  /** Not modelled: any value that is not an error. */
  | { readonly kind: 'any'; readonly key: string; readonly source: string };

/** One of the values that an expression may be, and when. */
export interface Case {
  readonly when: Formula;
  readonly value: Value;
}

/** All values of an expression: exactly one of them is the case. */
export type Cases = readonly Case[];

export const always = (value: Value): Cases => [{ when: yes, value }];
export const failure: Value = { kind: 'error' };
export const missing: Value = { kind: 'missing' };
export const bool = (holds: Formula): Value => ({ kind: 'bool', holds });
export const number = (sum: Sum): Value => ({ kind: 'number', sum });
export const constantText = (constant: string): Value => ({ kind: 'text', text: { constant } });
export const textOf = (variable: string): Value => ({ kind: 'text', text: { variable } });

/** Cases at most: an expression with more is not modelled. */
const mostCases = 48;

/** Thrown where an expression becomes too large to model; caught where it is said to be not modelled. */
export class TooLarge {}

/** The cases of `of` for each case, where that is possible at all. */
export function inEach(cases: Cases, of: (value: Value) => Cases): Cases {
  const found: Case[] = [];
  for (const one of cases) {
    for (const inner of of(one.value)) {
      const when = and(one.when, inner.when);
      if (!isNever(when)) found.push({ when, value: inner.value });
    }
  }
  return merged(found);
}

/** Joins cases of the same value. They are all cases there are: a single one is always the case. */
function merged(cases: readonly Case[]): Cases {
  const byKey = Map.groupBy(cases, ({ value }) => keyOf(value));
  if (byKey.size > mostCases) throw new TooLarge();
  const joined = [...byKey.values()].map(both);
  const [first, second] = joined as [Case, Case | undefined];
  if (second === undefined) return first === undefined ? [] : [{ when: yes, value: first.value }];
  if (joined.length > 2) return joined;
  // When it fails is mostly said in fewer words than when it does not.
  const [fails, other] = second.value.kind === 'error' ? [second, first] : [first, second];
  return [fails, { when: not(fails.when), value: other.value }];
}

function both(cases: readonly Case[]): Case {
  const [first] = cases as [Case];
  if (cases.length === 1) return first;
  const when = or(...cases.map((one) => one.when));
  if (first.value.kind !== 'bool') return { when, value: first.value };
  const holds = cases.map((one) => (one.value.kind === 'bool' ? and(one.when, one.value.holds) : no));
  return { when, value: bool(or(...holds)) };
}

/** The same only for values that are the same. All conditions share one: they are joined. */
export function keyOf(value: Value): string {
  switch (value.kind) {
    case 'number':
    case 'timestamp':
    case 'duration':
      return `${value.kind} ${JSON.stringify([value.sum.constant, ...value.sum.factors])}`;
    case 'text':
      return `text ${JSON.stringify(value.text)}`;
    case 'texts':
      return `texts ${value.set.name}`;
    case 'counts':
      return `counts ${value.counts.name}`;
    case 'json':
      return `json ${value.is} ${JSON.stringify(value.path)}`;
    case 'record':
      return `record ${value.name}`;
    case 'any':
      return `any ${value.key}`;
    case 'list':
    case 'some':
      return `${value.kind} ${identityOf(value)}`;
    default:
      return value.kind;
  }
}

const identities = new WeakMap<object, number>();
let latest = 0;
function identityOf(value: object): number {
  const known = identities.get(value) ?? ++latest;
  identities.set(value, known);
  return known;
}

/** When a condition is true, false, and neither because it fails. */
export interface Outcome {
  readonly holds: Formula;
  readonly fails: Formula;
}

/** The outcome of a condition: a value that is no bool is an error. */
export function outcomeOf(cases: Cases): Outcome {
  const holds = cases.flatMap(({ when, value }) => (value.kind === 'bool' ? [and(when, value.holds)] : []));
  const fails = cases.flatMap(({ when, value }) => (value.kind === 'bool' ? [] : [when]));
  return { holds: or(...holds), fails: or(...fails) };
}

export function casesOf({ holds, fails }: Outcome): Cases {
  return [
    { when: not(fails), value: bool(holds) },
    { when: fails, value: failure },
  ].filter(({ when }) => !isNever(when));
}

/** Whether two values are equal; null when the model cannot say. */
export function equalValues(left: Value, right: Value): Formula | null {
  if (left.kind === 'any' || right.kind === 'any') return null;
  if (left.kind === 'number' && right.kind === 'number') return equalSums(left.sum, right.sum);
  if (left.kind === 'bool' && right.kind === 'bool')
    return or(and(left.holds, right.holds), and(not(left.holds), not(right.holds)));
  if (left.kind === 'text' && right.kind === 'text') return equalTexts(left.text, right.text);
  if (
    (left.kind === 'timestamp' && right.kind === 'timestamp') ||
    (left.kind === 'duration' && right.kind === 'duration')
  )
    return equalSums(left.sum, right.sum);
  if (left.kind === 'null' || right.kind === 'null' || left.kind === 'none' || right.kind === 'none')
    return truth(left.kind === right.kind);
  if (isEmptyList(right)) return emptiness(left);
  if (isEmptyList(left)) return emptiness(right);
  const [first, second] = [familyOf(left), familyOf(right)];
  return first === second ? null : no;
}

const isEmptyList = (value: Value): boolean => value.kind === 'list' && value.elements.length === 0;

function emptiness(value: Value): Formula | null {
  if (value.kind === 'list') return truth(value.elements.length === 0);
  if (value.kind === 'texts') return equalSums(value.set.size(), { constant: 0, factors: new Map() });
  return value.kind === 'json' ? (value.is === 'map' ? no : null) : no;
}

/** Values of different families are never equal. */
function familyOf(value: Value): string {
  switch (value.kind) {
    case 'texts':
    case 'list':
      return 'list';
    case 'counts':
    case 'record':
      return 'map';
    case 'json':
      return value.is;
    case 'some':
      return 'optional';
    default:
      return value.kind;
  }
}

export function equalTexts(left: TextTerm, right: TextTerm): Formula {
  if ('constant' in left)
    return 'constant' in right
      ? truth(left.constant === right.constant)
      : textIs(right.variable, 'is', left.constant);
  return 'constant' in right
    ? textIs(left.variable, 'is', right.constant)
    : sameText(left.variable, right.variable);
}

/** `left < right` or `left <= right`; null when the model cannot say, an error value when there is no order. */
export function orderOf(left: Value, right: Value, strict: boolean): Formula | null | 'none' {
  if (left.kind === 'any' || right.kind === 'any') return null;
  if (
    (left.kind === 'number' && right.kind === 'number') ||
    (left.kind === 'timestamp' && right.kind === 'timestamp') ||
    (left.kind === 'duration' && right.kind === 'duration')
  )
    return less(left.sum, right.sum, strict);
  if (left.kind === 'bool' && right.kind === 'bool')
    return strict ? and(not(left.holds), right.holds) : or(not(left.holds), right.holds);
  return left.kind === 'text' && right.kind === 'text' ? null : 'none';
}
