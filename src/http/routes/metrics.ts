import { timingSafeEqual } from 'node:crypto';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { hashKey } from '../../services/access/keys.ts';
import { sentKey } from '../headers.ts';
import { handleErrors } from '../plugins/errors.ts';
import { arrivesWithin } from '../tls.ts';

interface MetricsPage {
  read(): Promise<{ contentType: string; text: string }>;
  /** The bearer token that collectors send; null on a listener of its own that needs none. */
  token: string | null;
}

/** The process's counts, for Prometheus. They name policies, rules and data tags, so they are not for everybody. */
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

/** A listener for collectors alone, so that the address agents reach need not show metrics. The caller must close it. */
export function createMetricsServer(page: MetricsPage, logger: FastifyBaseLogger): FastifyInstance {
  const app = Fastify({
    loggerInstance: logger,
    forceCloseConnections: true,
    requestTimeout: arrivesWithin.requestTimeout,
    http: arrivesWithin,
  });
  handleErrors(app);
  metricsRoutes(app, page);
  return app;
}
