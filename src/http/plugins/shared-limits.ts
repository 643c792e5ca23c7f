import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import { Redis } from 'ioredis';

// The module is loaded only where a server is set: the package takes a tenth of a start.

/** Counters in Redis or Valkey, which all processes that use it share. */
interface SharedLimits {
  /** Counts for @fastify/rate-limit. Whatever is no count of this window is an error of the server. */
  readonly Store: FastifyRateLimitStoreCtor;
  /** False for a moment after a failure: requests must not wait for a server that does not answer. */
  isUsable(): boolean;
  /** Says that a request could not be counted. */
  failed(error: Error): void;
  close(): void;
}

export interface SharedLimitsEvents {
  /** Called once when the server fails, and once when it counts again. */
  lost: (error: Error) => void;
  found: () => void;
}

const connectTimeoutMs = 2_000;
/** The longest time that a request waits for its count. */
const commandTimeoutMs = 250;
const pauseMs = 1_000;
const longestReconnectMs = 2_000;

/** Counts one request, and returns the count and the rest of the window. A counter that would never end gets its end back. */
const count = `
  local current = redis.call('INCR', KEYS[1])
  local rest = redis.call('PTTL', KEYS[1])
  if rest < 0 then
    redis.call('PEXPIRE', KEYS[1], ARGV[1])
    rest = tonumber(ARGV[1])
  end
  return {current, rest}
`;

/** Never throws for a server that cannot be reached: it is tried again until it can. */
export async function openSharedLimits(
  url: string,
  windowMs: number,
  events: SharedLimitsEvents,
): Promise<SharedLimits> {
  const redis = new Redis(url, {
    connectTimeout: connectTimeoutMs,
    commandTimeout: commandTimeoutMs,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    enableAutoPipelining: true,
    retryStrategy: (attempt) => Math.min(attempt * 100, longestReconnectMs),
    scripts: { countRequest: { numberOfKeys: 1, lua: count } },
  }) as Redis & { countRequest(key: string, windowMs: number): Promise<unknown> };
  let pausedUntil = 0;
  let isLost = false;

  function lose(error: Error): void {
    if (!isLost) events.lost(error);
    isLost = true;
  }
  function find(): void {
    if (isLost) events.found();
    isLost = false;
  }
  redis.on('error', lose);
  redis.on('ready', () => {
    pausedUntil = 0;
    find();
  });
  // The first requests count with the others, where the server is there.
  await new Promise<void>((resolve) => {
    redis.once('ready', resolve);
    redis.once('error', () => resolve());
  });

  /** A limiter would take anything but a larger number for a request within the limit. */
  async function countRequest(key: string): Promise<{ current: number; ttl: number }> {
    const answer = await redis.countRequest(`assize:limit:${key}`, windowMs);
    const [current, ttl] = Array.isArray(answer) ? answer : [];
    if (
      !Number.isSafeInteger(current) ||
      current < 1 ||
      !Number.isSafeInteger(ttl) ||
      ttl < 0 ||
      ttl > windowMs
    )
      throw new Error('it answers something that is not a count');
    if (performance.now() >= pausedUntil) find();
    return { current, ttl };
  }
  class Store implements FastifyRateLimitStore {
    incr(...[key, done]: Parameters<FastifyRateLimitStore['incr']>): void {
      countRequest(key).then((counted) => done(null, counted), done);
    }
    child(): this {
      return this;
    }
  }

  return {
    Store,
    isUsable: () => redis.status === 'ready' && performance.now() >= pausedUntil,
    failed(error) {
      pausedUntil = performance.now() + pauseMs;
      // An error of the package carries the command, with the address that was counted.
      lose(new Error(error.message.slice(0, 200)));
    },
    close: () => redis.disconnect(),
  };
}
