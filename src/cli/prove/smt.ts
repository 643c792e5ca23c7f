import { type Atom, type Formula, type Model, type Sum, variablesIn } from '../../policy/proof/formula.ts';

import type { Question } from '../../policy/proof/question.ts';
import { anyNumber, type Symbols } from '../../policy/proof/symbols.ts';

/** A question in SMT-LIB 2, and how to read the model that a solver prints. */
export interface Script {
  readonly text: string;
  read(model: string): Model;
}

type Sort = 'Bool' | 'Int' | 'Real' | 'String';

/** Every formula that is shared is defined once. */
export function scriptOf({ formulas, symbols }: Question): Script {
  const script = new Writer(symbols);
  const asserted = formulas.map((formula) => `(assert ${script.term(formula)})`);
  const names = new Map([...variablesIn(formulas)].map((name) => [script.variable(name), name]));
  return {
    text: [...script.declarations, ...script.definitions, ...asserted].join('\n'),
    read: (model) => modelIn(model, names, (name) => script.sortOf(name)),
  };
}

class Writer {
  readonly declarations: string[] = [];
  readonly definitions: string[] = [];
  readonly #symbols: Symbols;
  readonly #variables = new Map<string, string>();
  readonly #terms = new Map<Formula, string>();

  constructor(symbols: Symbols) {
    this.#symbols = symbols;
  }

  sortOf(name: string): Sort {
    const number = this.#symbols.numbers.get(name);
    if (number) return number.isInt ? 'Int' : 'Real';
    return this.#symbols.domains.has(name) ? 'String' : 'Bool';
  }

  variable(name: string): string {
    const known = this.#variables.get(name);
    if (known) return known;
    const id = `v${this.#variables.size}`;
    this.#variables.set(name, id);
    const sort = this.sortOf(name);
    this.declarations.push(`(declare-const ${id} ${sort})`);
    if (sort === 'Int' || sort === 'Real') {
      const { low, high } = this.#symbols.numbers.get(name) ?? anyNumber;
      if (Number.isFinite(low)) this.declarations.push(`(assert (>= ${id} ${numeral(low, sort)}))`);
      if (Number.isFinite(high)) this.declarations.push(`(assert (<= ${id} ${numeral(high, sort)}))`);
    }
    const domain = this.#symbols.domains.get(name);
    if (domain)
      this.declarations.push(`(assert (or ${domain.map((one) => `(= ${id} ${text(one)})`).join(' ')}))`);
    return id;
  }

  term(formula: Formula): string {
    const known = this.#terms.get(formula);
    if (known) return known;
    const term = this.#termOf(formula);
    this.#terms.set(formula, term);
    return term;
  }

  #termOf(formula: Formula): string {
    switch (formula.kind) {
      case 'constant':
        return String(formula.value);
      case 'atom':
        return this.#atom(formula.atom);
      case 'not':
        return `(not ${this.term(formula.of)})`;
      default: {
        const parts = formula.parts.map((part) => this.term(part));
        const id = `f${this.definitions.length}`;
        this.definitions.push(`(define-fun ${id} () Bool (${formula.kind} ${parts.join(' ')}))`);
        return id;
      }
    }
  }

  #atom(atom: Atom): string {
    switch (atom.kind) {
      case 'flag':
        return this.variable(atom.name);
      case 'order':
        return `(${atom.strict ? '<' : '<='} ${this.#sum(atom.sum)} 0.0)`;
      case 'zero':
        return `(= ${this.#sum(atom.sum)} 0.0)`;
      case 'same':
        return `(= ${this.variable(atom.name)} ${this.variable(atom.other)})`;
      case 'text':
        return this.#test(atom);
    }
  }

  #sum({ constant, factors }: Sum): string {
    const terms = [...factors].map(([name, factor]) => {
      const id = this.variable(name);
      const value = this.sortOf(name) === 'Int' ? `(to_real ${id})` : id;
      return factor === 1 ? value : `(* ${numeral(factor, 'Real')} ${value})`;
    });
    return `(+ ${numeral(constant, 'Real')} ${terms.join(' ')})`;
  }

  #test({ name, test, value }: Extract<Atom, { kind: 'text' }>): string {
    const id = this.variable(name);
    switch (test) {
      case 'is':
        return `(= ${id} ${text(value)})`;
      case 'begins':
        return `(str.prefixof ${text(value)} ${id})`;
      case 'ends':
        return `(str.suffixof ${text(value)} ${id})`;
      case 'contains':
        return `(str.contains ${id} ${text(value)})`;
      case 'matches': {
        const pattern = smtPattern(value);
        // Any text may match a pattern that cannot be written: a model is checked afterwards.
        return pattern === null ? this.#anything(`${name} ${value}`) : `(str.in_re ${id} ${pattern})`;
      }
    }
  }

  readonly #free = new Map<string, string>();

  #anything(key: string): string {
    const known = this.#free.get(key) ?? `m${this.#free.size}`;
    if (!this.#free.has(key)) this.declarations.push(`(declare-const ${known} Bool)`);
    this.#free.set(key, known);
    return known;
  }
}

