import {
  type Atom,
  allHold,
  and,
  type Formula,
  isAlways,
  isNever,
  type Model,
  not,
  or,
  passes,
  plus,
  type Sum,
  times,
  truth,
} from './formula.ts';
import { anyNumber, type Symbols } from './symbols.ts';

/** Whether formulas can all be true, as far as intervals and finite sets can say. */
export type Answer =
  | { readonly kind: 'never' }
  /** They are true in this model, which was checked. */
  | { readonly kind: 'sometimes'; readonly model: Model }
  | { readonly kind: 'unknown' };

/** The work that may still be done. */
export interface Steps {
  left: number;
}

class OutOfSteps {}

/** Looks for a model of formulas. `never` is certain; where neither is found in time, the answer is `unknown`. */
export function solve(formulas: readonly Formula[], symbols: Symbols, steps: Steps): Answer {
  const search = new Search(symbols, steps);
  try {
    const model = search.run([...formulas], new State(symbols));
    if (model !== null) return { kind: 'sometimes', model };
    return { kind: search.isComplete ? 'never' : 'unknown' };
  } catch (error) {
    if (error instanceof OutOfSteps) return { kind: 'unknown' };
    throw error;
  }
}

interface Interval {
  readonly low: number;
  readonly high: number;
  readonly lowOpen: boolean;
  readonly highOpen: boolean;
}

interface TextState {
  readonly is: string | null;
  readonly not: ReadonlySet<string>;
}

const anyText: TextState = { is: null, not: new Set() };

/** The facts on one path of the search. Copied when the search divides. */
class State {
  readonly symbols: Symbols;
  readonly literals: Map<string, { atom: Atom; value: boolean }>;
  readonly numbers: Map<string, Interval>;
  readonly texts: Map<string, TextState>;
  readonly simplified = new Map<Formula, Formula>();

  constructor(symbols: Symbols, from?: State) {
    this.symbols = symbols;
    this.literals = new Map(from?.literals);
    this.numbers = new Map(from?.numbers);
    this.texts = new Map(from?.texts);
  }

  interval(name: string): Interval {
    const known = this.numbers.get(name);
    if (known) return known;
    const { low, high } = this.symbols.numbers.get(name) ?? anyNumber;
    return { low, high, lowOpen: false, highOpen: false };
  }

  text(name: string): TextState {
    return this.texts.get(name) ?? anyText;
  }
}

class Search {
  isComplete = true;
  readonly #symbols: Symbols;
  readonly #steps: Steps;

  constructor(symbols: Symbols, steps: Steps) {
    this.#symbols = symbols;
    this.#steps = steps;
  }

  #spend(steps: number): void {
    this.#steps.left -= steps;
    if (this.#steps.left < 0) throw new OutOfSteps();
  }

