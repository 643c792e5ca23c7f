/** The stable codes of every error response. A transport maps each to its own status once. */
export const errorCodes = [
  'invalid',
  'unauthenticated',
  'forbidden',
  'not_found',
  'method_not_allowed',
  'conflict',
  'precondition_failed',
  'rate_limited',
  'too_large',
  'unavailable',
  'internal',
] as const;
export type ErrorCode = (typeof errorCodes)[number];

/** One entry of an error response. `path` is the JSON Pointer of the offending field; policy issues add their place in the document. */
export interface ErrorDetail {
  message: string;
  path?: string;
  line?: number;
  column?: number;
  hint?: string;
}

export interface AppErrorOptions {
  /** Logged, never sent to the caller. */
  cause?: unknown;
  path?: string;
  details?: readonly ErrorDetail[];
  /** Seconds after which the caller may try again. */
  retryAfterSeconds?: number;
  /** Logged in a summary line with others like it, not in a line of its own. */
  logAggregated?: boolean;
}

/** An error whose `message` is public by definition: it is sent to the caller as it stands. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[];
  readonly retryAfterSeconds: number | null;
  readonly logAggregated: boolean;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.details = options.details ?? [
      options.path === undefined ? { message } : { message, path: options.path },
    ];
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
    this.logAggregated = options.logAggregated ?? false;
  }
}

/** For the `default:` of a switch over a union: a kind nobody handles must stop the request, because skipping it would allow. */
export function never(value: never): never {
  throw new Error(`unhandled case: ${JSON.stringify(value)}`);
}
