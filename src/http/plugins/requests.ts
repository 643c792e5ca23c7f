import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { isRepeated, traceParentOf } from '../headers.ts';

const acceptable = /^[A-Za-z0-9._-]{1,128}$/;

/** The caller's `x-request-id` when it has only plain characters, because it is logged; otherwise a new one. */
export function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && acceptable.test(given) ? given : randomUUID();
}

/** RFC 9112, section 3.2: a request without Host must get 400, except in HTTP/1.0, and one with several too. */
function hostProblem(request: FastifyRequest): AppError | undefined {
  if (isRepeated(request, 'host')) {
    return new AppError('invalid', 'the Host header must be sent once');
  }
  if (request.headers.host === undefined && request.raw.httpVersion !== '1.0') {
    return new AppError('invalid', 'the Host header is missing');
  }
  return undefined;
}

/** The names of a request in log lines: its id, and the trace that it is part of. */
export function namesOf({ id, headers }: FastifyRequest): { reqId: string; traceId?: string } {
  const trace = traceParentOf(headers);
  return { reqId: id, ...(trace && { traceId: trace.traceId }) };
}

/** Every response carries its request id; with `logRequests` each request is logged, without headers, body and query. */
export function nameRequests(app: FastifyInstance, logRequests: boolean): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done(hostProblem(request));
  });
  if (!logRequests) return;
  app.addHook('onResponse', async (request, reply) => {
    request.log.debug(
      {
        ...namesOf(request),
        method: request.method,
        route: request.routeOptions.url,
        statusCode: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 100) / 100,
      },
      'request',
    );
  });
}

/**
 * On a stop, closes the connections that would keep it waiting until they time out: those whose response
 * was sent meanwhile, and those that clients opened without sending a request, which Node does not count as idle.
 */
export function endConnectionsOnStop(app: FastifyInstance): void {
  const open = new Set<Socket>();
  let stopping = false;
  app.server.on('connection', (socket: Socket) => {
    if (stopping) return void socket.destroy();
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  app.addHook('preClose', async () => {
    stopping = true;
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (stopping) reply.header('connection', 'close');
    done(null, payload);
  });
}

/**
 * Holds requests until `started` resolves: the server listens before the first operator key is stored, and would reject that
 * key until then. If it resolves to false, they are refused.
 */
export function waitForStart(app: FastifyInstance, started: Promise<boolean>): void {
  let hasStarted = false;
  void started.then((is) => {
    hasStarted = is;
  });
  app.addHook('onRequest', (_request, _reply, done) => {
    if (hasStarted) return done();
    const goOn = (is: boolean) =>
      done(is ? undefined : new AppError('unavailable', 'the service could not start'));
    void started.then(goOn);
  });
}
