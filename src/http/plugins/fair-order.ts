import type { FastifyInstance, FastifyRequest } from 'fastify';
import { RotatingQueue } from '../../services/fairness.ts';
import { sentKey } from '../headers.ts';
import { callerKey } from './authenticate.ts';

/** How long one turn of the event loop may work on requests before further ones wait, in milliseconds. */
const budgetMs = 3;
/** How many of those that wait are started in one turn: at most, and even when other work has used the time up. */
const mostStarts = 16;
const fewestStarts = 4;

/**
 * Decides when work on a request starts. What a turn of the event loop has time for starts at once. What it has no time for
 * waits until the end of the turn and for the following ones, in which the keys that wait take turns: a burst of one key
 * delays another key by a few turns, and new requests are read in between.
 */
export class FairStarts {
  readonly #waiting = new RotatingQueue<() => void>();
  readonly #now: () => number;
  /** When the work of this turn of the event loop began; null when there was none. */
  #beganAt: number | null = null;
  /** How many of the waiting requests were started in this turn. */
  #started = 0;
  /** Callbacks that will each start one. */
  #planned = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Whether work that arrives now may start at once. Otherwise the caller must call `wait`. */
  isFree(): boolean {
    if (this.#beganAt === null) this.#begin();
    return this.#waiting.isEmpty && this.#hasTime();
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Calls `start` when the key's turn comes. `ahead`: before the rest that waits of its key. */
  wait(key: string, start: () => void, ahead = false): void {
    this.#waiting.add(key, start, ahead);
    this.#plan(1);
  }

  #begin(): void {
    this.#beganAt = this.#now();
    this.#started = 0;
    setImmediate(() => this.#end());
  }

  #hasTime(): boolean {
    return this.#beganAt !== null && this.#now() - this.#beganAt < budgetMs;
  }

  #end(): void {
    this.#beganAt = null;
    this.#planned = 0;
    if (this.#waiting.isEmpty) return;
    this.#begin();
    this.#plan(mostStarts);
  }

  /** Each starts in a callback of its own, so that its promises are settled, and its work measured, before the next one. */
  #plan(count: number): void {
    for (; count > 0 && this.#planned < mostStarts; count--) {
      this.#planned++;
      setImmediate(() => this.#startNext());
    }
  }

  #startNext(): void {
    if (this.#started >= fewestStarts && !this.#hasTime()) return;
    this.#started++;
    this.#waiting.take()?.();
  }
}

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
