import { compilePattern, createBudget, defaultLimits, matches } from '../../cel/index.ts';

/** A sum of variables that stand for numbers: `constant + factor × variable + …`. */
export interface Sum {
  readonly constant: number;
  readonly factors: ReadonlyMap<string, number>;
}

/** How a text is compared with a constant. */
export type TextTest = 'is' | 'begins' | 'ends' | 'contains' | 'matches';

/** The parts of a formula. `key` is the same exactly when the atom is. */
export type Atom =
  /** A fact that is true or false. */
  | { readonly kind: 'flag'; readonly key: string; readonly name: string }
  /** `sum <= 0`, or `sum < 0`. */
  | { readonly kind: 'order'; readonly key: string; readonly sum: Sum; readonly strict: boolean }
  /** `sum == 0`. */
  | { readonly kind: 'zero'; readonly key: string; readonly sum: Sum }
  /** A text variable compared with a constant. */
  | {
      readonly kind: 'text';
      readonly key: string;
      readonly name: string;
      readonly test: TextTest;
      readonly value: string;
    }
  /** Two text variables are equal. */
  | { readonly kind: 'same'; readonly key: string; readonly name: string; readonly other: string };

export type Formula =
  | { readonly kind: 'constant'; readonly value: boolean }
  | { readonly kind: 'atom'; readonly atom: Atom }
  | { readonly kind: 'not'; readonly of: Formula }
  | {
      readonly kind: 'and' | 'or';
      readonly parts: readonly Formula[];
      /** The same for the same parts; null for a long one. */
      readonly key: string | null;
    };

export const yes: Formula = { kind: 'constant', value: true };
export const no: Formula = { kind: 'constant', value: false };
export const truth = (value: boolean): Formula => (value ? yes : no);

const isConstant = (formula: Formula, value: boolean): boolean =>
  formula.kind === 'constant' && formula.value === value;
export const isNever = (formula: Formula): boolean => isConstant(formula, false);
export const isAlways = (formula: Formula): boolean => isConstant(formula, true);

/** A formula has one negation, so that work done for it is found again. */
export function not(formula: Formula): Formula {
  if (formula.kind === 'constant') return truth(!formula.value);
  if (formula.kind === 'not') return formula.of;
  const known = negations.get(formula) ?? { kind: 'not', of: formula };
  negations.set(formula, known);
  return known;
}
const negations = new WeakMap<Formula, Formula>();

export const and = (...parts: readonly Formula[]): Formula => joined('and', parts);
export const or = (...parts: readonly Formula[]): Formula => joined('or', parts);
export const implies = (premise: Formula, conclusion: Formula): Formula => or(not(premise), conclusion);

function joined(kind: 'and' | 'or', parts: readonly Formula[]): Formula {
  const neutral = kind === 'and';
  const decisive = parts.find((part) => isConstant(part, !neutral));
  if (decisive) return decisive;
  const flat = new Map<Formula | string, Formula>();
  for (const one of parts.flatMap((part) => (part.kind === kind ? part.parts : [part]))) {
    if (one.kind === 'constant') continue;
    const key = keyOf(one);
    if (key !== null && flat.has(opposite(key))) return truth(!neutral);
    flat.set(key ?? one, one);
  }
  const [first = truth(neutral)] = flat.values();
  return flat.size < 2 ? first : { kind, parts: [...flat.values()], key: joinedKey(kind, [...flat.keys()]) };
}

const longestKey = 400;

function joinedKey(kind: string, keys: readonly (Formula | string)[]): string | null {
  if (!keys.every((key) => typeof key === 'string')) return null;
  const key = `(${kind} ${keys.join(', ')})`;
  return key.length > longestKey ? null : key;
}

const opposite = (literal: string): string => (literal.startsWith('!') ? literal.slice(1) : `!${literal}`);

function keyOf(formula: Formula): string | null {
  if (formula.kind === 'atom') return formula.atom.key;
  if (formula.kind === 'constant') return String(formula.value);
  if (formula.kind !== 'not') return formula.key;
  const inner = keyOf(formula.of);
  return inner === null ? null : `!${inner}`;
}

const atom = (one: Atom): Formula => ({ kind: 'atom', atom: one });

export const flag = (name: string): Formula => atom({ kind: 'flag', key: `flag ${name}`, name });

export function textIs(name: string, test: TextTest, value: string): Formula {
  return atom({ kind: 'text', key: `${test} ${JSON.stringify([name, value])}`, name, test, value });
}

export function sameText(one: string, two: string): Formula {
  if (one === two) return yes;
  const [name, other] = one < two ? [one, two] : [two, one];
  return atom({ kind: 'same', key: `same ${JSON.stringify([name, other])}`, name, other });
}

export const constantSum = (constant: number): Sum => ({ constant, factors: new Map() });
export const variable = (name: string): Sum => ({ constant: 0, factors: new Map([[name, 1]]) });

/** `left + factor × right`. */
export function plus(left: Sum, right: Sum, factor = 1): Sum {
  const factors = new Map(left.factors);
  for (const [name, its] of right.factors) {
    const sum = (factors.get(name) ?? 0) + factor * its;
    if (sum === 0) factors.delete(name);
    else factors.set(name, sum);
  }
  return { constant: left.constant + factor * right.constant, factors };
}

export const times = (sum: Sum, factor: number): Sum => plus(constantSum(0), sum, factor);

const keyOfSum = ({ constant, factors }: Sum): string =>
  JSON.stringify([constant, ...[...factors].sort(([one], [two]) => (one < two ? -1 : 1))]);

