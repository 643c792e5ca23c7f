import type { ErrorCode } from '../errors.ts';

/**
 * Why a call failed: a code of the service, or one of this client's own.
 * `network`: no answer came. `timeout`: none came in time. `unexpected_answer`: what came is not of this service.
 */
export type AssizeErrorCode = ErrorCode | 'network' | 'timeout' | 'unexpected_answer';

/** One reason, as the service gave it. `path` is the JSON Pointer of the offending field; policy issues add their place. */
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

/** The one error of every call. An abort by the caller's own signal is none: it rejects with that signal's reason. */
export class AssizeError extends Error {
  readonly code: AssizeErrorCode;
  /** HTTP status; null when no answer came. */
  readonly status: number | null;
  /** All reasons the service gave, the first of which is `message`. */
  readonly errors: readonly AssizeErrorDetail[];
  /** The `x-request-id` of the answer, to find it in the service's log. */
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
