import type { CallNode, NameNode, Node } from './ast.ts';
import type { Budget } from './budget.ts';
import type { CheckedExpression } from './check.ts';
import type { CallPlan } from './checking.ts';
import type { CelType } from './type.ts';

/** The variables of one evaluation; read under the names the environment declares, and only those. */
export type Activation = object;
export type Variables = Readonly<Record<string, unknown>>;

/**
 * A compiled node. Answers a value or a CelError, and with some steps of compile-access.ts undefined for "missing".
 * `locals` holds the values that macros bound, under their slots.
 */
export type Step = (variables: Variables, budget: Budget, locals: unknown[]) => unknown;

/** A checked expression while it is compiled; the compile-*.ts files beside this one each turn some nodes into steps. */
export class Compiling {
  private readonly checked: CheckedExpression;
  private readonly compile: (compiling: Compiling, node: Node) => Step;
  constructor(checked: CheckedExpression, compile: (compiling: Compiling, node: Node) => Step) {
    this.checked = checked;
    this.compile = compile;
  }

  step(node: Node): Step {
    return this.compile(this, node);
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