/** The exact value of a double, as a fraction where it has one. */
function numeral(value: number, sort: 'Int' | 'Real'): string {
  if (value < 0) return `(- ${numeral(-value, sort)})`;
  if (sort === 'Int') return BigInt(Math.round(value)).toString();
  if (Number.isInteger(value)) return `${BigInt(value)}.0`;
  // As it is written in decimal: 0.1 is a tenth, which is what the author of a policy means.
  const [digits = '', exponent = '0'] = String(value).split('e');
  const places = (digits.split('.')[1] ?? '').length - Number(exponent);
  const whole = BigInt(digits.replace('.', ''));
  return places > 0 ? `(/ ${whole}.0 ${10n ** BigInt(places)}.0)` : `${whole * 10n ** BigInt(-places)}.0`;
}

/** Reads `(define-fun v0 () Int 3)`, and leaves out what the script itself defines. */
function modelIn(printed: string, names: ReadonlyMap<string, string>, sortOf: (name: string) => Sort): Model {
  const model = {
    flags: new Map<string, boolean>(),
    numbers: new Map<string, number>(),
    texts: new Map<string, string>(),
  };
  for (const defined of expressionsIn(printed)) {
    const [, id, , , value] = defined as [string, string, Expression, Expression, Expression];
    const name = names.get(id);
    if (name === undefined) continue;
    const sort = sortOf(name);
    if (sort === 'Bool') model.flags.set(name, value === 'true');
    else if (sort === 'String') model.texts.set(name, unescaped(value as string));
    else model.numbers.set(name, numberIn(value));
  }
  return model;
}

type Expression = string | Expression[];

function expressionsIn(answer: string): Expression[] {
  const open: Expression[][] = [[]];
  for (const [token] of answer.matchAll(/"(?:[^"]|"")*"|[()]|[^\s()"]+/g)) {
    const inner = open.at(-1) as Expression[];
    if (token === '(') {
      const list: Expression[] = [];
      inner.push(list);
      open.push(list);
    } else if (token === ')') open.pop();
    else inner.push(token);
  }
  return open[0] as Expression[];
}

function numberIn(value: Expression): number {
  if (typeof value === 'string') return Number(value);
  const [operator, ...operands] = value;
  const [first = 0, second = 1] = operands.map(numberIn);
  return operator === '-' ? 0 - first : first / second;
}

const unescaped = (literal: string): string =>
  literal
    .slice(1, -1)
    .replaceAll('""', '"')
    .replace(/\\u\{([0-9a-fA-F]+)\}|\\u([0-9a-fA-F]{4})/g, (_, braced, plain) =>
      String.fromCodePoint(Number.parseInt(braced ?? plain, 16)),
    );

/**
 * A regular expression as one of SMT-LIB that matches the whole text; null for one with a construct that is not translated: `\b`, classes of
 * Unicode, and the anchors `^` and `$` anywhere but at the ends of an alternative. A translation is exact for texts of one line.
 */
