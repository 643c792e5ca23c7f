import type { CallNode, MacroNode, NameNode, Node, OperatorNode } from '../ast.ts';
import { type Pattern, SEARCH_FACTOR } from '../regex.ts';
import type { CelType } from '../type.ts';
import type { CallPlan } from './checking.ts';

// The assumed size of a value about which nothing is known. Real values may be larger; then the budget stops the
// program. This estimate refuses expressions at check time that are too expensive even for ordinary values.
const ASSUMED_ELEMENTS = 100;
const ASSUMED_CHARACTERS = 200;

/** Steps to compute a value, and its size in characters or elements. */
interface Estimate {
  readonly steps: number;
  readonly size: number;
}

export interface Costed {
  readonly types: ReadonlyMap<Node, CelType>;
  readonly calls: ReadonlyMap<CallNode, CallPlan>;
  readonly slots: ReadonlyMap<NameNode, number>;
}

/** Worst-case steps of a checked tree, under the assumed sizes. */
export function worstCase(root: Node, checked: Costed): number {
  return new Estimator(checked).estimate(root).steps;
}

class Estimator {
  private readonly checked: Costed;
  /** Sizes of the values bound by macros, under their slots. */
  private readonly bound: number[] = [];
  constructor(checked: Costed) {
    this.checked = checked;
  }

  estimate(node: Node): Estimate {
    switch (node.kind) {
      case 'literal':
        return { steps: 1, size: typeof node.value === 'string' ? node.value.length : 0 };
      case 'name':
        return { steps: 1, size: this.sizeOfName(node) };
      case 'select':
        return { steps: 1 + this.estimate(node.operand).steps, size: this.sizeByType(node) };
      case 'index':
        return { steps: 1 + this.sum([node.operand, node.key]).steps, size: this.sizeByType(node) };
      case 'operator':
        return this.operator(node);
      case 'conditional': {
        const yes = this.estimate(node.yes);
        const no = this.estimate(node.no);
        const steps = 1 + this.estimate(node.condition).steps + Math.max(yes.steps, no.steps);
        return { steps, size: Math.max(yes.size, no.size) };
      }
      case 'call':
        return this.call(node);
      case 'list': {
        const { steps } = this.sum(node.elements.map((element) => element.node));
        return { steps: 1 + steps, size: node.elements.length };
      }
      case 'map': {
        const { steps } = this.sum(node.entries.flatMap(({ key, value }) => [key, value.node]));
        return { steps: 1 + steps, size: node.entries.length };
      }
      case 'macro':
        return this.macro(node);
      case 'bind': {
        const value = this.estimate(node.value);
        this.bound[this.slotOf(node.variable)] = value.size;
        const body = this.estimate(node.body);
        return { steps: 1 + value.steps + body.steps, size: body.size };
      }
    }
  }

  private operator(node: OperatorNode): Estimate {
    const operands = node.operands.map((operand) => this.estimate(operand));
    const steps = operands.reduce((total, operand) => total + operand.steps, 1);
    const sizes = operands.map(({ size }) => size);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    switch (node.operator) {
      case '+':
        return { steps: steps + total, size: total };
      case 'in':
        return { steps: steps + total, size: 0 };
      case '==':
      case '!=':
        // Values of different sizes differ at once.
        return { steps: steps + Math.min(...sizes), size: 0 };
      default:
        return { steps, size: 0 };
    }
  }

  private call(node: CallNode): Estimate {
    const plan = this.checked.calls.get(node) as CallPlan;
    const { steps, size } = this.sum(plan.operands);
    if ('pattern' in plan) {
      const { programSize } = plan.pattern as Pattern;
      const each = plan.kind === 'matches' ? programSize : SEARCH_FACTOR * programSize;
      return { steps: 1 + steps + size * each, size: plan.kind === 'matches' ? 0 : size };
    }
    return { steps: 1 + steps + size, size: this.sizeByType(node) === 0 ? 0 : size };
  }

  private macro(node: MacroNode): Estimate {
    const range = this.estimate(node.range);
    const known = node.range.kind === 'list' || this.checked.types.get(node.range)?.kind === 'list';
    const count = known ? range.size : Math.min(range.size, ASSUMED_ELEMENTS);
    for (const variable of node.variables) this.bound[this.slotOf(variable)] = this.sizeByType(variable);
    const each = this.sum(node.filter === null ? [node.body] : [node.filter, node.body]).steps + 1;
    return { steps: 1 + range.steps + count * each, size: this.sizeByType(node) === 0 ? 0 : count };
  }

  private sum(nodes: readonly Node[]): Estimate {
    const all = nodes.map((node) => this.estimate(node));
    return {
      steps: all.reduce((total, { steps }) => total + steps, 0),
      size: all.reduce((total, { size }) => total + size, 0),
    };
  }

  private slotOf(variable: NameNode): number {
    return this.checked.slots.get(variable) as number;
  }

  private sizeOfName(node: NameNode): number {
    const slot = this.checked.slots.get(node);
    return (slot === undefined ? undefined : this.bound[slot]) ?? this.sizeByType(node);
  }

  private sizeByType(node: Node): number {
    return assumedSize(this.checked.types.get(node));
  }
}

function assumedSize(type: CelType | undefined): number {
  switch (type?.kind) {
    case 'string':
    case 'dyn':
      return ASSUMED_CHARACTERS;
    case 'list':
    case 'map':
      return ASSUMED_ELEMENTS;
    case 'optional':
      return assumedSize(type.value);
    default:
      return 0;
  }
}