  /** A model in which all open formulas are true, or null. */
  run(formulas: readonly Formula[], state: State): Model | null {
    let open = [...formulas];
    for (;;) {
      const found = this.#assertUnits(open, state);
      if (found === null) return null;
      open = found.open;
      if (!found.changed) break;
    }
    const choice = smallest(open);
    if (choice === null) return this.#modelOf(formulas, state);
    const rest = open.filter((formula) => formula !== choice);
    const [first, ...others] = choice.parts as [Formula, ...Formula[]];
    const one = this.run([first, ...rest], new State(this.#symbols, state));
    if (one !== null) return one;
    return this.run([not(first), or(...others), ...rest], state);
  }

  /** Simplifies by what is known, and notes each part that must be true; null for a contradiction. */
  #assertUnits(formulas: readonly Formula[], state: State): { open: Formula[]; changed: boolean } | null {
    const open: Formula[] = [];
    let changed = false;
    const queue = [...formulas];
    for (let formula = queue.pop(); formula !== undefined; formula = queue.pop()) {
      const known = this.#simplify(formula, state);
      if (isNever(known)) return null;
      if (isAlways(known)) continue;
      if (known.kind === 'and') queue.push(...known.parts);
      else if (known.kind === 'atom' || (known.kind === 'not' && known.of.kind === 'atom')) {
        const atom = known.kind === 'atom' ? known.atom : ((known.of as { atom: Atom }).atom as Atom);
        if (!this.#assert(atom, known.kind === 'atom', state)) return null;
        changed = true;
      } else open.push(known);
    }
    return { open, changed };
  }

  #simplify(formula: Formula, state: State): Formula {
    if (formula.kind === 'constant') return formula;
    // A formula that was simplified by fewer facts is still the same formula.
    const before = state.simplified.get(formula);
    if (before !== undefined) return before;
    this.#spend(1);
    const simplified = this.#simplified(formula, state);
    state.simplified.set(formula, simplified);
    return simplified;
  }

  #simplified(formula: Exclude<Formula, { kind: 'constant' }>, state: State): Formula {
    switch (formula.kind) {
      case 'atom': {
        const known = this.#truthOf(formula.atom, state);
        return known === null ? formula : truth(known);
      }
      case 'not': {
        const inner = formula.of;
        // Brought to the atoms, so that each part of a negated choice is seen.
        if (inner.kind === 'and') return this.#simplify(or(...inner.parts.map(not)), state);
        if (inner.kind === 'or') return this.#simplify(and(...inner.parts.map(not)), state);
        return not(this.#simplify(inner, state));
      }
      case 'and':
      case 'or': {
        const parts: Formula[] = [];
        this.#spend(formula.parts.length);
        for (const part of formula.parts) {
          const known = this.#simplify(part, state);
          if (known.kind === 'constant' && known.value === (formula.kind === 'or')) return known;
          parts.push(known);
        }
        return formula.kind === 'and' ? and(...parts) : or(...parts);
      }
    }
  }

  /** Null when it can still be either. */
  #truthOf(atom: Atom, state: State): boolean | null {
    const literal = state.literals.get(atom.key);
    if (literal) return literal.value;
    switch (atom.kind) {
      case 'flag':
        return null;
      case 'order':
        return orderIn(this.#rangeOf(atom.sum, state), atom.strict);
      case 'zero':
        return zeroIn(this.#rangeOf(atom.sum, state));
      case 'text':
        return this.#testOf(atom, state);
      case 'same':
        return sameIn(state.text(atom.name), state.text(atom.other));
    }
  }

  /** The range of a sum that its variables, and comparisons of the same sum, leave. */
  #rangeOf(sum: Sum, state: State): Interval {
    let range = rangeOf(sum, state);
    if (sum.factors.size < 2) return range;
    for (const { atom, value } of state.literals.values()) {
      if (atom.kind !== 'order' && atom.kind !== 'zero') continue;
      if (atom.sum.factors.size !== sum.factors.size) continue;
      this.#spend(1);
      for (const { sum: limit, strict } of limitsOf(atom, value)) {
        const above = plus(sum, limit, -1);
        if (above.factors.size === 0) range = lowered(range, above.constant, strict, false);
        const below = plus(sum, limit);
        if (below.factors.size === 0) range = raised(range, below.constant, strict, false);
      }
    }
    return range;
  }

  #testOf(atom: Extract<Atom, { kind: 'text' }>, state: State): boolean | null {
    const { is, not: excluded } = state.text(atom.name);
    if (is !== null) return passes(is, atom.test, atom.value);
    if (atom.test !== 'is') return this.#byOthers(atom, state);
    const domain = this.#symbols.domains.get(atom.name);
    return excluded.has(atom.value) || (domain && !domain.includes(atom.value)) ? false : null;
  }

