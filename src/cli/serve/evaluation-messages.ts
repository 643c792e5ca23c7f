import { AppError, type AppErrorOptions, type ErrorCode } from '../../errors.ts';
import type { EvaluationOptions } from '../../evaluate/evaluate.ts';
import type { StoredEvent } from '../../store/store.ts';

// Messages between the event loop and the evaluation thread. A message holds several evaluations, because each message wakes a thread.

/** A request to evaluate. The body is sent as its text, and parsed again: that is cheaper than to copy objects. */
export interface SentEvaluation {
  readonly id: number;
  /** SHA-256 of the caller's key. The thread looks the caller up itself, so a key that was revoked meanwhile is refused. */
  readonly keyHash: string;
  readonly text: string;
  /** When it was read, by the clock of the event loop's `performance.now()`. */
  readonly beganAt: number;
  /** Null when all of them have their defaults. */
  readonly options: SentOptions | null;
}

export type SentOptions = Pick<EvaluationOptions, 'redact' | 'idempotencyKey' | 'trace' | 'identityToken'>;

export type ToThread = readonly SentEvaluation[] | 'close';

/** The result of one evaluation: either a response text or an error. */
export interface Answer {
  readonly id: number;
  readonly text: string | null;
  readonly replayed: boolean;
  readonly error: SentError | null;
}

/** A call of an observer of metrics or traces, which live on the event loop. */
export type Observed =
  | { readonly of: 'decided'; readonly decision: readonly unknown[] }
  | { readonly of: 'committed'; readonly changes: number; readonly seconds: number }
  | { readonly of: 'synced'; readonly seconds: number };

export type FromThread =
  | { readonly kind: 'ready' }
  | {
      readonly kind: 'answers';
      readonly answers: readonly Answer[];
      readonly observed: readonly Observed[];
    }
  | { readonly kind: 'events'; readonly events: readonly StoredEvent[] }
  | { readonly kind: 'trouble'; readonly error: SentError }
  | {
      readonly kind: 'unprotected';
      readonly integrations: readonly { id: string; name: string }[];
      readonly message: string;
    };

/** An error in a message: a structured clone of an error loses its class and its own fields. */
export interface SentError {
  readonly name: string;
  readonly message: string;
  readonly stack: string | null;
  /** Null unless it is an `AppError`. */
  readonly app: { readonly code: ErrorCode; readonly options: Omit<AppErrorOptions, 'cause'> } | null;
  readonly cause: SentError | null;
}

/** Causes of causes that are sent. */
const deepestCause = 4;

export function packError(error: unknown, depth = 0): SentError {
  const { name = 'Error', message = String(error), stack = null, cause } = (error ?? {}) as Partial<Error>;
  const app = error instanceof AppError ? appOf(error) : null;
  const isCaused = cause !== undefined && depth < deepestCause;
  return { name, message, stack, app, cause: isCaused ? packError(cause, depth + 1) : null };
}

function appOf({ code, details, retryAfterSeconds, logAggregated }: AppError): SentError['app'] {
  const retry = retryAfterSeconds === null ? {} : { retryAfterSeconds };
  return { code, options: { details, logAggregated, ...retry } };
}

export function unpackError({ name, message, stack, app, cause }: SentError): Error {
  const caused = cause === null ? {} : { cause: unpackError(cause) };
  if (app) return new AppError(app.code, message, { ...app.options, ...caused });
  const error = new Error(message, caused);
  error.name = name;
  if (stack !== null) error.stack = stack;
  return error;
}
