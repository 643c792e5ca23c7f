import { isUtf8 } from 'node:buffer';
import { PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors.ts';
import { checkJson, deepestBody, memberText } from '../http/json-checks.ts';
import { inTurn, readJson } from '../http/plugins/json-body.ts';

/** One JSON-RPC message, with the parts of it that matter outside the SDK. */
export interface Message {
  /** What the SDK gets. */
  body: Record<string, unknown>;
  method: unknown;
  meta: Readonly<Record<string, unknown>>;
  /** JSON text of a tool's arguments, as it was sent. */
  argumentsText: string;
  /** Why the arguments cannot be judged; the SDK gets none then. */
  refusal: AppError | null;
  /** Revisions since 2026-07-28 say in every request which they speak; the ones before do not. */
  modern: boolean;
}

/** Bodies are only parsed here: how deep they may be and what they may hold differs by their part. */
export function readRpcBodies(scope: FastifyInstance): void {
  scope.removeContentTypeParser('application/json');
  const parse = inTurn(scope, (request, body) => {
    if (!isUtf8(body)) throw new AppError('invalid', 'the body must be UTF-8');
    request.bodyText = body.toString();
    return readJson(request.bodyText);
  });
  scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, parse);
}

/** Throws for what is no single message: a batch would be many calls that the limiter counts as one. */
export function readMessage(value: unknown, text: string): Message {
  if (Array.isArray(value))
    throw new AppError('invalid', 'batches are not taken: send one message a request');
  if (!isObject(value)) throw new AppError('invalid', 'the body must be a JSON-RPC message');
  const params = isObject(value.params) ? value.params : {};
  const { arguments: given, ...others } = params;
  checkJson({ ...value, params: others }, '', { depth: deepestBody, noBigIntegers: true });
  const refusal = refusalOf(given);
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

/** A tool's arguments have the limits of a REST body. A model learns of its mistake from the tool's result only. */
function refusalOf(given: unknown): AppError | null {
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
