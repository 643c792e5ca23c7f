import rateLimit, { type CreateRateLimitOptions, type RateLimitPluginOptions } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Awaitable } from '../../awaitable.ts';
import { AppError } from '../../errors.ts';
import { minuteMs } from '../../schemas/durations.ts';
import { integrationOf } from './authenticate.ts';
import type { SharedLimitsEvents } from './shared-limits.ts';

export interface RateLimits {
  /** Requests a minute; 0 is no limit. */
  rateLimitIntegration: number;
  rateLimitAddress: number;
  /** URL of the server that counts for all processes; null counts in this one. */
  redis: string | null;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Counts a request that failed authentication or reached no route; throws 429 beyond the limit. */
    limitAddress(request: FastifyRequest, reply: FastifyReply): Promise<void>;
    /** Counts a request of an authenticated integration; throws 429 beyond its limit. */
    limitIntegration(request: FastifyRequest, reply: FastifyReply): Awaitable<void>;
  }
}

const windowMs = minuteMs;
/** Most counters kept, about 100 bytes each; the least recently used is dropped. */
const cache = 20_000;

/**
 * The two limiters. They are called where they apply instead of in a hook before every request: a request with a valid key
 * is never counted against its address, so one bad neighbour behind a proxy locks nobody out.
 *
 * While the server that counts for all processes fails, each process counts alone: it must not stop the service.
 */
export async function limitRates(
  app: FastifyInstance,
  limits: RateLimits,
  events: SharedLimitsEvents,
): Promise<void> {
  const shared =
    limits.redis === null
      ? null
      : await (await import('./shared-limits.ts')).openSharedLimits(limits.redis, windowMs, events);
  app.addHook('onClose', async () => shared?.close());
  const createOwn = await limitersOf(app, { cache });
  const createShared = shared && (await limitersOf(app, { store: shared.Store }));

  function createLimiter(options: CreateRateLimitOptions): Limiter {
    const own = createOwn(options);
    const common = createShared?.(options);
    return async (request) => {
      if (!common || !shared?.isUsable()) return own(request);
      try {
        return await common(request);
      } catch (error) {
        shared.failed(error as Error);
        return own(request);
      }
    };
  }

  const byAddress = createLimiter({ max: limits.rateLimitAddress, timeWindow: windowMs });
  const limitOf = (request: FastifyRequest): number =>
    integrationOf(request).settings.requestsPerMinute ?? limits.rateLimitIntegration;
  const byIntegration = createLimiter({
    max: (request) => limitOf(request as FastifyRequest),
    timeWindow: windowMs,
    keyGenerator: (request) => integrationOf(request).id,
  });

  app.decorate('limitAddress', async (request, reply) => {
    if (limits.rateLimitAddress > 0) applyLimit(await byAddress(request), reply);
  });
  app.decorate('limitIntegration', (request, reply) => {
    if (limitOf(request) === 0) return undefined;
    return byIntegration(request).then((limit) => applyLimit(limit, reply));
  });
}

type Limiter = ReturnType<FastifyInstance['createRateLimit']>;
type Limit = Awaited<ReturnType<Limiter>>;

/** Makes limiters of one kind of counter, in a scope of its own: an app has one kind. */
async function limitersOf(
  app: FastifyInstance,
  counters: RateLimitPluginOptions,
): Promise<(options: CreateRateLimitOptions) => Limiter> {
  let create: FastifyInstance['createRateLimit'] | undefined;
  await app.register(async (scope) => {
    await scope.register(rateLimit, { global: false, ...counters });
    create = scope.createRateLimit;
  });
  if (!create) throw new Error('the limiter is not there');
  return create;
}

function applyLimit(limit: Limit, reply: FastifyReply): void {
  if (limit.isAllowed) return;
  reply.header('ratelimit-limit', limit.max);
  reply.header('ratelimit-remaining', limit.remaining);
  reply.header('ratelimit-reset', limit.ttlInSeconds);
  if (!limit.isExceeded) return;
  throw new AppError('rate_limited', `at most ${limit.max} requests a minute`, {
    retryAfterSeconds: limit.ttlInSeconds,
  });
}
