import type { Atom, Formula, Model, Sum } from '../../policy/proof/formula.ts';
import { variablesIn } from '../../policy/proof/formula.ts';
import type { Question } from '../../policy/proof/question.ts';
import { anyNumber, type Symbols } from '../../policy/proof/symbols.ts';
import { smtPattern, text } from './smt-pattern.ts';

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
