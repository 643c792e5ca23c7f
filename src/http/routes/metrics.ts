import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { hashKey } from '../../services/keys.ts';
import { sentKey } from '../plugins/authorization-header.ts';

export interface MetricsPage {
  read(): Promise<{ contentType: string; text: string }>;
  /** The bearer token that collectors send; null on a listener of its own that needs none. */
  token: string | null;
}

/** What the process counts, for Prometheus. It names policies, rules and data tags, so it is not for everybody. */
export function metricsRoutes(app: FastifyInstance, { read, token }: MetricsPage): void {
  app.get('/metrics', { config: { outsideLoad: true }, schema: { hide: true } }, async (request, reply) => {
    if (token !== null && !carries(request, token)) {
      await app.limitAddress?.(request, reply);
      throw new AppError(
        'unauthenticated',
        'invalid or missing token: send ASSIZE_METRICS_TOKEN as a bearer token',
      );
    }
    const { contentType, text } = await read();
    return reply.type(contentType).send(text);
  });
}

function carries(request: FastifyRequest, token: string): boolean {
  const given = sentKey(request);
  return given !== null && timingSafeEqual(Buffer.from(given.hash), Buffer.from(hashKey(token)));
}
