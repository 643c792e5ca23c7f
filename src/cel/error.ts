/**
 * A failed computation as a value: programs return it and do not throw it. `code` is stable. `message` is for the
 * author of the policy; it names fields and functions of the source, never data.
 */
export class CelError {
  readonly code: ErrorCode;
  readonly message: string;
  constructor(code: ErrorCode, message: string) {
    this.code = code;
    this.message = message;
  }
}

/**
 * A value that is not known, as in CEL's partial evaluation. Whatever needs the value is unknown as well. `&&`, `||` and
 * macros put it before an error, because the known value could decide: `false && error` is false.
 */
export class Unknown extends CelError {
  constructor(message: string) {
    super('unknown', message);
  }
}

export type ErrorCode =
  | 'no_such_variable'
  | 'no_such_key'
  | 'no_such_overload'
  | 'index_out_of_range'
  | 'division_by_zero'
  | 'overflow'
  | 'invalid_argument'
  | 'no_value'
  | 'duplicate_key'
  | 'budget_spent'
  | 'too_deep'
  | 'host_failure'
  | 'unknown';

/** Shared, so that running out of budget allocates nothing. */
export const SPENT = new CelError('budget_spent', 'it used up the budget of a decision');
export const TOO_DEEP = new CelError('too_deep', 'a value is nested too deeply');
export const OVERFLOW = new CelError('overflow', 'an integer left the range of 64 bits');
export const NO_KEY = new CelError('no_such_key', 'no such key');
export const OUT_OF_RANGE = new CelError('index_out_of_range', 'an index is out of range');

export const isError = (value: unknown): value is CelError => value instanceof CelError;
