import { performance } from 'node:perf_hooks';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { lookEveryMs, Room, type Spent } from '../room.ts';

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
/** How often the log tells of refusals: a line for each would be work for those that there is no room for. */
const tellEveryMs = 1_000;

/**
 * Answers 503 while more requests are under way than there is room for, `most` or what is measured under lasting overload:
 * those that are accepted stay fast, and memory is bounded. A request counts once its body is read, so that slow senders
 * hold nothing; 0 is no limit.
 */
export function shedOverload(app: FastifyInstance, most: number): void {
  const room = new Room(most, eventLoopSince());
  let underWay = 0;
  const finish = (request: FastifyRequest): void => {
    if (!request.underWay) return;
    request.underWay = false;
    underWay--;
    room.finished();
  };
  app.decorateRequest('underWay', false);
  app.decorate('onlyWaits', finish);
  if (most === 0) return;
  let refused = 0;
  const tell = (): void => {
    if (refused > 0) app.log.warn({ refused }, 'the service is overloaded');
    refused = 0;
  };
  const timers = [setInterval(() => room.look(), lookEveryMs), setInterval(tell, tellEveryMs)];
  for (const timer of timers) timer.unref();
  app.addHook('onClose', async () => {
    timers.forEach(clearInterval);
    tell();
  });
  const toRefuse: ((error: Error) => void)[] = [];
  const refuse = (): void => {
    const error = new AppError('unavailable', 'the service is overloaded', {
      retryAfterSeconds: 1,
      isLoggedTogether: true,
    });
    const now = toRefuse.splice(0, refusalsInTurn);
    refused += now.length;
    for (const done of now) done(error);
    if (toRefuse.length > 0) setImmediate(refuse);
  };
  app.addHook('onRequest', (request, _reply, done) => {
    if (underWay < room.size || request.routeOptions.config.outsideLoad) return done();
    room.refused();
    if (toRefuse.push(done) === 1) setImmediate(refuse);
  });
  app.addHook('preValidation', (request, reply, done) => {
    if (!request.routeOptions.config.outsideLoad) {
      request.underWay = true;
      room.accepted(++underWay);
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

/** What the event loop did since the last call. */
function eventLoopSince(): () => Spent {
  let last = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { active, utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    return { activeMs: active, utilization };
  };
}
