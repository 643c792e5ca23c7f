import type { IndexNode, NameNode, Node, OperatorNode, SelectNode } from '../../cel/ast.ts';
import { type CelType, type CheckedExpression, compile, createBudget } from '../../cel/index.ts';
import { callCases, macroCases, type Visitor } from './calls.ts';
import { ComputationKeys, type Frame, type Scope, sourceOf, withLocal } from './computation-keys.ts';
import { and, type Formula, flag, not, or, textIs, times, truth, variable, yes } from './formula.ts';
import {
  type Arithmetic,
  arithmetic,
  casesOfValue,
  eachOrNull,
  failed,
  failing,
  inBothOrNull,
  isIn,
  isOrder,
  joined,
  ordered,
  rangeOf,
} from './operations.ts';
import { anyNumber } from './symbols.ts';
import {
  always,
  bool,
  type Cases,
  casesOf,
  equalValues,
  failure,
  inEach,
  missing,
  number,
  type Outcome,
  outcomeOf,
  TooLarge,
  textOf,
  type Value,
} from './value.ts';

/** Thrown when a policy is too large to be translated in the time there is. */
class Spent {}

/** The answer where a policy was too large; throws any other error. */
export function whenSpent<T>(error: unknown, answer: T): T {
  if (error instanceof Spent) return answer;
  throw error;
}

/** A checked expression as cases of values: those that the engine would compute, and no others where everything is modelled. */
export class Translation implements Visitor {
  readonly scope: Scope;
  readonly #known = new Map<string, Cases>();
  readonly keys: ComputationKeys;
  readonly #params = new Map<string, Cases | null>();

  constructor(scope: Scope) {
    this.scope = scope;
    this.keys = new ComputationKeys(scope);
  }

  condition(expression: CheckedExpression): Outcome {
    return outcomeOf(this.#of(expression));
  }

  value(expression: CheckedExpression): Cases {
    return this.#of(expression);
  }

  #of(expression: CheckedExpression): Cases {
    const frame: Frame = { expression, locals: new Map(), names: new Map() };
    return this.visit(expression.root, frame);
  }

