import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Says of a request whose body told it that it only waits: it counts for no load from here on. */
    onlyWaits(request: FastifyRequest): void;
  }
  interface FastifyRequest {
    underWay: boolean;
  }
  interface FastifyContextConfig {
    /** Never refused for load, and counts for none: health checks, and requests that only wait. */
    outsideLoad?: boolean;
  }
}

/**
 * A caller that is refused may ask again at once, so refusals could fill every turn of the event loop. This many a turn
 * leave the rest of it to what is under way; who is not refused yet cannot ask again.
 */
const refusalsInTurn = 32;

/**
 * Answers 503 while more than `most` requests are under way: those that are accepted stay fast, and memory is bounded.
 * A request counts once its body is read, so that slow senders hold nothing; 0 is no limit.
 */
export function shedOverload(app: FastifyInstance, most: number): void {
  let underWay = 0;
  const finish = (request: FastifyRequest): void => {
    if (!request.underWay) return;
    request.underWay = false;
    underWay--;
  };
  app.decorateRequest('underWay', false);
  app.decorate('onlyWaits', finish);
  if (most === 0) return;
  const toRefuse: ((error: Error) => void)[] = [];
  const refuse = (): void => {
    const error = new AppError('unavailable', 'the service is overloaded', { retryAfterSeconds: 1 });
    for (const done of toRefuse.splice(0, refusalsInTurn)) done(error);
    if (toRefuse.length > 0) setImmediate(refuse);
  };
  app.addHook('onRequest', (request, _reply, done) => {
    if (underWay < most || request.routeOptions.config.outsideLoad) return done();
    if (toRefuse.push(done) === 1) setImmediate(refuse);
  });
  app.addHook('preValidation', (request, reply, done) => {
    if (!request.routeOptions.config.outsideLoad) {
      request.underWay = true;
      underWay++;
      // No hook runs when the caller leaves before the answer: callers that do would be counted for ever.
      reply.raw.once('close', () => finish(request));
    }
    done();
  });
  app.addHook('onResponse', (request, _reply, done) => {
    finish(request);
    done();
  });
}
