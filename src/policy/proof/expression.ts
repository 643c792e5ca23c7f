import type {
  CallNode,
  IndexNode,
  MacroNode,
  NameNode,
  Node,
  OperatorNode,
  SelectNode,
} from '../../cel/ast.ts';
import { type CelType, type CheckedExpression, compile, createBudget } from '../../cel/index.ts';
import { ComputationKeys, type Frame, type Scope, withLocal } from './computation-keys.ts';
import {
  and,
  atomsIn,
  constantSum,
  type Formula,
  flag,
  no,
  not,
  or,
  textIs,
  times,
  truth,
  variable,
  yes,
} from './formula.ts';
import {
  type Arithmetic,
  arithmetic,
  casesOfValue,
  contained,
  eachOrNull,
  failed,
  failing,
  inBothOrNull,
  isCollection,
  isIn,
  isOrder,
  joined,
  kindTests,
  ordered,
  rangeOf,
  rankOf,
  textTests,
} from './operations.ts';
import { anyNumber, natural } from './symbols.ts';
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
export class Translation {
  readonly #scope: Scope;
  readonly #known = new Map<string, Cases>();
  readonly #keys: ComputationKeys;
  readonly #params = new Map<string, Cases | null>();

  constructor(scope: Scope) {
    this.#scope = scope;
    this.#keys = new ComputationKeys(scope);
  }

  condition(expression: CheckedExpression): Outcome {
    return outcomeOf(this.#of(expression));
  }

  value(expression: CheckedExpression): Cases {
    return this.#of(expression);
  }

  #of(expression: CheckedExpression): Cases {
    const frame: Frame = { expression, locals: new Map(), names: new Map() };
    return this.#visit(expression.root, frame);
  }

