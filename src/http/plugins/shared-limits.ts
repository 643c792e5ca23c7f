import type { Redis } from 'ioredis';

/** Counters in Redis or Valkey, which all processes that use it share. */
interface SharedLimits {
  readonly redis: Redis;
  /** False for a moment after a failure: requests must not wait for a server that does not answer. */
  isUsable(): boolean;
  /** Says that a request could not be counted. */
  failed(): void;
  close(): void;
}

export interface SharedLimitsEvents {
  /** Called once when the server fails, and once when it counts again. */
  lost: (error: Error) => void;
  found: () => void;
}

const connectTimeoutMs = 2_000;
/** What a request waits for its count at most. */
const commandTimeoutMs = 250;
const pauseMs = 1_000;
const longestReconnectMs = 2_000;

/** Never throws for a server that cannot be reached: it is tried again until it can. */
export async function openSharedLimits(url: string, events: SharedLimitsEvents): Promise<SharedLimits> {
  // Loaded only where it is set.
  const { Redis } = await import('ioredis');
  const redis = new Redis(url, {
    connectTimeout: connectTimeoutMs,
    commandTimeout: commandTimeoutMs,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    enableAutoPipelining: true,
    retryStrategy: (attempt) => Math.min(attempt * 100, longestReconnectMs),
  });
  let pausedUntil = 0;
  let isLost = false;

  function lose(error: Error): void {
    if (!isLost) events.lost(error);
    isLost = true;
  }
  redis.on('error', lose);
  redis.on('ready', () => {
    pausedUntil = 0;
    if (isLost) events.found();
    isLost = false;
  });
  // The first requests count with the others, where the server is there.
  await new Promise<void>((resolve) => {
    redis.once('ready', resolve);
    redis.once('error', () => resolve());
  });

  return {
    redis,
    isUsable: () => redis.status === 'ready' && performance.now() >= pausedUntil,
    failed() {
      pausedUntil = performance.now() + pauseMs;
      lose(new Error('it does not answer'));
    },
    close: () => redis.disconnect(),
  };
}
