import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { AppError, ErrorCode } from '../errors.ts';
import { type Refusal, refusalOf, sendRefusal } from '../http/plugins/errors.ts';

/** Codes of JSON-RPC 2.0, section 5.1. Not from the SDK, which is not loaded before the first message. */
const parseError = -32_700;
const invalidRequest = -32_600;
const internalError = -32_603;
/** JSON-RPC leaves -32000 to -32099 to the server; `data.code` tells those apart. */
const serverError = -32_000;

const rpcCodeOf: Record<ErrorCode, number> = {
  invalid: invalidRequest,
  unauthenticated: serverError,
  forbidden: serverError,
  not_found: serverError,
  method_not_allowed: serverError,
  conflict: serverError,
  precondition_failed: serverError,
  too_large: serverError,
  rate_limited: serverError,
  unavailable: internalError,
  internal: internalError,
};

/** Responds to a request that was refused before its message was read: an HTTP status, and a JSON-RPC error as body. */
export function sendRpcError(error: FastifyError | AppError, request: FastifyRequest, reply: FastifyReply) {
  const refusal = refusalOf(error, request);
  if (refusal.status === 401) reply.header('www-authenticate', 'Bearer error="invalid_token"');
  const code = error.cause instanceof SyntaxError ? parseError : rpcCodeOf[refusal.code];
  return sendRefusal(error, refusal, request, reply, rpcError(code, refusal));
}

const rpcError = (code: number, { code: word, details }: Refusal) => ({
  jsonrpc: '2.0',
  id: null,
  error: {
    code,
    message: details.map(({ message }) => message).join('; '),
    data: { code: word, errors: details },
  },
});