  #variable(name: string): Cases {
    const known = this.#known.get(name);
    if (known) return known;
    const expression = this.#scope.variables.get(name);
    const cases = expression ? this.#of(expression) : always(failure);
    this.#known.set(name, cases);
    return cases;
  }

  #visit(node: Node, frame: Frame): Cases {
    this.#spend(1);
    try {
      return this.#modelled(node, frame) ?? this.#unmodelled(node, frame);
    } catch (error) {
      if (error instanceof TooLarge) return this.#unmodelled(node, frame);
      throw error;
    }
  }

  #spend(nodes: number): void {
    this.#scope.left.nodes -= nodes;
    if (this.#scope.left.nodes < 0) throw new Spent();
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
        const [first, second] = [this.#visit(node.yes, frame), this.#visit(node.no, frame)];
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
        return this.#call(node, frame);
      case 'macro':
        return this.#macro(node, frame);
      case 'bind': {
        const slot = frame.expression.slots.get(node.variable) as number;
        const value = this.#visit(node.value, frame);
        return this.#visit(node.body, withLocal(frame, slot, value, this.#keys.of(node.value, frame)));
      }
      case 'map':
        return null;
    }
  }

  #outcome = (node: Node, frame: Frame): Outcome => outcomeOf(this.#visit(node, frame));

  #name(node: NameNode, { expression, locals }: Frame): Cases | null {
    const slot = expression.slots.get(node);
    if (slot !== undefined) return locals.get(slot) ?? null;
    return this.#path(node.name);
  }

  #path(path: string): Cases | null {
    const { given, subject } = this.#scope;
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
    const unwrapped = inEach(this.#visit(node.operand, frame), (value) =>
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
      return always({ kind: 'texts', set: this.#scope.subject.setOf(`lists.${node.field}`) });
    if (root !== 'counters') return null;
    const counter = this.#scope.counter(node.field);
    if (counter === null) return null;
    return this.#scope.subject.counter(node.field, counter.definition, counter);
  }

  #field(value: Value, field: string): Cases | null {
    if (value.kind === 'record') return this.#path(`${value.name}.${field}`);
    if (value.kind === 'counts') return value.counts.at({ constant: field });
    if (value.kind === 'json')
      return value.is === 'map' ? this.#scope.subject.child(value.path, field) : always(failure);
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
    const found = inEach(this.#visit(key, frame), (its): Cases => {
      if (its.kind === 'error') return always(failure);
      if (value.kind === 'counts' && its.kind === 'text') return value.counts.at(its.text);
      if (value.kind === 'json' && value.is === 'map' && its.kind === 'text' && 'constant' in its.text)
        return this.#scope.subject.child(value.path, its.text.constant);
      isModelled = false;
      return always(failure);
    });
    return isModelled ? found : null;
  }

  #list(elements: readonly { node: Node; optional: boolean }[], frame: Frame): Cases | null {
    if (elements.some(({ optional }) => optional)) return null;
    const all = elements.map(({ node }) => this.#visit(node, frame));
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
    const [first, second] = [this.#visit(left, frame), this.#visit(right, frame)];
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
        const range = this.#scope.symbols.numbers.get(name) ?? anyNumber;
        low += factor * (factor > 0 ? range.low : range.high);
        high += factor * (factor > 0 ? range.high : range.low);
      }
      return { low, high };
    },
    joined: (key) => {
      const { symbols } = this.#scope;
      const name = symbols.text(symbols.short(`joined ${key}`), null);
      symbols.unmodelled.set(name, { source: 'joined texts' });
      return textOf(name);
    },
  };

  #each = (node: Node, frame: Frame, of: (value: Value) => Cases | null): Cases | null =>
    eachOrNull(this.#visit(node, frame), of);

  #call(node: CallNode, frame: Frame): Cases | null {
    const folded = this.#constant(node, frame);
    if (folded) return folded;
    const plan = frame.expression.calls.get(node);
    if (!plan) return null;
    const operands = plan.operands;
    const [first, second] = operands as [Node, Node | undefined];
    if (plan.kind === 'orValue')
      return this.#each(first, frame, (value) => {
        if (value.kind === 'some') return value.of;
        return value.kind === 'none' ? this.#visit(second as Node, frame) : failed(value);
      });
    if (plan.kind === 'or')
      return this.#each(first, frame, (value) => {
        if (value.kind === 'some') return always(value);
        return value.kind === 'none' ? this.#visit(second as Node, frame) : failed(value);
      });
    if (plan.kind === 'matches') {
      const pattern = plan.pattern?.source;
      if (pattern === undefined) return null;
      return this.#each(first, frame, (value) => {
        if (value.kind !== 'text') return failed(value);
        return 'variable' in value.text
          ? always(bool(textIs(value.text.variable, 'matches', pattern)))
          : null;
      });
    }
    if (plan.kind !== 'function') return null;
    const test = textTests[node.name];
    if (test && operands.length === 2) {
      return inBothOrNull(this.#visit(first, frame), this.#visit(second as Node, frame), (one, two) => {
        if (one.kind === 'error' || two.kind === 'error') return always(failure);
        if (one.kind !== 'text' || two.kind !== 'text') return failed(one.kind === 'text' ? two : one);
        if (!('variable' in one.text) || !('constant' in two.text)) return null;
        return always(
          bool(two.text.constant === '' ? yes : textIs(one.text.variable, test, two.text.constant)),
        );
      });
    }
    const isKind = kindTests[node.name];
    if (isKind)
      return this.#each(first, frame, (value): Cases | null => {
        if (value.kind === 'error') return always(failure);
        if (value.kind === 'none') return always(bool(no));
        const inner = value.kind === 'some' ? value.of : always(value);
        return eachOrNull(inner, (its) => (its.kind === 'any' ? null : always(bool(truth(isKind(its))))));
      });
    switch (node.name) {
      case 'size':
        return this.#each(first, frame, (value) => this.#size(value, node, frame));
      case 'containsAny':
      case 'containsAll':
        return inBothOrNull(this.#visit(first, frame), this.#visit(second as Node, frame), (one, two) =>
          contained(node.name === 'containsAny', one, two),
        );
      case 'hasValue':
        return this.#each(first, frame, (value) =>
          value.kind === 'some' || value.kind === 'none'
            ? always(bool(truth(value.kind === 'some')))
            : failed(value),
        );
      case 'dyn':
      case 'double':
        return this.#each(first, frame, (value) =>
          node.name === 'dyn' || value.kind === 'number' || value.kind === 'error' ? always(value) : null,
        );
      case 'string':
        return this.#each(first, frame, (value) =>
          value.kind === 'text' || value.kind === 'error' ? always(value) : null,
        );
      case 'severityRank':
        return this.#each(first, frame, (value) =>
          value.kind === 'null' ? always(number(constantSum(0))) : rankOf(value),
        );
      default:
        return null;
    }
  }

  #size(value: Value, node: Node, frame: Frame): Cases | null {
    if (value.kind === 'list') return always(number(constantSum(value.elements.length)));
    if (value.kind === 'texts') return always(number(value.set.size()));
    if (value.kind === 'text' && 'constant' in value.text)
      return always(number(constantSum([...value.text.constant].length)));
    if (value.kind === 'text' || value.kind === 'json' || value.kind === 'counts')
      return always(number(variable(this.#natural(node, frame, `of ${JSON.stringify(value)}`))));
    return failed(value);
  }

  #natural(node: Node, frame: Frame, of: string): string {
    const { symbols } = this.#scope;
    const name = symbols.number(`size ${this.#keys.of(node, frame)} ${of}`, natural);
    symbols.unmodelled.set(name, { source: sourceOf(node, frame) });
    return name;
  }

  #macro(node: MacroNode, frame: Frame): Cases | null {
    if (node.variables.length !== 1 || node.filter !== null) return null;
    const slot = frame.expression.slots.get(node.variables[0] as NameNode) as number;
    if (node.macro === 'optMap')
      return this.#each(node.range, frame, (value) => {
        if (value.kind !== 'some') return value.kind === 'none' ? always(value) : failed(value);
        const body = this.#visit(
          node.body,
          withLocal(frame, slot, value.of, this.#keys.of(node.range, frame)),
        );
        return inEach(body, (its) => always(its.kind === 'error' ? its : { kind: 'some', of: always(its) }));
      });
    if (node.macro !== 'exists' && node.macro !== 'all') return null;
    const isAny = node.macro === 'exists';
    return this.#each(node.range, frame, (range): Cases | null => {
      if (range.kind === 'list')
        return casesOf(
          range.elements.reduce<Outcome>(
            (before, element, place) => {
              const inner = withLocal(frame, slot, element, `${this.#keys.of(node.range, frame)}[${place}]`);
              return joined(isAny ? '||' : '&&', before, this.#outcome(node.body, inner));
            },
            { holds: truth(!isAny), fails: no },
          ),
        );
      if (range.kind === 'texts') return this.#overTexts(range.set, node, slot, frame);
      return isCollection(range) ? null : failed(range);
    });
  }

  /** Each text that the body names is looked at, and one that stands for all others. */
  #overTexts(
    set: Extract<Value, { kind: 'texts' }>['set'],
    node: MacroNode,
    slot: number,
    frame: Frame,
  ): Cases {
    const isAny = node.macro === 'exists';
    const { symbols } = this.#scope;
    const base = `element of ${set.name} in ${this.#keys.of(node.body, frame)}`;
    const other = symbols.text(base, null);
    symbols.unmodelled.set(other, { source: sourceOf(node, frame) });
    const hasOther = flag(symbols.flag(`has ${base}`, { of: 'includes', list: set.name, text: base }));
    const bodyFor = (value: Value, key: string): Outcome =>
      this.#outcome(node.body, withLocal(frame, slot, always(value), key));
    const generic = bodyFor(textOf(other), base);
    const named = new Set(constantsComparedWith(other, [generic.holds, generic.fails]));
    for (const value of named) symbols.fact(`${base} is not ${value}`, () => not(textIs(other, 'is', value)));
    const parts = [...named].map((value) => {
      const { holds, fails } = bodyFor({ kind: 'text', text: { constant: value } }, JSON.stringify(value));
      return { member: set.has({ constant: value }), holds, fails };
    });
    parts.push({ member: hasOther, ...generic });
    const decides = parts.map(({ member, holds, fails }) =>
      and(member, isAny ? holds : and(not(holds), not(fails))),
    );
    const fails = parts.map((part) => and(part.member, part.fails));
    const decided = or(...decides);
    return casesOf({
      holds: isAny ? decided : and(not(decided), not(or(...fails))),
      fails: and(not(decided), or(...fails)),
    });
  }

  /** The value of what reads nothing but literals and params. */
  #constant(node: Node, frame: Frame): Cases | null {
    if (node.kind === 'select' && node.operand.kind === 'name' && node.operand.name === 'params') {
      if (frame.expression.slots.has(node.operand)) return null;
      if (node.test || node.optional) return null;
      const known = this.#params.get(node.field);
      if (known !== undefined) return known;
      const value = this.#scope.params[node.field];
      const cases = value === undefined ? null : casesOfValue(value);
      this.#params.set(node.field, cases);
      return cases;
    }
    if (!readsConstants(node, frame)) return null;
    const expression = { ...frame.expression, root: node };
    const constants = { params: this.#scope.params };
    return casesOfValue(compile(expression, constants).run(constants, createBudget()));
  }

  /** Any value that the type allows, or an error: the same one wherever the same is computed. */
  #unmodelled(node: Node, frame: Frame): Cases {
    const { symbols } = this.#scope;
    const source = sourceOf(node, frame);
    const key = this.#keys.of(node, frame);
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
    const { symbols, subject } = this.#scope;
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
    const set = this.#scope.subject.setOf(`list ${key}`);
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

/** The constants that a text is compared with in formulas. */
const constantsComparedWith = (text: string, formulas: readonly Formula[]): string[] =>
  atomsIn(formulas).flatMap((atom) =>
    atom.kind === 'text' && atom.name === text && atom.test === 'is' ? [atom.value] : [],
  );

const sourceOf = (node: Node, { expression }: Frame): string => expression.source.slice(node.start, node.end);
