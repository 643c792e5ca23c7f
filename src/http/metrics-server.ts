import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { handleErrors } from './plugins/errors.ts';
import { type MetricsPage, metricsRoutes } from './routes/metrics.ts';
import { arrivesWithin } from './server-options.ts';

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