/** `left < right`, or `left <= right`. */
export function less(left: Sum, right: Sum, strict: boolean): Formula {
  const sum = plus(left, right, -1);
  if (sum.factors.size === 0) return truth(strict ? sum.constant < 0 : sum.constant <= 0);
  return atom({ kind: 'order', key: `${strict ? '<' : '<='} ${keyOfSum(sum)}`, sum, strict });
}

export function equalSums(left: Sum, right: Sum): Formula {
  const difference = plus(left, right, -1);
  if (difference.factors.size === 0) return truth(difference.constant === 0);
  const first = [...difference.factors].sort(([one], [two]) => (one < two ? -1 : 1))[0] as [string, number];
  const sum = first[1] < 0 ? times(difference, -1) : difference;
  return atom({ kind: 'zero', key: `zero ${keyOfSum(sum)}`, sum });
}

/** The atoms of formulas. Parts that are shared are looked at once. */
export function atomsIn(formulas: readonly Formula[]): Atom[] {
  const atoms = new Map<string, Atom>();
  const seen = new Set<Formula>();
  const open = [...formulas];
  for (let formula = open.pop(); formula !== undefined; formula = open.pop()) {
    if (seen.has(formula)) continue;
    seen.add(formula);
    if (formula.kind === 'atom') atoms.set(formula.atom.key, formula.atom);
    else if (formula.kind === 'not') open.push(formula.of);
    else if (formula.kind !== 'constant') open.push(...formula.parts);
  }
  return [...atoms.values()];
}

/** The variables of formulas, flags included. */
export const variablesIn = (formulas: readonly Formula[]): Set<string> =>
  new Set(atomsIn(formulas).flatMap(variablesOf));

function variablesOf(atom: Atom): readonly string[] {
  if (atom.kind === 'order' || atom.kind === 'zero') return [...atom.sum.factors.keys()];
  return atom.kind === 'same' ? [atom.name, atom.other] : [atom.name];
}

/** The same formula of other variables. Parts that are shared are renamed once. */
export function renamed(formula: Formula, rename: (name: string) => string): Formula {
  const known = new Map<Formula, Formula>();
  const sumOf = ({ constant, factors }: Sum): Sum => ({
    constant,
    factors: new Map([...factors].map(([name, factor]) => [rename(name), factor])),
  });
  const zero = constantSum(0);
  const ofAtom = (one: Atom): Formula => {
    switch (one.kind) {
      case 'flag':
        return flag(rename(one.name));
      case 'order':
        return less(sumOf(one.sum), zero, one.strict);
      case 'zero':
        return equalSums(sumOf(one.sum), zero);
      case 'text':
        return textIs(rename(one.name), one.test, one.value);
      case 'same':
        return sameText(rename(one.name), rename(one.other));
    }
  };
  const of = (one: Formula): Formula => {
    if (one.kind === 'constant') return one;
    const before = known.get(one);
    if (before) return before;
    const found =
      one.kind === 'atom'
        ? ofAtom(one.atom)
        : one.kind === 'not'
          ? not(of(one.of))
          : joined(one.kind, one.parts.map(of));
    known.set(one, found);
    return found;
  };
  return of(formula);
}

/** The values of all variables of a formula. */
export interface Model {
  readonly flags: ReadonlyMap<string, boolean>;
  readonly numbers: ReadonlyMap<string, number>;
  readonly texts: ReadonlyMap<string, string>;
}

/** Whether formulas are all true in a model; what the model does not name is false, 0 or an empty text. */
export function allHold(formulas: readonly Formula[], model: Model): boolean {
  const known = new Map<Formula, boolean>();
  const holds = (formula: Formula): boolean => {
    const before = known.get(formula);
    if (before !== undefined) return before;
    const value = of(formula);
    known.set(formula, value);
    return value;
  };
  const of = (formula: Formula): boolean => {
    switch (formula.kind) {
      case 'constant':
        return formula.value;
      case 'atom':
        return atomHolds(formula.atom, model);
      case 'not':
        return !holds(formula.of);
      case 'and':
        return formula.parts.every(holds);
      case 'or':
        return formula.parts.some(holds);
    }
  };
  return formulas.every(holds);
}

function atomHolds(atom: Atom, { flags, numbers, texts }: Model): boolean {
  switch (atom.kind) {
    case 'flag':
      return flags.get(atom.name) ?? false;
    case 'order':
    case 'zero': {
      let sum = atom.sum.constant;
      for (const [name, factor] of atom.sum.factors) sum += factor * (numbers.get(name) ?? 0);
      return atom.kind === 'zero' ? sum === 0 : atom.strict ? sum < 0 : sum <= 0;
    }
    case 'text':
      return passes(texts.get(atom.name) ?? '', atom.test, atom.value);
    case 'same':
      return (texts.get(atom.name) ?? '') === (texts.get(atom.other) ?? '');
  }
}

export function passes(text: string, test: TextTest, value: string): boolean {
  switch (test) {
    case 'is':
      return text === value;
    case 'begins':
      return text.startsWith(value);
    case 'ends':
      return text.endsWith(value);
    case 'contains':
      return text.includes(value);
    case 'matches':
      return matchesPattern(text, value);
  }
}

/** Patterns of a checked expression compile. */
function matchesPattern(text: string, source: string): boolean {
  const compiled = compilePattern(source, defaultLimits);
  return compiled.ok && matches(text, compiled.pattern, createBudget()) === true;
}
