import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { minuteMs } from '../../schemas/durations.ts';
import { integrationOf } from './authenticate.ts';

export interface RateLimits {
  /** Requests a minute; 0 is no limit. */
  integration: number;
  address: number;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Counts a request that failed authentication or reached no route; throws 429 beyond the limit. */
    limitAddress(request: FastifyRequest, reply: FastifyReply): Promise<void>;
    /** Counts a request of an authenticated integration; throws 429 beyond its limit. */
    limitIntegration(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  }
}

const windowMs = minuteMs;
/** Most counters kept, about 100 bytes each; the least recently used is dropped. */
const cache = 20_000;

/**
 * The two limiters. They are called where they apply instead of in a hook before every request: a request with a valid key
 * is never counted against its address, so one bad neighbour behind a proxy locks nobody out.
 */
export async function limitRates(app: FastifyInstance, limits: RateLimits): Promise<void> {
  await app.register(rateLimit, { global: false, cache });
  const byAddress = app.createRateLimit({ max: limits.address, timeWindow: windowMs });
  const limitOf = (request: FastifyRequest): number =>
    integrationOf(request).settings.requestsPerMinute ?? limits.integration;
  const byIntegration = app.createRateLimit({
    max: (request) => limitOf(request as FastifyRequest),
    timeWindow: windowMs,
    keyGenerator: (request) => integrationOf(request).id,
  });

  app.decorate('limitAddress', async (request, reply) => {
    if (limits.address > 0) applyLimit(await byAddress(request), reply);
  });
  app.decorate('limitIntegration', async (request, reply) => {
    if (limitOf(request) > 0) applyLimit(await byIntegration(request), reply);
  });
}

type Limit = Awaited<ReturnType<ReturnType<FastifyInstance['createRateLimit']>>>;

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
