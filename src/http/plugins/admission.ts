import { performance } from 'node:perf_hooks';
import { type Readable, Transform } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { FairQueue, FairShare, type Turn } from '../../services/fairness.ts';
import { onceClosed } from '../open-streams.ts';
import { callerKey } from './authenticate.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Ends the accounting of a request that from here on only waits, for a person or an event. */
    onlyWaits(request: FastifyRequest): void;
    /**
     * Must be called before a request that from here on only waits, for a person or an event. It is no longer counted as in
     * flight. Throws 429 when its caller has too many that wait.
     */
    startWaiting(request: FastifyRequest, reply: FastifyReply): void;
    /**
     * Must be called before a body of this many bytes is parsed: null when it can be parsed at once, else a promise for the
     * request's turn.
     */
    turnToParse(request: FastifyRequest, bytes: number): Promise<void> | null;
    /**
     * Must be called when the content of a request is scanned: the next large body need not wait for this one's sync to
     * disk, unless it is so large that a few would fill the disk's queue and delay every other caller's sync.
     */
    scanned(request: FastifyRequest): void;
  }
  interface FastifyRequest {
    /** The share of the limits that this request holds; null before its admission and after its end. */
    admission: Admission | null;
  }
  interface FastifyContextConfig {
    /** Never refused for load and never counted: health checks, and requests that only wait. */
    outsideLoad?: boolean;
  }
}

interface Admission {
  key: string;
  bytes: number;
  /** The turn of a request with a large body. */
  turn: Turn | null;
}

/**
 * Bodies beyond this many bytes take turns, one of each caller after the other, from parsing until they are decided: the
 * event loop is free for others between two of them.
 */
const largeBody = 65_536;
/** Bodies beyond this many bytes keep their turn until they are on disk. */
const slowBody = 262_144;

interface AdmissionLimits {
  /** Most requests in flight of one caller while no other caller has one; with others, each has a fair share of twice as many. 0: no limit. */
  requests: number;
  /** Bytes of request bodies in flight, shared in the same way. 0: no limit. */
  bytes: number;
  /** Largest body. */
  bodyBytes: number;
  /** Large bodies that are parsed and decided at the same time. */
  largeRequests: number;
}

/** The requests that are in flight at this moment. */
export interface Load {
  requests: number;
  bytes: number;
  /** Requests in flight beyond which one caller is refused; 0: no limit. */
  requestLimit: number;
  /** Requests refused since the start. */
  refused: number;
}

/**
 * A refused caller may retry at once, so refusals could fill every turn of the event loop. This many a turn leave the rest
 * of it to admitted requests; a caller that is not refused yet cannot retry.
 */
const refusalsPerTurn = 32;
/** How often the log counts refusals: a line for each would be work for requests that there is no capacity for. */
const logEveryMs = 1_000;

/**
 * Load shedding. A request is admitted when its headers have arrived and its caller is known, before its body is read: it
 * takes one slot and the bytes of its body, both shared fairly between callers, and gets 503 when its caller's
 * share is used up. So what one caller sends or holds open neither fills the memory nor gets another caller refused.
 */
