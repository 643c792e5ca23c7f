import type { Budget } from './budget.ts';
import { type CelType, type TypeVariable, types } from './type.ts';

/** The limits of one source text. Each is checked before anything runs; the README explains the numbers. */
export interface Limits {
  /** UTF-8 bytes of a source text. */
  sourceBytes: number;
  /** Nodes of its tree. */
  nodes: number;
  /** Nesting of brackets, calls, macros and branches; chains such as `a || b || c` count once. */
  depth: number;
  /** Worst-case cost in steps, see cost.ts. */
  cost: number;
  /** Instructions of one compiled regular expression. */
  regexProgramSize: number;
  /** UTF-16 units of one regular expression. */
  regexLength: number;
}

export const defaultLimits: Limits = {
  sourceBytes: 4096,
  nodes: 500,
  depth: 24,
  cost: 1_500_000,
  regexProgramSize: 300,
  regexLength: 512,
};

/** The variables and functions an expression may use, and the cost it may have. */
export interface CelEnvironment {
  readonly variables: Readonly<Record<string, CelType>>;
  /** JSON values of variables that are the same in every run. A regular expression may be one of them. */
  readonly constants?: Readonly<Record<string, unknown>>;
  /** Functions of the host, called by name. */
  readonly functions?: readonly Overload[];
  readonly limits?: Partial<Limits>;
}

/** The parameter and result types of a function or an operator. A receiver counts as the first parameter. */
export interface Signature {
  readonly params: readonly CelType[];
  readonly result: CelType;
}

/**
 * One overload of a function. `run` is called with values of its parameters' types and returns a value or a CelError.
 * It must never throw, and must charge the budget for all work that is not constant.
 */
export interface Overload extends Signature {
  readonly name: string;
  readonly member: boolean;
  readonly run: (budget: Budget, ...args: unknown[]) => unknown;
}

/** Stand for any type in a signature; each call replaces them with its own variables. */
export const A: TypeVariable = { kind: 'variable', id: -1 };
export const B: TypeVariable = { kind: 'variable', id: -2 };
export const listOfA = types.list(A);
export const mapOfAToB: CelType = { kind: 'map', key: A, value: B };

type Run<Args extends unknown[]> = (budget: Budget, ...args: Args) => unknown;

/**
 * `name(params)`; a name with a dot is a function in a namespace. `run` gets every number as a `number`: integers
 * beyond 2^53 as the nearest double, which is far out of range for positions and counts.
 */
export function global<Args extends unknown[]>(
  name: string,
  params: readonly CelType[],
  result: CelType,
  run: Run<Args>,
): Overload {
  const overload = globalExact(name, params, result, run);
  if (!params.some(({ kind }) => kind === 'int' || kind === 'double')) return overload;
  const { run: onNumbers } = overload;
  return { ...overload, run: (budget, ...args) => onNumbers(budget, ...args.map(asNumber)) };
}

const asNumber = (value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value);

/** The same, but `run` gets integers beyond 2^53 as bigints. */
export function globalExact<Args extends unknown[]>(
  name: string,
  params: readonly CelType[],
  result: CelType,
  run: Run<Args>,
): Overload {
  // Sound because the compiler checks every argument against `params` before it calls.
  return { name, member: false, params, result, run: run as unknown as Overload['run'] };
}

/** `params[0].name(params[1], …)`. */
export function member<Args extends unknown[]>(
  name: string,
  params: readonly CelType[],
  result: CelType,
  run: Run<Args>,
): Overload {
  return { ...global(name, params, result, run), member: true };
}

/** A signature with the variables of one call in place of A and B. */
export function instantiate(signature: Signature, fresh: () => TypeVariable): Signature {
  if (!signature.params.some(mentionsVariable)) return signature;
  const replacements = new Map([
    [A.id, fresh()],
    [B.id, fresh()],
  ]);
  const replace = (type: CelType): CelType => {
    if (type.kind === 'variable') return replacements.get(type.id) as TypeVariable;
    if (type.kind === 'list') return types.list(replace(type.element));
    if (type.kind === 'optional') return types.optional(replace(type.value));
    if (type.kind === 'map') return { kind: 'map', key: replace(type.key), value: replace(type.value) };
    return type;
  };
  return { params: signature.params.map(replace), result: replace(signature.result) };
}

function mentionsVariable(type: CelType): boolean {
  if (type.kind === 'list') return mentionsVariable(type.element);
  if (type.kind === 'map') return mentionsVariable(type.key);
  if (type.kind === 'optional') return mentionsVariable(type.value);
  return type.kind === 'variable';
}
