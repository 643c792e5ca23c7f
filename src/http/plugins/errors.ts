import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorObject } from 'ajv';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, type ErrorCode, type ErrorDetail } from '../../errors.ts';
import { namesOf } from './requests.ts';
import { explainMistakes } from './schema-compilers.ts';

/** The one map from error codes to HTTP, kept complete by the compiler. */
const statusOf: Record<ErrorCode, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  precondition_failed: 412,
  too_large: 413,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
};

/** A body in a form that is not read: returns 415. */
export class UnsupportedMedia extends AppError {
  constructor(message: string) {
    super('invalid', message);
  }
}

export interface Refusal {
  status: number;
  code: ErrorCode;
  details: readonly ErrorDetail[];
  retryAfterSeconds: number | null;
}

/** Every error gets the same envelope. One that is not meant for callers is logged, and its message is not sent. */
export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => sendError(error, request, reply));
}

function sendError(
  error: FastifyError | AppError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const refusal = refusalOf(error, request);
  const { status, code, details } = refusal;
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  return sendRefusal(error, refusal, request, reply, errorResponse(status, code, details));
}

/** Sends an error in any transport; `body` has the form that this transport needs. */
export function sendRefusal(
  error: FastifyError | AppError,
  { status, retryAfterSeconds }: Refusal,
  request: FastifyRequest,
  reply: FastifyReply,
  body: object,
): FastifyReply {
  const isLogged = status >= 500 && !(error instanceof AppError && error.logAggregated);
  if (isLogged) request.log.error({ ...namesOf(request), err: error.cause ?? error }, 'request failed');
  if (retryAfterSeconds !== null) reply.header('retry-after', retryAfterSeconds);
  return reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(body));
}

/** For errors before any hook runs: they carry the request id and count as requests that match no route. */
export async function sendFrameworkError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  reply.header('x-request-id', request.id);
  try {
    await request.server.limitAddress(request, reply);
    sendError(error, request, reply);
  } catch (limited) {
    sendError(limited as AppError, request, reply);
  }
}

const errorResponse = (statusCode: number, code: ErrorCode, details: readonly ErrorDetail[]) => ({
  success: false,
  statusCode,
  errors: details.map((detail) => ({ code, ...detail })),
});

export function refusalOf(error: FastifyError | AppError, request: FastifyRequest): Refusal {
  if (error instanceof AppError) {
    const { code, details, retryAfterSeconds } = error;
    const status = error instanceof UnsupportedMedia ? 415 : statusOf[code];
    return { status, code, details, retryAfterSeconds };
  }
  if (error.validation) {
    return refusal('invalid', explainMistakes(error.validation as unknown as ErrorObject[]));
  }
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return refusal('too_large', [{ message: 'the body is too large', path: '' }]);
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return refusalOf(new UnsupportedMedia(`send the body as ${acceptedTypes(request)}`), request);
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return refusal('invalid', [
        { message: 'the length of the body does not match Content-Length', path: '' },
      ]);
    case 'FST_ERR_BAD_URL':
      return refusal('invalid', [{ message: 'the URL cannot be decoded' }]);
    default:
      // Fastify's own refusals, and callers that disconnect while they send: not logged, because nothing here failed.
      if (error.statusCode !== undefined && error.statusCode < 500) {
        return refusal('invalid', [{ message: 'the request cannot be read' }]);
      }
      return refusal('internal', [{ message: 'internal server error' }]);
  }
}

/** The content types of the route's bodies, the first of several spellings of one. */
const acceptedTypes = ({ server }: FastifyRequest): string =>
  ['application/json', 'application/yaml'].filter((type) => server.hasContentTypeParser(type)).join(' or ');

const refusal = (code: ErrorCode, details: readonly ErrorDetail[]): Refusal => ({
  status: statusOf[code],
  code,
  details,
  retryAfterSeconds: null,
});

type Raw = readonly [status: number, reason: string, message: string];

const badRequest: Raw = [400, 'Bad Request', 'this is not a valid HTTP request'];
const late: Raw = [408, 'Request Timeout', 'the request has not arrived in time'];
const longHeaders: Raw = [431, 'Request Header Fields Too Large', 'the headers are too large'];
const connectRefused: Raw = [400, 'Bad Request', 'CONNECT is not supported: this is no proxy'];
const expectationFailed: Raw = [417, 'Expectation Failed', 'the only expectation supported is 100-continue'];

/** Returns, in the envelope, bytes that never become a request: broken HTTP, and requests that arrive too slowly. */
export function refuseBrokenHttp(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  refuse(socket, refusalFor(error.code));
}

function refusalFor(code: string | undefined): Raw {
  if (code === 'HPE_HEADER_OVERFLOW') return longHeaders;
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? late : badRequest;
}

/** Requests that Node would answer by itself, without the envelope: CONNECT, and expectations that it does not know. */
export function refuseUnsupportedRequests(app: FastifyInstance): void {
  app.server.on('connect', (_request: IncomingMessage, socket: Duplex) => refuse(socket, connectRefused));
  app.server.on('checkExpectation', ({ socket }: IncomingMessage, _response: ServerResponse) =>
    refuse(socket, expectationFailed),
  );
}

function refuse(socket: Duplex, [status, reason, message]: Raw): void {
  const body = JSON.stringify(errorResponse(status, 'invalid', [{ message }]));
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nx-request-id: ${randomUUID()}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}