export function admitRequests(app: FastifyInstance, limits: AdmissionLimits): () => Load {
  const limit = new AdmissionLimit(limits.requests, loopActivity());
  const slots = new FairShare();
  const bytes = new FairShare();
  const largeRequests = new FairQueue(limits.largeRequests);
  const unlimited = Number.POSITIVE_INFINITY;
  const byteCapacity = limits.bytes === 0 ? unlimited : 2 * limits.bytes;
  const refuse = refusals(app);

  const finish = (request: FastifyRequest): void => {
    const { admission } = request;
    if (!admission) return;
    request.admission = null;
    admission.turn?.leave();
    slots.release(admission.key, 1);
    bytes.release(admission.key, admission.bytes);
    limit.finished();
  };
  app.decorateRequest('admission', null);
  app.decorate('onlyWaits', finish);
  app.decorate('turnToParse', (request, size) => {
    const { admission } = request;
    if (size <= largeBody || !admission) return app.turnToGoOn(request);
    admission.turn = largeRequests.enter(admission.key);
    return admission.turn.begins;
  });
  app.decorate('scanned', ({ admission }) => {
    if (admission && admission.bytes <= slowBody) admission.turn?.leave();
  });
  // A caller that takes its response slowly keeps nobody waiting.
  app.addHook('onSend', ({ admission }, _reply, payload, done) => {
    admission?.turn?.leave();
    done(null, payload);
  });
  const timer = setInterval(() => limit.sample(), sampleEveryMs).unref();
  app.addHook('onClose', async () => clearInterval(timer));

  app.addHook('preParsing', (request, reply, payload, done) => {
    // The caller disconnected during authentication: `close` has fired, so nothing would release what is taken here.
    if (reply.raw.destroyed) return;
    if (request.routeOptions.config.outsideLoad) return done(null, payload);
    const key = callerKey(request);
    const declared = declaredBytes(request, limits.bodyBytes);
    const slotCapacity = limits.requests === 0 ? unlimited : 2 * limit.size;
    if (!slots.take(key, 1, slotCapacity)) {
      limit.refused();
      return refuse(done);
    }
    if (!bytes.take(key, declared, byteCapacity)) {
      slots.release(key, 1);
      return refuse(done);
    }
    request.admission = { key, bytes: declared, turn: null };
    limit.admitted(slots.used);
    // No hook runs when the caller leaves before its response: it would be counted for ever.
    reply.raw.once('close', () => finish(request));
    if (request.headers['transfer-encoding'] === undefined) return done(null, payload);
    done(
      null,
      charged(payload as Readable, (size) => chargeMore(request, size)),
    );
  });

  /** For a body without a declared length: false when the caller's share has no room for what came. */
  function chargeMore({ admission }: FastifyRequest, size: number): boolean {
    if (!admission) return true;
    if (!bytes.take(admission.key, size, byteCapacity)) return false;
    admission.bytes += size;
    return true;
  }

  app.addHook('onResponse', (request, _reply, done) => {
    finish(request);
    done();
  });

  return () => ({
    requests: slots.used,
    bytes: bytes.used,
    requestLimit: limit.size,
    refused: refuse.total(),
  });
}

/**
 * Bounds the long polls and streams that one caller holds open: each costs memory and a timer, for as long as the caller
 * likes. `most` is what one caller may hold when no other does; with others, each has a fair share of twice as many. 0 is
 * no limit. All operators count as one caller, and one of them may hold a quarter of `most`: an operator who may only read must not
 * keep the others from following events.
 */
export function limitWaiting(app: FastifyInstance, most: number): void {
  const places = new FairShare();
  const capacity = most === 0 ? Number.POSITIVE_INFINITY : 2 * most;
  const ofOperators = new FairShare();
  const mostOfOperator = most === 0 ? Number.POSITIVE_INFINITY : Math.max(1, Math.floor(most / 4));
  app.decorate('startWaiting', (request, { raw }) => {
    const key = callerKey(request);
    const operator = request.caller?.kind === 'operator' ? request.caller.operator.id : null;
    if (operator !== null && ofOperators.usedBy(operator) >= mostOfOperator) {
      throw new AppError(
        'rate_limited',
        `this operator has ${mostOfOperator} streams open already, and may have no more`,
        {
          retryAfterSeconds: 5,
        },
      );
    }
    if (!places.take(key, 1, capacity)) {
      throw new AppError('rate_limited', 'too many long polls and streams of this key are open', {
        retryAfterSeconds: 5,
      });
    }
    if (operator !== null) ofOperators.take(operator, 1, Number.POSITIVE_INFINITY);
    const leave = (): void => {
      raw.removeListener('close', leave).removeListener('finish', leave);
      places.release(key, 1);
      if (operator !== null) ofOperators.release(operator, 1);
    };
    raw.once('finish', leave);
    onceClosed(raw, leave);
    app.onlyWaits(request);
  });
}

/** A larger body is refused without being read, and costs nothing. */
function declaredBytes({ headers }: FastifyRequest, bodyBytes: number): number {
  const declared = Number(headers['content-length'] ?? 0);
  return declared <= bodyBytes ? declared : 0;
}

