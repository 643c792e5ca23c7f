import type { FastifyInstance, FastifyRequest } from 'fastify';
import { FairStarts } from '../fair-starts.ts';
import { callerKey } from './authenticate.ts';
import { sentKey } from './sent-key.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Must be called when a body has arrived: null when its request can go on at once, else a promise for its turn. */
    turnToGoOn(request: FastifyRequest): Promise<void> | null;
  }
}

/** Callers that are remembered by the hashes of their keys. Only valid keys get here. */
const mostCallers = 10_000;

/**
 * Decides in which order requests are worked on when more arrive than one turn of the event loop has time for: the callers
 * take turns, from the headers on. Only reading the headers is done in the order of arrival. Keys that have not been seen
 * to be valid share one place, so that many invented keys gain nothing. Must be registered before the other hooks.
 * In the result, `waiting` is the number of requests that wait for their turn.
 */
export function orderFairly(app: FastifyInstance): { readonly waiting: number } {
  const starts = new FairStarts();
  const callers = new Map<string, string>();

  /** Whose place a request waits in, before its caller is authenticated. */
  function placeOf(request: FastifyRequest): string {
    const { callers: takes, outsideLoad = false } = request.routeOptions.config;
    // Health checks need no key, and must not wait behind others without one.
    if (outsideLoad && takes === undefined) return request.routeOptions.url ?? '';
    const key = sentKey(request);
    return (key && callers.get(key.hash)) ?? 'nobody';
  }

  app.addHook('onRequest', (request, _reply, done) => {
    if (starts.isFree()) return done();
    starts.wait(placeOf(request), () => {
      // Its caller may have left meanwhile.
      if (!request.raw.destroyed) done();
    });
  });
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const key = request.caller && sentKey(request);
    if (key && !callers.has(key.hash)) {
      if (callers.size >= mostCallers) callers.clear();
      callers.set(key.hash, callerKey(request));
    }
    done(null, payload);
  });
  app.decorate('turnToGoOn', (request) =>
    starts.isFree() ? null : new Promise<void>((resolve) => starts.wait(callerKey(request), resolve, true)),
  );
  return starts;
}
