import type { CallNode, LiteralNode, NameNode, Node } from '../ast.ts';
import type { Budget } from '../budget.ts';
import type { CheckedExpression } from '../check/check.ts';
import type { CallPlan } from '../check/checking.ts';
import type { CelType } from '../type.ts';
import { lookupIn } from '../value.ts';

/** The variables of one evaluation; read under the names the environment declares, and only those. */
export type Activation = object;
export type Variables = Readonly<Record<string, unknown>>;

/**
 * A compiled node. Returns a value or a CelError; some steps of compile-access.ts return undefined for "missing".
 * `locals` holds the values that macros bound, under their slots.
 */
export type Step = (variables: Variables, budget: Budget, locals: unknown[]) => unknown;

/** Turns a node into a step that is not known to be constant. */
export type CompileNode = (compiling: Compiling, node: Exclude<Node, LiteralNode>) => Step;

/** The state of one compilation. Each of the compile-*.ts files beside this one compiles some kinds of nodes. */
export class Compiling {
  private readonly checked: CheckedExpression;
  private readonly constants: Variables;
  private readonly compile: CompileNode;
  constructor(checked: CheckedExpression, constants: Variables, compile: CompileNode) {
    this.checked = checked;
    this.constants = constants;
    this.compile = compile;
  }

  step(node: Node): Step {
    if (node.kind === 'literal') return () => node.value;
    const value = this.constant(node);
    return value === undefined ? this.compile(this, node) : () => value;
  }

  /** The value of a node that is known before any run: a literal, or a part of a constant. Undefined for others. */
  constant(node: Node): unknown {
    const named = this.checked.typeNames.get(node);
    if (named !== undefined) return named;
    switch (node.kind) {
      case 'literal':
        return node.value;
      case 'name':
        return this.slot(node) === undefined ? lookupIn(this.constants, node.name) : undefined;
      case 'select':
        return node.test || node.optional ? undefined : lookupIn(this.constant(node.operand), node.field);
      default:
        return undefined;
    }
  }

  typeOf(node: Node): CelType {
    return this.checked.types.get(node) as CelType;
  }

  plan(node: CallNode): CallPlan {
    return this.checked.calls.get(node) as CallPlan;
  }

  /** The slot of a name bound by a macro; undefined for a variable of the host. */
  slot(node: NameNode): number | undefined {
    return this.checked.slots.get(node);
  }
}