  /** A text that begins with `ab` begins with `a` and not with `b`; likewise its end. */
  #byOthers(atom: Extract<Atom, { kind: 'text' }>, state: State): boolean | null {
    for (const { atom: other, value } of state.literals.values()) {
      if (!value || other.kind !== 'text' || other.name !== atom.name || other.test === 'is') continue;
      if (other.test === 'matches' || atom.test === 'matches') continue;
      if (atom.test === 'contains' && other.value.includes(atom.value)) return true;
      if (other.test !== atom.test || atom.test === 'contains') continue;
      const fits = (text: string, part: string) =>
        atom.test === 'begins' ? text.startsWith(part) : text.endsWith(part);
      if (fits(other.value, atom.value)) return true;
      if (!fits(atom.value, other.value)) return false;
    }
    return null;
  }

  /** Notes that an atom is true or false; false for a contradiction. */
  #assert(atom: Atom, value: boolean, state: State): boolean {
    const known = this.#truthOf(atom, state);
    if (known !== null) return known === value;
    state.literals.set(atom.key, { atom, value });
    if (atom.kind === 'text' && atom.test === 'is')
      return this.#assertText(atom.name, atom.value, value, state);
    if (atom.kind === 'text') return this.#textsAgree(state);
    if (atom.kind === 'same') return this.#textsAgree(state);
    return atom.kind === 'flag' || this.#propagate(state);
  }

  #assertText(name: string, constant: string, value: boolean, state: State): boolean {
    const { is, not: excluded } = state.text(name);
    if (value) state.texts.set(name, { is: constant, not: excluded });
    else {
      const without = new Set([...excluded, constant]);
      const left = this.#symbols.domains.get(name)?.filter((one) => !without.has(one));
      if (left?.length === 0) return false;
      state.texts.set(name, { is: left?.length === 1 ? (left[0] as string) : is, not: without });
    }
    return this.#textsAgree(state);
  }

  /** Carries constants over equalities, and checks every test of a text that is known. */
  #textsAgree(state: State): boolean {
    for (let changed = true; changed; ) {
      changed = false;
      for (const { atom, value } of state.literals.values()) {
        this.#spend(1);
        if (atom.kind === 'text') {
          const { is } = state.text(atom.name);
          if (is !== null && passes(is, atom.test, atom.value) !== value) return false;
        }
        if (atom.kind !== 'same' || !value) continue;
        const carried = this.#carry(atom, state);
        if (carried === null) return false;
        changed ||= carried;
      }
    }
    return true;
  }

  /** Gives two equal texts the constant of one of them: whether that is new; null for a contradiction. */
  #carry({ name, other }: Extract<Atom, { kind: 'same' }>, state: State): boolean | null {
    const [one, two] = [state.text(name), state.text(other)];
    const is = one.is ?? two.is;
    if (is === null) return false;
    if (one.is !== null && two.is !== null) return one.is === two.is ? false : null;
    const [target, known] = one.is === null ? [name, one] : [other, two];
    const domain = this.#symbols.domains.get(target);
    if (known.not.has(is) || (domain && !domain.includes(is))) return null;
    state.texts.set(target, { is, not: known.not });
    return true;
  }

  /** Narrows the intervals of all variables by all comparisons that are known; false for a contradiction. */
  #propagate(state: State): boolean {
    // Each round can narrow by a little only: a chain of comparisons need not come to an end.
    for (let round = 0; round < mostRounds; round++) {
      let changed = false;
      for (const { atom, value } of state.literals.values()) {
        if (atom.kind !== 'order' && atom.kind !== 'zero') continue;
        this.#spend(atom.sum.factors.size);
        for (const { sum, strict } of limitsOf(atom, value)) {
          const narrowed = this.#narrow(sum, strict, state);
          if (narrowed === null) return false;
          changed ||= narrowed;
        }
        if (atom.kind === 'zero' && !value && isZero(rangeOf(atom.sum, state))) return false;
      }
      if (!changed) return true;
    }
    return true;
  }

  /** Narrows the variables of `sum <= 0`, or `sum < 0`; null for a contradiction. */
  #narrow(sum: Sum, strict: boolean, state: State): boolean | null {
    let changed = false;
    for (const [name, factor] of sum.factors) {
      const others = {
        constant: sum.constant,
        factors: new Map([...sum.factors].filter(([one]) => one !== name)),
      };
      const rest = rangeOf(others, state);
      if (rest.low === -Infinity) continue;
      const quotient = -rest.low / factor;
      const isExact = Math.abs(factor) === 1;
      const slack = isExact ? 0 : Math.abs(quotient) * rounding * Math.sign(factor);
      const limit = quotient + slack;
      const isOpen = isExact && (strict || rest.lowOpen);
      const before = state.interval(name);
      const { isInt } = this.#symbols.numbers.get(name) ?? anyNumber;
      const after = factor > 0 ? lowered(before, limit, isOpen, isInt) : raised(before, limit, isOpen, isInt);
      if (after.low > after.high || (after.low === after.high && (after.lowOpen || after.highOpen)))
        return null;
      if (after === before) continue;
      state.numbers.set(name, after);
      changed = true;
    }
    return changed;
  }

  #modelOf(formulas: readonly Formula[], state: State): Model | null {
    const literals = [...state.literals.values()];
    const flags = new Map(
      literals.flatMap(({ atom, value }) => (atom.kind === 'flag' ? [[atom.name, value] as const] : [])),
    );
    const named = literals.flatMap(({ atom }) =>
      atom.kind === 'text' ? [atom.name] : atom.kind === 'same' ? [atom.name, atom.other] : [],
    );
    const limited = [...this.#symbols.domains].flatMap(([name, domain]) => (domain ? [name] : []));
    const texts = new Map([...named, ...limited].map((name) => [name, this.#textFor(name, state)]));
    const model = { flags, numbers: this.#numbersOf(state), texts };
    const isTrue =
      allHold(
        literals.map(({ atom, value }) => (value ? { kind: 'atom', atom } : not({ kind: 'atom', atom }))),
        model,
      ) && allHold(formulas, model);
    if (isTrue) return model;
    this.isComplete = false;
    return null;
  }

  /** Chooses a number for each variable, the nearest to 0 first, and narrows the others by it. */
  #numbersOf(state: State): Map<string, number> {
    const chosen = new State(this.#symbols, state);
    const names = new Set<string>(chosen.numbers.keys());
    for (const { atom } of state.literals.values())
      if ('sum' in atom) for (const name of atom.sum.factors.keys()) names.add(name);
    const numbers = new Map<string, number>();
    for (const name of names) {
      const { isInt } = this.#symbols.numbers.get(name) ?? anyNumber;
      const candidates = candidatesIn(chosen.interval(name), isInt);
      for (const value of candidates) {
        const attempt = new State(this.#symbols, chosen);
        attempt.numbers.set(name, { low: value, high: value, lowOpen: false, highOpen: false });
        numbers.set(name, value);
        if (!this.#propagate(attempt)) continue;
        for (const [one, interval] of attempt.numbers) chosen.numbers.set(one, interval);
        break;
      }
    }
    return numbers;
  }

  #textFor(name: string, state: State): string {
    const { is, not: excluded } = state.text(name);
    if (is !== null) return is;
    const tests = [...state.literals.values()].flatMap(({ atom, value }) =>
      atom.kind === 'text' && atom.name === name && atom.test !== 'is' ? [{ atom, value }] : [],
    );
    const parts = (test: string) =>
      tests.filter(({ atom, value }) => value && atom.test === test).map(({ atom }) => atom.value);
    const longest = (of: readonly string[]) =>
      of.reduce((one, two) => (two.length > one.length ? two : one), '');
    const [begin, end] = [longest(parts('begins')), longest(parts('ends'))];
    const inside = parts('contains').join(' ');
    const isRoot = tests.length === 0 && this.#symbols.domains.get(name) === null;
    const candidates = this.#symbols.domains.get(name) ?? [
      ...(isRoot && name === 'tool' ? ['some.tool'] : []),
      begin + inside + end,
      ...['x', 'other', 'a value', 'some.tool', '1'].map((text) => begin + inside + text + end),
      ...parts('matches').map((pattern) => pattern.replace(/^\(\?i\)|[\^$\\]|\\b/g, '')),
      ...[1, 2, 3, 4, 5, 6, 7, 8].map((place) => `${begin}${inside}x${place}${end}`),
    ];
    const fits = (text: string) =>
      !excluded.has(text) && tests.every(({ atom, value }) => passes(text, atom.test, atom.value) === value);
    return candidates.find(fits) ?? '';
  }
}

const mostRounds = 12;

function orderIn({ low, high, lowOpen, highOpen }: Interval, strict: boolean): boolean | null {
  if (high < 0 || (high === 0 && (!strict || highOpen))) return true;
  return low > 0 || (low === 0 && (strict || lowOpen)) ? false : null;
}

function zeroIn({ low, high, lowOpen, highOpen }: Interval): boolean | null {
  if (low > 0 || high < 0 || (low === 0 && lowOpen) || (high === 0 && highOpen)) return false;
  return low === 0 && high === 0 ? true : null;
}

function sameIn(one: TextState, two: TextState): boolean | null {
  if (one.is !== null && two.is !== null) return one.is === two.is;
  if (one.is !== null) return two.not.has(one.is) ? false : null;
  return two.is !== null && one.not.has(two.is) ? false : null;
}

const isZero = ({ low, high }: Interval): boolean => low === 0 && high === 0;

/** A comparison as sums that are at most 0. */
function limitsOf(atom: Extract<Atom, { sum: Sum }>, value: boolean): { sum: Sum; strict: boolean }[] {
  const { sum } = atom;
  if (atom.kind === 'order')
    return [value ? { sum, strict: atom.strict } : { sum: times(sum, -1), strict: !atom.strict }];
  return value
    ? [
        { sum, strict: false },
        { sum: times(sum, -1), strict: false },
      ]
    : [];
}

/** The choice with the fewest parts; null when nothing is open. */
function smallest(open: readonly Formula[]): Extract<Formula, { kind: 'and' | 'or' }> | null {
  let found: Extract<Formula, { kind: 'and' | 'or' }> | null = null;
  for (const formula of open) {
    if (formula.kind !== 'or') continue;
    if (found === null || formula.parts.length < found.parts.length) found = formula;
  }
  return found;
}

/** Ends that had to be rounded are moved outwards. */
function rangeOf({ constant, factors }: Sum, state: State): Interval {
  let [low, high, lowOpen, highOpen] = [constant, constant, false, false];
  let size = Math.abs(constant);
  let isExact = true;
  for (const [name, factor] of factors) {
    const one = state.interval(name);
    const [least, most] = factor > 0 ? [one.low, one.high] : [one.high, one.low];
    low += factor * least;
    high += factor * most;
    lowOpen ||= factor > 0 ? one.lowOpen : one.highOpen;
    highOpen ||= factor > 0 ? one.highOpen : one.lowOpen;
    isExact &&= Math.abs(factor) === 1 && factors.size === 1;
    for (const end of [least, most]) if (Number.isFinite(end)) size = Math.max(size, Math.abs(factor * end));
  }
  if (isExact) return { low, high, lowOpen, highOpen };
  const slack = size * rounding;
  const [lowFits, highFits] = [isWhole(low), isWhole(high)];
  return {
    low: lowFits ? low : low - slack,
    high: highFits ? high : high + slack,
    lowOpen: lowOpen && lowFits,
    highOpen: highOpen && highFits,
  };
}

const rounding = 1e-12;
const isWhole = (end: number): boolean => Number.isSafeInteger(end) || !Number.isFinite(end);

function lowered(interval: Interval, limit: number, isOpen: boolean, isInt: boolean): Interval {
  const [high, highOpen] = isInt
    ? [isOpen && Number.isInteger(limit) ? limit - 1 : Math.floor(limit), false]
    : [limit, isOpen];
  if (high > interval.high || (high === interval.high && (!highOpen || interval.highOpen))) return interval;
  return { ...interval, high, highOpen };
}

function raised(interval: Interval, limit: number, isOpen: boolean, isInt: boolean): Interval {
  const [low, lowOpen] = isInt
    ? [isOpen && Number.isInteger(limit) ? limit + 1 : Math.ceil(limit), false]
    : [limit, isOpen];
  if (low < interval.low || (low === interval.low && (!lowOpen || interval.lowOpen))) return interval;
  return { ...interval, low, lowOpen };
}

/** Numbers of an interval that are worth a try, the simplest first. */
function candidatesIn({ low, high, lowOpen, highOpen }: Interval, isInt: boolean): number[] {
  const step = isInt ? 1 : 0.5;
  const near = [0, low, high, low + step, high - step, low + 1, high - 1, low + 2, 1, -1, (low + high) / 2];
  const fits = (value: number) =>
    Number.isFinite(value) &&
    (!isInt || Number.isInteger(value)) &&
    (lowOpen ? value > low : value >= low) &&
    (highOpen ? value < high : value <= high);
  return [...new Set(near.filter(fits))].sort((one, two) => Math.abs(one) - Math.abs(two));
}
