import type { ErrorCode } from '../errors.ts';

/**
 * Why a call failed: a code of the service, or one of the client itself.
 * `network`: no response. `timeout`: none in time. `unexpected_response`: the response is not from this service.
 */
export type AssizeErrorCode = ErrorCode | 'network' | 'timeout' | 'unexpected_response';

/** One reason, as the service gave it. `path` is the JSON Pointer of the offending field; policy issues add line and column. */
export interface AssizeErrorDetail {
  code: string;
  message: string;
  path?: string;
  line?: number;
  column?: number;
  hint?: string;
}

export interface AssizeErrorOptions {
  status?: number | null;
  errors?: readonly AssizeErrorDetail[];
  requestId?: string | null;
  retryAfterSeconds?: number | null;
  cause?: unknown;
}

/** The error of every failed call. Only an abort by the caller's signal rejects with something else: that signal's reason. */
export class AssizeError extends Error {
  readonly code: AssizeErrorCode;
  /** HTTP status; null when there was no response. */
  readonly status: number | null;
  /** All reasons the service gave, the first of which is `message`. */
  readonly errors: readonly AssizeErrorDetail[];
  /** The response's `x-request-id`, to find the request in the service's log. */
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;

  constructor(code: AssizeErrorCode, message: string, options: AssizeErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AssizeError';
    this.code = code;
    this.status = options.status ?? null;
    this.errors = options.errors ?? [];
    this.requestId = options.requestId ?? null;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
  }
}
