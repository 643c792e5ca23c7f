import { equalSums, type Formula, flag, implies, not, or, textIs, variable, variablesIn } from './formula.ts';
import { equalTexts, type TextTerm } from './value.ts';

/** The part of an expression that the model does not look into: its value may be anything. */
export interface Unmodelled {
  readonly source: string;
}

export interface NumberRange {
  readonly isInt: boolean;
  readonly low: number;
  readonly high: number;
}

/** Where a variable comes from, so that an action can be made of its value. */
export type Origin =
  /** A part of the subject: `tool`, `session.warningCount`. */
  | { readonly of: 'field'; readonly path: string }
  /** A value of JSON; `path` begins with its root: `input`, `session.metadata`. */
  | {
      readonly of: 'json';
      readonly path: readonly string[];
      readonly part: 'kind' | 'number' | 'text' | 'bool';
    }
  /** Whether a list of texts has a member. */
  | { readonly of: 'member'; readonly list: string; readonly value: string }
  /** Whether a list of texts has the text that a variable stands for. */
  | { readonly of: 'includes'; readonly list: string; readonly text: string }
  | { readonly of: 'size'; readonly list: string }
  | { readonly of: 'count'; readonly map: string; readonly key: string }
  | { readonly of: 'counter'; readonly name: string };

/** The kinds of a JSON value, and of a missing one. */
export const jsonKinds = ['absent', 'null', 'bool', 'number', 'string', 'list', 'map'] as const;

/** Variables, what they may be, and facts that hold for every action and session. */
export class Symbols {
  readonly numbers = new Map<string, NumberRange>();
  /** The only values of a text; null when it may be any. */
  readonly domains = new Map<string, readonly string[] | null>();
  readonly origins = new Map<string, Origin>();
  readonly unmodelled = new Map<string, Unmodelled>();
  readonly #facts = new Map<string, Formula>();
  readonly #members = new Map<string, Set<string>>();
  readonly #includes = new Map<string, Set<string>>();
  readonly #keys = new Map<string, Map<string, TextTerm>>();
  readonly #short = new Map<string, string>();
  #asked = 0;
  #indexed: { size: number; byName: FactsByName } | null = null;

  /** A name for a text that may be long. */
  short(text: string): string {
    if (text.length <= longestName) return text;
    const known = this.#short.get(text) ?? `#${this.#short.size}`;
    this.#short.set(text, known);
    return known;
  }

  flag(name: string, origin?: Origin): string {
    if (origin) this.origins.set(name, origin);
    return name;
  }

  number(name: string, range: NumberRange, origin?: Origin): string {
    if (!this.numbers.has(name)) this.numbers.set(name, range);
    if (origin) this.origins.set(name, origin);
    return name;
  }

  text(name: string, domain: readonly string[] | null, origin?: Origin): string {
    if (!this.domains.has(name)) this.domains.set(name, domain);
    if (origin) this.origins.set(name, origin);
    return name;
  }

  fact(name: string, formula: () => Formula): void {
    if (!this.#facts.has(name)) this.#facts.set(name, formula());
  }

  /** Notes a key of a map of numbers, so that one key in two forms is one number. */
  keyed(map: string, key: TextTerm): void {
    const of = this.#keys.get(map) ?? new Map<string, TextTerm>();
    this.#asked += 1;
    this.#keys.set(map, of.set(JSON.stringify(key), key));
  }

  /** Notes that `list` was asked for a constant, or for the text of a variable. */
  asked(list: string, kind: 'member' | 'includes', value: string): void {
    const all = kind === 'member' ? this.#members : this.#includes;
    const of = all.get(list) ?? new Set();
    this.#asked += 1;
    all.set(list, of.add(value));
  }

  membersOf = (list: string): readonly string[] => [...(this.#members.get(list) ?? [])];

  /** All facts, with those that follow from what was asked of lists. */
  facts(): readonly Formula[] {
    const more: Formula[] = [];
    for (const [list, texts] of this.#includes) {
      for (const text of texts) {
        for (const value of this.#members.get(list) ?? []) {
          const [member, included] = [flag(memberName(list, value)), flag(includesName(list, text))];
          const isValue = textIs(text, 'is', value);
          more.push(implies(isValue, or(not(included), member)), implies(isValue, or(not(member), included)));
        }
      }
    }
    for (const [map, keys] of this.#keys) {
      const all = [...keys.values()];
      for (const [place, one] of all.entries())
        for (const two of all.slice(place + 1)) more.push(...sameUnderSameKey(map, one, two));
    }
    return [...this.#facts.values(), ...more];
  }

  /** The facts that say something about the variables of formulas, directly or through others. */
  factsAbout(formulas: readonly Formula[]): Formula[] {
    const byName = this.#factsByName();
    const found = new Set<Formula>();
    const names = variablesIn(formulas);
    // A set grows while it is gone through.
    for (const name of names) {
      for (const fact of byName.get(name) ?? []) {
        if (found.has(fact.formula)) continue;
        found.add(fact.formula);
        for (const other of fact.names) names.add(other);
      }
    }
    return [...found];
  }

  #factsByName(): FactsByName {
    const size = this.#facts.size + this.#asked;
    if (this.#indexed?.size === size) return this.#indexed.byName;
    const byName: FactsByName = new Map();
    for (const formula of this.facts()) {
      const fact = { formula, names: variablesIn([formula]) };
      for (const name of fact.names) {
        const known = byName.get(name);
        if (known) known.push(fact);
        else byName.set(name, [fact]);
      }
    }
    this.#indexed = { size, byName };
    return byName;
  }

  /** The parts of expressions on whose value formulas depend although they are not modelled. */
  unmodelledIn(formulas: readonly Formula[]): string[] {
    const names = [...variablesIn(formulas)];
    // Which of two places the arguments are read from depends on both.
    const roots = new Set(names.flatMap((name) => /^kind \["(input|arguments)"/.exec(name)?.[1] ?? []));
    if (roots.size === 2) return ['arguments beside other fields of input'];
    return [...new Set(names.flatMap((name) => this.unmodelled.get(name)?.source ?? []))].sort();
  }
}

type FactsByName = Map<string, { formula: Formula; names: ReadonlySet<string> }[]>;

const longestName = 120;

function sameUnderSameKey(map: string, one: TextTerm, two: TextTerm): Formula[] {
  const isSame = equalTexts(one, two);
  const [first, second] = [keyName(map, one), keyName(map, two)];
  const [has, hasOther] = [flag(`has ${first}`), flag(`has ${second}`)];
  return [
    implies(isSame, or(not(has), hasOther)),
    implies(isSame, or(has, not(hasOther))),
    implies(isSame, equalSums(variable(`count ${first}`), variable(`count ${second}`))),
  ];
}

export const termName = (key: TextTerm): string => ('constant' in key ? `=${key.constant}` : key.variable);
export const keyName = (map: string, key: TextTerm): string => `${map} ${termName(key)}`;

export const memberName = (list: string, value: string): string => `member ${list} ${value}`;
export const includesName = (list: string, text: string): string => `includes ${list} ${text}`;

/** Integers that a count can reach. */
export const natural: NumberRange = { isInt: true, low: 0, high: Number.MAX_SAFE_INTEGER };
export const anyNumber: NumberRange = { isInt: false, low: -Infinity, high: Infinity };
