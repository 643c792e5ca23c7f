import type { Node, SelectNode } from '../../cel/ast.ts';
import type { CheckedExpression } from '../../cel/index.ts';
import { stringifyJson } from '../../json/stringify.ts';
import type { CounterKind, SubjectModel } from './subject-model.ts';
import type { Symbols } from './symbols.ts';
import type { Cases } from './value.ts';

/** Everything that the expressions of one policy read. */
export interface Scope {
  readonly symbols: Symbols;
  readonly subject: SubjectModel;
  readonly params: Readonly<Record<string, unknown>>;
  readonly variables: ReadonlyMap<string, CheckedExpression>;
  /** The definition and the form of a counter; null for none of that name. */
  counter(name: string): (CounterKind & { definition: string }) | null;
  /** Values in place of those of the subject, by path: the decision, and the session after an action. */
  readonly given: ReadonlyMap<string, Cases>;
  /** Nodes still to be translated. */
  readonly left: { nodes: number };
}

/** An expression, and what is bound in it where a node stands. */
export interface Frame {
  readonly expression: CheckedExpression;
  readonly locals: ReadonlyMap<number, Cases>;
  readonly names: ReadonlyMap<number, string>;
}

export const withLocal = (frame: Frame, slot: number, value: Cases, name: string): Frame => ({
  expression: frame.expression,
  locals: new Map([...frame.locals, [slot, value]]),
  names: new Map([...frame.names, [slot, name]]),
});

/** The text of a part of an expression. */
export const sourceOf = (node: Node, { expression }: Frame): string =>
  expression.source.slice(node.start, node.end);

/** Names for computations that are not modelled, so that one computation has one value wherever it stands. */
export class ComputationKeys {
  readonly #scope: Scope;
  readonly #keys = new WeakMap<Node, string>();

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  /** The same for two computations that are the same, also in another policy. */
  of(node: Node, frame: Frame): string {
    if (frame.locals.size > 0) return this.#scope.symbols.short(this.#long(node, frame));
    const known = this.#keys.get(node) ?? this.#scope.symbols.short(this.#long(node, frame));
    this.#keys.set(node, known);
    return known;
  }

  #long(node: Node, frame: Frame): string {
    const inner = (one: Node): string => this.of(one, frame);
    const { given } = this.#scope;
    switch (node.kind) {
      case 'literal':
        return typeof node.value === 'bigint' ? `${node.value}n` : JSON.stringify(node.value);
      case 'name': {
        const slot = frame.expression.slots.get(node);
        if (slot !== undefined) return frame.names.get(slot) ?? `#${slot}`;
        return given.has(node.name) ? `${node.name}'` : node.name;
      }
      case 'select':
        return this.#select(node, frame);
      case 'index':
        return `${inner(node.operand)}[${node.optional ? '?' : ''}${inner(node.key)}]`;
      case 'call':
        return `${node.name}(${[...(node.target ? [node.target] : []), ...node.args].map(inner).join()})`;
      case 'operator':
        // Integers are divided in another way than other numbers.
        return `(${node.operator}${frame.expression.types.get(node)?.kind === 'int' ? ' int' : ''} ${node.operands.map(inner).join()})`;
      case 'conditional':
        return `(${inner(node.condition)}?${inner(node.yes)}:${inner(node.no)})`;
      case 'list':
        return `[${node.elements.map(({ node: one, optional }) => `${optional ? '?' : ''}${inner(one)}`).join()}]`;
      case 'map':
        return `{${node.entries.map(({ key, value }) => `${inner(key)}:${value.optional ? '?' : ''}${inner(value.node)}`).join()}}`;
      case 'macro': {
        const names = node.variables.map(({ name }) => name).join();
        const filter = node.filter === null ? '' : `,${inner(node.filter)}`;
        return `${node.macro}(${inner(node.range)},${names}${filter},${inner(node.body)})`;
      }
      case 'bind':
        return `bind(${node.variable.name},${inner(node.value)},${inner(node.body)})`;
    }
  }

  /** Variables are what they stand for, params their values and counters their definitions: names mean nothing elsewhere. */
  #select(node: SelectNode, frame: Frame): string {
    const { operand, field } = node;
    if (operand.kind === 'name' && !frame.expression.slots.has(operand)) {
      const { variables, params, counter, given } = this.#scope;
      const root = operand.name;
      const variable = root === 'vars' ? variables.get(field) : undefined;
      if (variable)
        return this.of(variable.root, { expression: variable, locals: new Map(), names: new Map() });
      if (root === 'params')
        return params[field] === undefined ? `params.${field}` : stringifyJson(params[field]);
      if (root === 'counters') return `counter ${counter(field)?.definition}`;
      if (given.has(`${root}.${field}`)) return `${root}'.${field}`;
    }
    return `${node.test ? 'has ' : ''}${this.of(operand, frame)}.${node.optional ? '?' : ''}${field}`;
  }
}
