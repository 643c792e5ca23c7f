import type { Overload } from './declaration.ts';
import type { CelType } from './type.ts';

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
