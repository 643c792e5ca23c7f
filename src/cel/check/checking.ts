import type { CallNode, NameNode, Node } from '../ast.ts';
import {
  type CelEnvironment,
  instantiate,
  type Limits,
  type Overload,
  type Signature,
} from '../environment.ts';

import type { IssueCode, Span, UnplacedIssue } from '../issue.ts';
import type { Pattern } from '../regex.ts';
import { type CelType, sameType, typeName, types } from '../type.ts';
import type { TypeValue } from '../value.ts';
import { Inference } from './inference.ts';
import type { PatternFunction } from './operators.ts';

/** The names in scope: those bound by macros, innermost first, then the variables of the host. */
export interface Scope {
  readonly name: string;
  readonly type: CelType;
  readonly slot: number;
  readonly outer: Scope | null;
}

/** How a call is carried out; `operands` has the receiver first. */
export type CallPlan =
  | { readonly kind: 'function'; readonly operands: readonly Node[]; readonly overloads: readonly Overload[] }
  | {
      readonly kind: PatternFunction;
      readonly operands: readonly Node[];
      readonly pattern: Pattern | null;
    }
  | { readonly kind: 'or' | 'orValue'; readonly operands: readonly Node[] };

/** The state of one check. The rules of the language are in the check-*.ts files beside this one. */
export class Checking {
  readonly issues: UnplacedIssue[] = [];
  readonly inference = new Inference();
  readonly types = new Map<Node, CelType>();
  readonly calls = new Map<CallNode, CallPlan>();
  /** Slots of the names macros bind, under the nodes that bind or read them. */
  readonly slots = new Map<NameNode, number>();
  slotCount = 0;
  /** Paths from a variable of the host, under the outermost node that reads them. */
  readonly paths = new Map<Node, readonly string[]>();
  /** Names of types, under the nodes that are one. */
  readonly typeNames = new Map<Node, TypeValue>();
  readonly variables: ReadonlyMap<string, CelType>;
  /** JSON values of variables that are the same in every run. */
  readonly constants: object;
  /** Functions of the host, called by name. */
  readonly functions: ReadonlyMap<string, readonly Overload[]>;
  readonly limits: Limits;
  private readonly check: (checking: Checking, node: Node, scope: Scope | null) => CelType;

  constructor(
    environment: CelEnvironment,
    limits: Limits,
    check: (checking: Checking, node: Node, scope: Scope | null) => CelType,
  ) {
    this.variables = new Map(Object.entries(environment.variables));
    this.constants = environment.constants ?? {};
    this.functions = Map.groupBy(environment.functions ?? [], ({ name }) => name);
    this.limits = limits;
    this.check = check;
  }

  /** Checks a node and its descendants, and records its type. */
  visit(node: Node, scope: Scope | null): CelType {
    const type = this.check(this, node, scope);
    this.types.set(node, type);
    return type;
  }

  /** Records an issue. Checking continues with dyn, which fits everywhere, so that one mistake gives one issue. */
  report(code: IssueCode, message: string, at: Span, hint?: string): CelType {
    this.issues.push({ code, message, at: { start: at.start, end: at.end }, hint });
    return types.dyn;
  }

  /** The signatures that fit the arguments, and the result they agree on, or null when none fits. */
  resolve<Kind extends Signature>(
    signatures: readonly Kind[],
    given: readonly CelType[],
  ): { result: CelType; fitting: Kind[] } | null {
    // Choosing an overload must not decide the element type of `[]`: the first one that fits would win.
    const args = signatures.length > 1 ? given.map((type) => this.inference.openAsDyn(type)) : given;
    let result: CelType | null = null;
    const fitting: Kind[] = [];
    for (const signature of signatures) {
      if (signature.params.length !== args.length) continue;
      const own = instantiate(signature, () => this.inference.fresh());
      if (!this.inference.assignAll(args, own.params)) continue;
      fitting.push(signature);
      const its = this.inference.substitute(own.result);
      result = result === null || sameType(result, its) ? its : types.dyn;
    }
    return result === null ? null : { result, fitting };
  }

  /** Binds a name for the body of a macro. */
  bind(variable: NameNode, type: CelType, outer: Scope | null): Scope {
    const slot = outer === null ? 0 : outer.slot + 1;
    this.slotCount = Math.max(this.slotCount, slot + 1);
    this.slots.set(variable, slot);
    return { name: variable.name, type, slot, outer };
  }

  /** Reports a part that does not have the type required at its place. */
  expect(node: Node, found: CelType, wanted: CelType, what: string): void {
    if (this.inference.assign(found, wanted)) return;
    const message = `${what} is ${this.name(found)}, expected ${this.name(wanted)}`;
    const hint = wanted.kind === 'bool' ? 'compare it with something' : undefined;
    this.report('type_mismatch', message, node, hint);
  }

  name(type: CelType): string {
    return typeName(this.inference.substitute(type));
  }
}
