import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { errorResponse } from './errors.ts';

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
