import { PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server';
import { AppError } from '../errors.ts';
import { checkJson, deepestBody } from '../http/json-checks.ts';
import { memberText } from '../json/member-text.ts';

export const latestVersion = '2026-07-28';

/** Newest first: the first of the older ones is offered to a client that asks for one we do not speak. */
export const protocolVersions = [latestVersion, '2025-11-25', '2025-06-18', '2025-03-26'];

/** One JSON-RPC message, and the parts of it that are used outside the SDK. */
export interface Message {
  /** The body that the SDK receives. */
  body: Record<string, unknown>;
  method: unknown;
  meta: Readonly<Record<string, unknown>>;
  /** JSON text of a tool's arguments, as it was sent. */
  argumentsText: string;
  /** Why the arguments are refused; the SDK then receives none. */
  refusal: AppError | null;
  /** Since 2026-07-28, every request names its revision; earlier revisions do not. */
  modern: boolean;
}

/** Throws unless the body is a single message: the rate limiter would count a batch of calls as one. */
export function readMessage(value: unknown, text: string): Message {
  if (Array.isArray(value))
    throw new AppError('invalid', 'batches are not supported: send one message per request');
  if (!isObject(value)) throw new AppError('invalid', 'the body must be a JSON-RPC message');
  const params = isObject(value.params) ? value.params : {};
  const { arguments: given, ...others } = params;
  checkJson({ ...value, params: others }, '', { depth: deepestBody, noBigIntegers: true });
  const refusal = argumentsError(given);
  const meta = isObject(params._meta) ? params._meta : {};
  return {
    body: refusal ? { ...value, params: { ...others, arguments: {} } } : value,
    method: value.method,
    meta,
    argumentsText: isObject(given)
      ? (memberText(memberText(text, 'params') ?? '{}', 'arguments') ?? '{}')
      : '{}',
    refusal,
    modern: meta[PROTOCOL_VERSION_META_KEY] !== undefined,
  };
}

/** A tool's arguments have the limits of a REST body. The refusal becomes the tool's result, because a model reads nothing else. */
function argumentsError(given: unknown): AppError | null {
  try {
    checkJson(given);
    return null;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