/** The body, cut off with 503 when `charge` has no room for another part of it. */
function charged(body: Readable, charge: (size: number) => boolean): Readable {
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (charge(chunk.length)) done(null, chunk);
      else done(overloaded());
    },
  });
  body.once('error', (error) => counted.destroy(error));
  return body.pipe(counted);
}

const overloaded = (): AppError =>
  new AppError('unavailable', 'too many requests or bytes of this key are in flight', {
    retryAfterSeconds: 1,
    logAggregated: true,
  });

interface Refuse {
  (done: (error: Error) => void): void;
  /** Since the start. */
  total(): number;
}

/** Returns refusals, a few in each turn of the event loop, and logs their number. */
function refusals(app: FastifyInstance): Refuse {
  const waiting: ((error: Error) => void)[] = [];
  let refused = 0;
  let total = 0;
  const log = (): void => {
    if (refused > 0) app.log.warn({ refused }, 'the service is overloaded');
    refused = 0;
  };
  const timer = setInterval(log, logEveryMs).unref();
  app.addHook('onClose', async () => {
    clearInterval(timer);
    log();
  });
  const next = (): void => {
    const now = waiting.splice(0, refusalsPerTurn);
    refused += now.length;
    total += now.length;
    for (const done of now) done(overloaded());
    if (waiting.length > 0) setImmediate(next);
  };
  const refuse = (done: (error: Error) => void): void => {
    if (waiting.push(done) === 1) setImmediate(next);
  };
  return Object.assign(refuse, { total: () => total });
}

/** The load of the event loop since the last call. */
function loopActivity(): () => LoopActivity {
  let last = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { active, utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    return { activeMs: active, utilization };
  };
}

/** The load of the event loop since the last sample. */
export interface LoopActivity {
  /** Milliseconds it was busy. */
  activeMs: number;
  /** The share of the time it was busy: 0 to 1. */
  utilization: number;
}

/**
 * The work, in milliseconds, that may be queued ahead of an admitted request under overload. Its latency is about three
 * times that: it is read, decided and synced to disk (docs/performance.md).
 */
const queuedWorkMs = 12;
/** This many at once are a burst and no overload, however slow the machine is. */
const minimum = 64;
/** Consecutive overloaded samples, 100 ms apart, before the limit is lowered: a shorter peak may wait. */
const samplesUntilOverloaded = 5;
const sampleEveryMs = 100;

/**
 * How many requests may be in flight at once. Usually `maximum`; under lasting overload, what this machine finishes within
 * 12 ms. That is measured, because 256 requests are 15 ms of work on one machine and 60 ms on another.
 */
export class AdmissionLimit {
  /** Requests that may be in flight at once. */
  size: number;
  readonly #maximum: number;
  readonly #activity: () => LoopActivity;
  #finished = 0;
  #peak = 0;
  #refused = false;
  #overloadedSamples = 0;

  /** `activity` must return what the event loop did since its last call. */
  constructor(maximum: number, activity: () => LoopActivity) {
    this.#maximum = maximum;
    this.#activity = activity;
    this.size = maximum;
  }

  admitted(inFlight: number): void {
    if (inFlight > this.#peak) this.#peak = inFlight;
  }

  refused(): void {
    this.#refused = true;
  }

  finished(): void {
    this.#finished++;
  }

  /** Must be called every 100 ms. */
  sample(): void {
    const { activeMs, utilization } = this.#activity();
    const finishedInTime = Math.floor((queuedWorkMs * this.#finished) / activeMs);
    const sustainable = Math.min(this.#maximum, Math.max(minimum, finishedInTime));
    const overloaded = utilization > 0.9 && (this.#refused || this.#peak > sustainable);
    this.#overloadedSamples = overloaded ? this.#overloadedSamples + 1 : 0;
    this.size = this.#overloadedSamples >= samplesUntilOverloaded ? sustainable : this.#maximum;
    this.#finished = 0;
    this.#peak = 0;
    this.#refused = false;
  }
}
