import { type Budget, type CheckedExpression, compile, type Program } from '../cel/index.ts';

/** Creates the `vars` of one evaluation: an object whose fields are computed when they are first read. */
export type BindVariables = (activation: object, budget: Budget) => object;

/** The values of one evaluation. Programs read a field of it by name; the getters are in its subclasses. */
class Variables {
  // Private fields, because a variable may have any name.
  readonly #activation: object;
  readonly #budget: Budget;
  #values: unknown[] | undefined;

  constructor(activation: object, budget: Budget) {
    this.#activation = activation;
    this.#budget = budget;
    this.#values = undefined;
  }

  /** The value of a variable that fails is its error, for every rule that reads it. */
  static read(variables: Variables, index: number, program: Program): unknown {
    let values = variables.#values;
    if (values === undefined) {
      values = [];
      variables.#values = values;
    }
    let value = values[index];
    if (value === undefined) {
      value = program.run(variables.#activation, variables.#budget);
      values[index] = value;
    }
    return value;
  }
}

const none = Object.freeze({});

/**
 * Compiles the variables of a policy, once, to a class with one getter each. An evaluation then allocates one small
 * object, and a list of values only when a variable is read.
 */
export function compileVariables(
  expressions: ReadonlyMap<string, CheckedExpression>,
  constants: object,
): BindVariables {
  if (expressions.size === 0) return () => none;
  class PolicyVariables extends Variables {}
  const own: PropertyDescriptorMap = {};
  for (const [index, [name, expression]] of [...expressions].entries()) {
    const program = compile(expression, constants);
    const descriptor = {
      get(this: Variables) {
        return Variables.read(this, index, program);
      },
      enumerable: true,
    };
    if (isInherited(name)) own[name] = descriptor;
    else Object.defineProperty(PolicyVariables.prototype, name, descriptor);
  }
  if (Object.keys(own).length === 0) return (activation, budget) => new PolicyVariables(activation, budget);
  return (activation, budget) => Object.defineProperties(new PolicyVariables(activation, budget), own);
}

/** Names such as `constructor` and `size`, which programs read only where they are an object's own. */
function isInherited(name: string): boolean {
  return name in Array.prototype || name in Map.prototype;
}