  #variable(name: string): Cases {
    const known = this.#known.get(name);
    if (known) return known;
    const expression = this.scope.variables.get(name);
    const cases = expression ? this.#of(expression) : always(failure);
    this.#known.set(name, cases);
    return cases;
  }

  visit(node: Node, frame: Frame): Cases {
    this.#spend(1);
    try {
      return this.#modelled(node, frame) ?? this.#unmodelled(node, frame);
    } catch (error) {
      if (error instanceof TooLarge) return this.#unmodelled(node, frame);
      throw error;
    }
  }

  #spend(nodes: number): void {
    this.scope.left.nodes -= nodes;
    if (this.scope.left.nodes < 0) throw new Spent();
  }

  #modelled(node: Node, frame: Frame): Cases | null {
    switch (node.kind) {
      case 'literal':
        return casesOfValue(node.value);
      case 'name':
        return this.#name(node, frame);
      case 'select':
      case 'index':
        return this.#access(node, frame);
      case 'operator':
        return this.#operator(node, frame);
      case 'conditional': {
        const { holds, fails } = this.#outcome(node.condition, frame);
        const [first, second] = [this.visit(node.yes, frame), this.visit(node.no, frame)];
        return inEach(
          [
            { when: holds, value: bool(yes) },
            { when: and(not(holds), not(fails)), value: { kind: 'null' } },
            { when: fails, value: failure },
          ],
          (value) => (value.kind === 'bool' ? first : value.kind === 'null' ? second : always(failure)),
        );
      }
      case 'list':
        return this.#list(node.elements, frame);
      case 'call':
        return this.#constant(node, frame) ?? callCases(this, node, frame);
      case 'macro':
        return macroCases(this, node, frame);
      case 'bind': {
        const slot = frame.expression.slots.get(node.variable) as number;
        const value = this.visit(node.value, frame);
        return this.visit(node.body, withLocal(frame, slot, value, this.keys.of(node.value, frame)));
      }
      case 'map':
        return null;
    }
  }

  #outcome = (node: Node, frame: Frame): Outcome => outcomeOf(this.visit(node, frame));

  #name(node: NameNode, { expression, locals }: Frame): Cases | null {
    const slot = expression.slots.get(node);
    if (slot !== undefined) return locals.get(slot) ?? null;
    return this.#path(node.name);
  }

  #path(path: string): Cases | null {
    const { given, subject } = this.scope;
    if (path === 'decision' && given.has('decision.enforcementAction'))
      return always({ kind: 'record', name: path });
    // Lists of records are never an error, but what is in them is not modelled.
    if (lists.has(path)) return always({ kind: 'any', key: path, source: path });
    return given.get(path) ?? subject.read(path);
  }

  /** `a.b`, `a.?b`, `has(a.b)`, `a[b]` and `a[?b]`. */
  #access(node: SelectNode | IndexNode, frame: Frame): Cases | null {
    const constant = this.#constant(node, frame);
    if (constant) return constant;
    const special = this.#special(node, frame);
    if (special) return special;
    const isTest = node.kind === 'select' && node.test;
    const type = frame.expression.types.get(node.operand);
    const isOptional = node.optional || type?.kind === 'optional';
    const unwrapped = inEach(this.visit(node.operand, frame), (value) =>
      value.kind === 'some' ? value.of : value.kind === 'none' ? always(missing) : always(value),
    );
    let isModelled = true;
    const found = inEach(unwrapped, (value): Cases => {
      if (value.kind === 'error' || value.kind === 'missing') return always(value);
      const read =
        node.kind === 'select' ? this.#field(value, node.field) : this.#element(value, node, frame);
      if (read === null) isModelled = false;
      return read ?? always(failure);
    });
    if (!isModelled) return null;
    return inEach(found, (value): Cases => {
      if (value.kind === 'error') return always(value);
      if (isTest) return always(bool(truth(value.kind !== 'missing')));
      if (isOptional)
        return always(value.kind === 'missing' ? { kind: 'none' } : { kind: 'some', of: always(value) });
      return always(value.kind === 'missing' ? failure : value);
    });
  }

  /** Params, variables and counters, which are read by name. */
  #special(node: SelectNode | IndexNode, frame: Frame): Cases | null {
    if (node.kind !== 'select' || node.test || node.optional || node.operand.kind !== 'name') return null;
    if (frame.expression.slots.has(node.operand)) return null;
    const root = node.operand.name;
    if (root === 'vars') return this.#variable(node.field);
    if (root === 'lists')
      return always({ kind: 'texts', set: this.scope.subject.setOf(`lists.${node.field}`) });
    if (root !== 'counters') return null;
    const counter = this.scope.counter(node.field);
    if (counter === null) return null;
    return this.scope.subject.counter(node.field, counter.definition, counter);
  }

  #field(value: Value, field: string): Cases | null {
    if (value.kind === 'record') return this.#path(`${value.name}.${field}`);
    if (value.kind === 'counts') return value.counts.at({ constant: field });
    if (value.kind === 'json')
      return value.is === 'map' ? this.scope.subject.child(value.path, field) : always(failure);
    return value.kind === 'any' ? null : always(failure);
  }

  #element(value: Value, node: IndexNode, frame: Frame): Cases | null {
    const { key } = node;
    if (
      key.kind === 'literal' &&
      typeof key.value === 'string' &&
      value.kind !== 'list' &&
      value.kind !== 'texts'
    )
      return this.#field(value, key.value);
    if (value.kind === 'any' || value.kind === 'list' || value.kind === 'texts') return null;
    if (value.kind !== 'counts' && value.kind !== 'json')
      return value.kind === 'record' ? null : always(failure);
    let isModelled = true;
    const found = inEach(this.visit(key, frame), (its): Cases => {
      if (its.kind === 'error') return always(failure);
      if (value.kind === 'counts' && its.kind === 'text') return value.counts.at(its.text);
      if (value.kind === 'json' && value.is === 'map' && its.kind === 'text' && 'constant' in its.text)
        return this.scope.subject.child(value.path, its.text.constant);
      isModelled = false;
      return always(failure);
    });
    return isModelled ? found : null;
  }

  #list(elements: readonly { node: Node; optional: boolean }[], frame: Frame): Cases | null {
    if (elements.some(({ optional }) => optional)) return null;
    const all = elements.map(({ node }) => this.visit(node, frame));
    const fails = or(...all.map(failing));
    const values = all.map((cases) => cases.filter(({ value }) => value.kind !== 'error'));
    return inEach(casesOf({ holds: yes, fails }), (value) =>
      value.kind === 'error' ? always(failure) : always({ kind: 'list', elements: values }),
    );
  }

  #operator(node: OperatorNode, frame: Frame): Cases | null {
    const { operator } = node;
    const [left, right] = node.operands as [Node, Node | undefined];
    if (operator === '&&' || operator === '||') {
      const [first, second] = [this.#outcome(left, frame), this.#outcome(right as Node, frame)];
      return casesOf(joined(operator, first, second));
    }
    if (right === undefined) {
      if (operator === '!') {
        const { holds, fails } = this.#outcome(left, frame);
        return casesOf({ holds: not(holds), fails });
      }
      return this.#each(left, frame, (value) =>
        value.kind === 'number' ? always(number(times(value.sum, -1))) : failed(value),
      );
    }
    const [first, second] = [this.visit(left, frame), this.visit(right, frame)];
    if (operator === 'in') {
      for (const { value } of second)
        if (value.kind === 'list') this.#spend(value.elements.length * first.length);
      return inBothOrNull(first, second, isIn);
    }
    if (operator === '==' || operator === '!=')
      return inBothOrNull(first, second, (one, two) => {
        if (one.kind === 'error' || two.kind === 'error') return always(failure);
        const equal = equalValues(one, two);
        return equal && always(bool(operator === '==' ? equal : not(equal)));
      });
    if (isOrder(operator)) return inBothOrNull(first, second, (one, two) => ordered(operator, one, two));
    const bounded = [left, right].every((part) => frame.expression.types.get(part)?.kind === 'int');
    return inBothOrNull(first, second, (one, two) =>
      arithmetic(operator, [one, two], bounded, this.#variables),
    );
  }

  readonly #variables: Arithmetic = {
    rangeOf: ({ constant, factors }) => {
      let [low, high] = [constant, constant];
      for (const [name, factor] of factors) {
        const range = this.scope.symbols.numbers.get(name) ?? anyNumber;
        low += factor * (factor > 0 ? range.low : range.high);
        high += factor * (factor > 0 ? range.high : range.low);
      }
      return { low, high };
    },
    joined: (key) => {
      const { symbols } = this.scope;
      const name = symbols.text(symbols.short(`joined ${key}`), null);
      symbols.unmodelled.set(name, { source: 'joined texts' });
      return textOf(name);
    },
  };

  #each = (node: Node, frame: Frame, of: (value: Value) => Cases | null): Cases | null =>
    eachOrNull(this.visit(node, frame), of);

  /** The value of what reads nothing but literals and params. */
  #constant(node: Node, frame: Frame): Cases | null {
    if (node.kind === 'select' && node.operand.kind === 'name' && node.operand.name === 'params') {
      if (frame.expression.slots.has(node.operand)) return null;
      if (node.test || node.optional) return null;
      const known = this.#params.get(node.field);
      if (known !== undefined) return known;
      const value = this.scope.params[node.field];
      const cases = value === undefined ? null : casesOfValue(value);
      this.#params.set(node.field, cases);
      return cases;
    }
    if (!readsConstants(node, frame)) return null;
    const expression = { ...frame.expression, root: node };
    const constants = { params: this.scope.params };
    return casesOfValue(compile(expression, constants).run(constants, createBudget()));
  }

  /** Any value that the type allows, or an error: the same one wherever the same is computed. */
  #unmodelled(node: Node, frame: Frame): Cases {
    const { symbols } = this.scope;
    const source = sourceOf(node, frame);
    const key = this.keys.of(node, frame);
    const mark = (name: string): string => {
      symbols.unmodelled.set(name, { source });
      return name;
    };
    const fails = flag(symbols.flag(mark(`fails ${key}`)));
    const type = frame.expression.types.get(node) ?? { kind: 'dyn' };
    return inEach(casesOf({ holds: yes, fails }), (value) =>
      value.kind === 'error'
        ? always(failure)
        : this.#anyOf(type as CelType, { key, source, mark, node, types: frame.expression.types }),
    );
  }

  #anyOf(type: CelType, { key, source, mark, node, types }: Place): Cases {
    const { symbols, subject } = this.scope;
    switch (type.kind) {
      case 'bool':
        return always(bool(flag(symbols.flag(mark(`holds ${key}`)))));
      case 'int':
      case 'double': {
        const its = number(variable(symbols.number(mark(`number ${key}`), rangeOf(node, types))));
        if (type.kind === 'int') return always(its);
        // NaN is a double that every comparison is false of.
        const isNumber = flag(symbols.flag(mark(`is number ${key}`)));
        return [
          { when: isNumber, value: its },
          { when: not(isNumber), value: { kind: 'any', key, source } },
        ];
      }
      case 'string':
        return always(textOf(symbols.text(mark(`text ${key}`), null)));
      case 'timestamp':
      case 'duration':
        return always({ kind: type.kind, sum: variable(symbols.number(mark(`time ${key}`), anyNumber)) });
      case 'list':
        if (type.element.kind !== 'string') break;
        return always({ kind: 'texts', set: this.#markedSet(key, mark) });
      case 'dyn': {
        const cases = subject.child(['unmodelled', key], 'value');
        const name = JSON.stringify(['unmodelled', key, 'value']);
        for (const part of ['kind', 'number', 'text', 'bool']) mark(`${part} ${name}`);
        const kind = `kind ${name}`;
        symbols.fact(`${kind} is present`, () => not(textIs(kind, 'is', 'absent')));
        const known = cases.filter(({ value }) => value.kind !== 'missing');
        // A timestamp, an address or an optional is none of the kinds of JSON.
        const other = flag(symbols.flag(mark(`other ${key}`)));
        return [
          ...known.map(({ when, value }) => ({ when: and(not(other), when), value })),
          { when: or(other, textIs(kind, 'is', 'absent')), value: { kind: 'any', key, source } },
        ];
      }
      case 'optional': {
        const present = flag(symbols.flag(mark(`present ${key}`)));
        return [
          {
            when: present,
            value: {
              kind: 'some',
              of: this.#anyOf(type.value, { key: `${key} value`, source, mark, node, types }),
            },
          },
          { when: not(present), value: { kind: 'none' } },
        ];
      }
    }
    return always({ kind: 'any', key, source });
  }

  #markedSet(key: string, mark: (name: string) => string) {
    const set = this.scope.subject.setOf(`list ${key}`);
    return {
      ...set,
      has: (text: Parameters<typeof set.has>[0]): Formula => {
        const has = set.has(text);
        if (has.kind === 'atom' && has.atom.kind === 'flag') mark(has.atom.name);
        return has;
      },
    };
  }
}

const lists: ReadonlySet<string> = new Set(['detections', 'session.recentActions', 'session.grants']);

/** A part of an expression that is not modelled. */
interface Place {
  readonly key: string;
  readonly source: string;
  /** Marks a variable as one that stands for it. */
  readonly mark: (name: string) => string;
  readonly node: Node;
  readonly types: CheckedExpression['types'];
}

/** Whether a node reads nothing but literals, params and the names of types. */
function readsConstants(node: Node, { expression }: Frame): boolean {
  if (node.kind !== 'call') return false;
  const look = (one: Node): boolean => {
    switch (one.kind) {
      case 'literal':
        return true;
      case 'name':
        return one.name === 'params' && !expression.slots.has(one);
      case 'select':
      case 'index':
        return one.kind === 'select' && look(one.operand);
      case 'call':
        return (
          (one.target === null || look(one.target) || one.target.kind === 'name') && one.args.every(look)
        );
      case 'operator':
        return one.operands.every(look);
      case 'list':
        return one.elements.every(({ node: element, optional }) => !optional && look(element));
      default:
        return false;
    }
  };
  return look(node);
}
