import { type Budget, type CheckedExpression, compile, type Program } from '../cel/index.ts';

/** Makes the `vars` of one evaluation: an object whose fields are computed when first read. */
export type BindVariables = (activation: object, budget: Budget) => object;

const none = Object.freeze({});

/**
 * Compiles the variables of a policy to a class with one getter each, made once: an evaluation allocates one small
 * object, and the list of values only when a variable is read. A variable that fails is its error, for all who read it.
 */
export function compileVariables(expressions: ReadonlyMap<string, CheckedExpression>): BindVariables {
  if (expressions.size === 0) return () => none;
  const own: PropertyDescriptorMap = {};
  class Variables {
    // Private names: a variable may be called anything, also `activation`.
    readonly #activation: object;
    readonly #budget: Budget;
    #values: unknown[] | undefined;
    constructor(activation: object, budget: Budget) {
      this.#activation = activation;
      this.#budget = budget;
      if (hasOwn) Object.defineProperties(this, own);
    }
    static read(self: Variables, index: number, program: Program): unknown {
      self.#values ??= [];
      const values = self.#values;
      if (!(index in values)) values[index] = program.run(self.#activation, self.#budget);
      return values[index];
    }
  }
  for (const [index, [name, expression]] of [...expressions].entries()) {
    const program = compile(expression);
    const descriptor = {
      get(this: Variables) {
        return Variables.read(this, index, program);
      },
      enumerable: true,
    };
    if (isInherited(name)) own[name] = descriptor;
    else Object.defineProperty(Variables.prototype, name, descriptor);
  }
  const hasOwn = Object.keys(own).length > 0;
  return (activation, budget) => new Variables(activation, budget);
}

/** Names such as `constructor` and `size`, which programs read only where they are an object's own. */
function isInherited(name: string): boolean {
  return name in Array.prototype || name in Map.prototype;
}