function smtPattern(pattern: string): string | null {
  const reader = new Reader(pattern);
  try {
    const whole = reader.alternatives(true);
    return reader.isAtEnd ? whole : null;
  } catch (error) {
    if (error instanceof Untranslated) return null;
    throw error;
  }
}

class Untranslated {}
const untranslated = new Untranslated();

const anything = 're.all';

class Reader {
  readonly #pattern: string;
  #at = 0;
  #ignoresCase = false;

  constructor(pattern: string) {
    const ignores = pattern.startsWith('(?i)');
    this.#pattern = ignores ? pattern.slice(4) : pattern;
    this.#ignoresCase = ignores;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#pattern.length;
  }

  #peek(): string {
    return this.#pattern[this.#at] ?? '';
  }

  #take(expected?: string): string {
    const char = this.#peek();
    if (char === '' || (expected !== undefined && char !== expected)) throw untranslated;
    this.#at += 1;
    return char;
  }

  /** `isOutermost`: a match may stand anywhere in the text unless an anchor says otherwise. */
  alternatives(isOutermost = false): string {
    const all = [this.#sequence(isOutermost)];
    while (this.#peek() === '|') {
      this.#at += 1;
      all.push(this.#sequence(isOutermost));
    }
    return all.length === 1 ? (all[0] as string) : `(re.union ${all.join(' ')})`;
  }

  #sequence(isOutermost: boolean): string {
    const parts: string[] = [];
    const begins = isOutermost && this.#peek() === '^';
    if (begins) this.#at += 1;
    let ends = false;
    while (this.#peek() !== '' && this.#peek() !== '|' && this.#peek() !== ')') {
      if (this.#peek() === '$' && isOutermost) {
        this.#at += 1;
        ends = true;
        if (this.#peek() !== '' && this.#peek() !== '|') throw untranslated;
      } else parts.push(this.#repeated());
    }
    if (isOutermost && !begins) parts.unshift(anything);
    if (isOutermost && !ends) parts.push(anything);
    if (parts.length === 0) return '(str.to_re "")';
    return parts.length === 1 ? (parts[0] as string) : `(re.++ ${parts.join(' ')})`;
  }

  #repeated(): string {
    let one = this.#one();
    for (;;) {
      const operator = { '*': 're.*', '+': 're.+', '?': 're.opt' }[this.#peek()];
      if (operator !== undefined) {
        this.#at += 1;
        one = `(${operator} ${one})`;
        // Whether a repetition is greedy changes no answer to "does it match".
        if (this.#peek() === '?') this.#at += 1;
        continue;
      }
      const counted = /^\{(\d+)(,?)(\d*)\}/.exec(this.#pattern.slice(this.#at));
      if (!counted) return one;
      this.#at += counted[0].length;
      one = repeated(one, Number(counted[1]), counted[2] === ',', counted[3] ?? '');
    }
  }

  #one(): string {
    const char = this.#take();
    switch (char) {
      case '(': {
        if (this.#peek() === '?') {
          this.#at += 1;
          this.#take(':');
        }
        const inner = this.alternatives();
        this.#take(')');
        return inner;
      }
      case '[':
        return this.#class();
      case '.':
        return '(re.diff re.allchar (str.to_re "\\u{a}"))';
      case '\\':
        return this.#escaped();
      case '^':
      case '$':
        throw untranslated;
      default:
        return this.#literal(char);
    }
  }

  #literal(char: string): string {
    const forms = this.#ignoresCase ? casesOf(char) : [char];
    const all = forms.map((form) => `(str.to_re ${text(form)})`);
    return all.length === 1 ? (all[0] as string) : `(re.union ${all.join(' ')})`;
  }

  #escaped(): string {
    const char = this.#take();
    const known = classes[char];
    if (known) return unionOf(known);
    const excluded = classes[char.toLowerCase()];
    if (excluded && char !== char.toLowerCase()) return `(re.diff re.allchar ${unionOf(excluded)})`;
    if (/[A-Za-z0-9]/.test(char)) return this.#literal(controls[char] ?? fail());
    return this.#literal(char);
  }

  #class(): string {
    const isNegated = this.#peek() === '^';
    if (isNegated) this.#at += 1;
    const ranges: [string, string][] = [];
    for (let isFirst = true; this.#peek() !== ']' || isFirst; isFirst = false) {
      const from = this.#member();
      if (typeof from !== 'string') ranges.push(...from);
      else if (this.#peek() === '-' && this.#pattern[this.#at + 1] !== ']') {
        this.#at += 1;
        const to = this.#member();
        if (typeof to !== 'string') throw untranslated;
        ranges.push([from, to]);
      } else ranges.push([from, from]);
    }
    this.#take(']');
    const all = unionOf(this.#ignoresCase ? ranges.flatMap(withCases) : ranges);
    return isNegated ? `(re.diff re.allchar ${all})` : all;
  }

  #member(): string | readonly [string, string][] {
    const char = this.#take();
    if (char === '[' && this.#peek() === ':') throw untranslated;
    if (char !== '\\') return char;
    const escaped = this.#take();
    if (classes[escaped]) return classes[escaped];
    if (/[A-Za-z0-9]/.test(escaped)) return controls[escaped] ?? fail();
    return escaped;
  }
}

function fail(): never {
  throw untranslated;
}

const classes: Readonly<Record<string, readonly [string, string][]>> = {
  d: [['0', '9']],
  w: [
    ['0', '9'],
    ['A', 'Z'],
    ['_', '_'],
    ['a', 'z'],
  ],
  s: [
    ['\t', '\n'],
    ['\f', '\r'],
    [' ', ' '],
  ],
};
const controls: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', f: '\f', v: '\v' };

const unionOf = (ranges: readonly [string, string][]): string => {
  const all = ranges.map(([from, to]) => `(re.range ${text(from)} ${text(to)})`);
  return all.length === 1 ? (all[0] as string) : `(re.union ${all.join(' ')})`;
};

/** RE2 folds by Unicode: `k` also matches the Kelvin sign, and `s` the long s. */
const folded: Readonly<Record<string, string>> = { k: '\u212a', s: '\u017f' };

function casesOf(char: string): string[] {
  if (char.charCodeAt(0) > 0x7f) throw untranslated;
  const lower = char.toLowerCase();
  return [...new Set([lower, char.toUpperCase(), ...(folded[lower] ?? [])])];
}

function withCases([from, to]: readonly [string, string]): [string, string][] {
  if (from === to) return casesOf(from).map((one) => [one, one]);
  const isLetters = /^[a-z]$/.test(from) && /^[a-z]$/.test(to);
  const isCapitals = /^[A-Z]$/.test(from) && /^[A-Z]$/.test(to);
  if (isLetters || isCapitals) {
    const more = Object.entries(folded).filter(
      ([letter]) => letter >= from.toLowerCase() && letter <= to.toLowerCase(),
    );
    return [
      [from.toLowerCase(), to.toLowerCase()],
      [from.toUpperCase(), to.toUpperCase()],
      ...more.map(([, other]): [string, string] => [other, other]),
    ];
  }
  if (/[A-Za-z]/.test(from + to) || to.charCodeAt(0) > 0x7f) throw untranslated;
  return [[from, to]];
}

function repeated(one: string, least: number, isRange: boolean, most: string): string {
  if (!isRange) return `((_ re.loop ${least} ${least}) ${one})`;
  if (most !== '') return `((_ re.loop ${least} ${Number(most)}) ${one})`;
  return `(re.++ ((_ re.loop ${least} ${least}) ${one}) (re.* ${one}))`;
}

/** A string of SMT-LIB: everything but plain ASCII is escaped. */
function text(value: string): string {
  const escaped = Array.from(value, (char) => {
    const code = char.codePointAt(0) as number;
    return code >= 0x20 && code < 0x7f && char !== '"' && char !== '\\' ? char : `\\u{${code.toString(16)}}`;
  });
  return `"${escaped.join('')}"`;
}
