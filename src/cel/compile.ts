import type { Budget } from './budget.ts';
import type { CheckedExpression } from './check.ts';
import { compileAccess, compileName } from './compile-access.ts';
import { compileCall } from './compile-call.ts';
import { compileList, compileMap } from './compile-literal.ts';
import { compileConditional } from './compile-logic.ts';
import { compileBind, compileMacro } from './compile-macro.ts';
import { compileOperator } from './compile-operator.ts';
import { type Activation, type CompileNode, Compiling, type Step, type Variables } from './compiling.ts';
import { CelError, SPENT } from './error.ts';

/** A compiled expression, to be run any number of times. It retains nothing of the data it ran over. */
export interface Program {
  /**
   * The value of the expression, or a CelError; never throws. Takes steps from the budget; once it is spent, every
   * run returns the error `budget_spent`.
   */
  run(activation: Activation, budget: Budget): unknown;
}

// Getters of the host may throw, and so may JavaScript when a string exceeds its maximum length.
const FAILURE = new CelError('host_failure', 'a value could not be read');

/** `constants`: JSON values of variables that are the same in every activation. They are read once, now. */
export function compile(expression: CheckedExpression, constants: Activation = {}): Program {
  return new CompiledProgram(expression, constants);
}

// A class, so that all programs share one method (monomorphic calls).
class CompiledProgram implements Program {
  private readonly root: Step;
  private readonly nodeCount: number;
  private readonly slotCount: number;
  constructor(expression: CheckedExpression, constants: Activation) {
    this.root = new Compiling(expression, constants as Variables, compileNode).step(expression.root);
    this.nodeCount = expression.nodeCount;
    this.slotCount = expression.slotCount;
  }

  run(activation: Activation, budget: Budget): unknown {
    budget.left -= this.nodeCount;
    if (budget.left < 0) return SPENT;
    try {
      // Each run has its own locals, because a getter of the host may run the same program again.
      const locals = this.slotCount === 0 ? NO_LOCALS : new Array(this.slotCount);
      return this.root(activation as Variables, budget, locals);
    } catch {
      return FAILURE;
    }
  }
}

const NO_LOCALS: unknown[] = [];

const compileNode: CompileNode = (compiling, node) => {
  switch (node.kind) {
    case 'name':
      return compileName(compiling, node);
    case 'select':
    case 'index':
      return compileAccess(compiling, node);
    case 'call':
      return compileCall(compiling, node);
    case 'operator':
      return compileOperator(compiling, node);
    case 'conditional':
      return compileConditional(compiling, node);
    case 'list':
      return compileList(compiling, node);
    case 'map':
      return compileMap(compiling, node);
    case 'macro':
      return compileMacro(compiling, node);
    case 'bind':
      return compileBind(compiling, node);
  }
};
