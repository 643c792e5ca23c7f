import type { Overload } from './declaration.ts';
import type { Limits } from './limits.ts';
import type { CelType } from './type.ts';

/** The variables and functions an expression may use, and the cost it may have. */
export interface CelEnvironment {
  readonly variables: Readonly<Record<string, CelType>>;
  /** JSON values of variables that are the same in every run. A regular expression may be one of them. */
  readonly constants?: Readonly<Record<string, unknown>>;
  /** Functions of the host, called by name. */
  readonly functions?: readonly Overload[];
  readonly limits?: Partial<Limits>;
}
