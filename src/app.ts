import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { pino } from 'pino';
import { credentialsOf } from './app-console.ts';
import { serveRoutes } from './app-routes.ts';
import {
  allOf,
  clockLog,
  countDecisions,
  readFigures,
  redisLog,
  traceDecisions,
  unprotectedLog,
  warnOfUnprotected,
  writeEventLines,
} from './app-telemetry.ts';
import type { Config } from './config/config.ts';
import { AppError } from './errors.ts';
import { scanThreads } from './evaluate/scanning/scan-pool.ts';
import { admitRequests, limitWaiting } from './http/plugins/admission.ts';
import { identify } from './http/plugins/authenticate.ts';
import { refuseBrokenHttp, refuseUnsupportedRequests } from './http/plugins/broken-http.ts';
import { handleErrors, sendFrameworkError } from './http/plugins/errors.ts';
import { orderFairly } from './http/plugins/fair-order.ts';
import { readJsonBodies, refuseEncodedBodies } from './http/plugins/json-body.ts';
import { describeRoutes } from './http/plugins/openapi.ts';
import { limitRates } from './http/plugins/rate-limit.ts';
import { endConnectionsOnStop, nameRequests, requestId, waitForStart } from './http/plugins/requests.ts';
import { serializeBySchema, validateStrictly } from './http/plugins/schema-compilers.ts';
import { refuseUnknownRoutes } from './http/plugins/unknown-routes.ts';
import { discardUnreadBodies } from './http/plugins/unread-bodies.ts';
import { createMetricsServer, metricsRoutes } from './http/routes/metrics.ts';
import { arrivesWithin, serverOptions } from './http/server-options.ts';
import { createTlsReload, readTlsFiles, type TlsReload } from './http/tls.ts';
import type { Metrics } from './metrics/metrics.ts';
import { openClock } from './services/clock.ts';
import { newId } from './services/ids.ts';
import { createInstallationKey } from './services/record/installation-key.ts';
import { createServices, type Services } from './services/services.ts';
import type { Store } from './store/store.ts';
import type { Telemetry } from './telemetry/telemetry.ts';
import { version } from './version.ts';

export interface AppOptions {
  config: Config;
  store: Store;
  /** Milliseconds since 1970; that of the store when absent. */
  now?: () => number;
  /** Where log lines go; standard output when absent. */
  logTo?: { write(line: string): void };
  /** Counts what the service does; nothing is counted when absent. */
  metrics?: Metrics;
  /** Gets spans of what the service does; closed with it. */
  telemetry?: Telemetry;
  /** Resolves to whether the start succeeded. Requests wait for it; when absent, they are served at once. */
  started?: Promise<boolean>;
}

export interface App {
  http: FastifyInstance;
  /** The listener of `/metrics` alone; null when the API's serves it, or nothing is counted. */
  metricsServer: FastifyInstance | null;
  /** Null when the service speaks plain HTTP. */
  tls: TlsReload | null;
  services: Services;
  /** Logs what fails in the background. */
  onError: (error: unknown) => void;
}

/** Largest body (contract, "Evaluate"), in bytes. */
const bodyLimit = 1_048_576;

/** The whole service but its socket. Closing `http` stops the background work too; the store is the caller's. */
export async function buildApp({
  config,
  store,
  now = store.clock.now,
  logTo,
  metrics,
  telemetry,
  started,
}: AppOptions): Promise<App> {
  const lines = logTo ?? pino.destination(1);
  const logger = pino({ level: config.logLevel, base: null }, lines);
  const onError = (error: unknown): void => {
    if (error instanceof AppError && error.logAggregated) return;
    logger.error({ err: error }, 'background work failed and will be retried');
  };
  const clock = await openClock({
    store,
    system: now,
    elapsed: () => performance.now(),
    onError,
    ...clockLog(logger),
  });
  const services = createServices({
    ...config,
    store,
    clock,
    database: config.databaseDirect,
    system: now,
    newId,
    random: Math.random,
    eventSource: config.publicUrl ?? 'urn:assize',
    observer: allOf([
      metrics && countDecisions(metrics.decisions),
      telemetry && (await traceDecisions(telemetry, { isGuardrail: config.telemetry?.isGuardrail ?? false })),
    ]),
    recordKey: createInstallationKey(config.recordKeyFile),
    onRetentionHeld: () =>
      logger.warn('content retention waits since the clock jumped ahead: assize retention confirm'),
    onUnprotected: unprotectedLog(logger),
    onError,
  });
  if (logger.isLevelEnabled('info')) writeEventLines(store, config, logger, lines);
  warnOfUnprotected(store, logger);
  const contents = config.tls && (await readTlsFiles(config.tls));
  const http = Fastify({
    loggerInstance: logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // A child logger for each request would cost every request what only a failing one needs: lines name theirs.
    childLoggerFactory: (parent) => parent,
    genReqId: requestId,
    requestIdHeader: false,
    trustProxy: config.trustProxy,
    bodyLimit,
    connectionTimeout: 0,
    // Fastify sets it on the server that it made, to 0 when it is not named here as well.
    requestTimeout: arrivesWithin.requestTimeout,
    keepAliveTimeout: 72_000,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => void sendFrameworkError(error, request, reply),
    // Fastify would respond to a long id with 404 before it asks for a key; the limit on headers bounds it already.
    routerOptions: { maxParamLength: 65_536 },
    clientErrorHandler: refuseBrokenHttp,
    ...serverOptions(config.tls, contents),
  });
  const tls =
    config.tls &&
    contents &&
    createTlsReload(http.server, config.tls, contents, {
      reloaded: () => logger.info('TLS goes on with the certificates that were replaced'),
      failed: (err) =>
        logger.error({ err }, 'TLS goes on with the certificates before: the new ones cannot be used'),
    });

  const credentials = credentialsOf(config, services);
  handleErrors(http);
  validateStrictly(http);
  serializeBySchema(http);
  readJsonBodies(http);
  const turns = orderFairly(http);
  nameRequests(http, config.logLevel === 'debug' || config.logLevel === 'trace');
  if (started) waitForStart(http, started);
  endConnectionsOnStop(http);
  refuseUnsupportedRequests(http);
  refuseEncodedBodies(http);
  const load = admitRequests(http, {
    requests: config.maxInFlight,
    bytes: config.maxInFlightBytes,
    bodyBytes: bodyLimit,
    // One may be parsed while the threads scan others.
    largeRequests: scanThreads + 1,
  });
  limitWaiting(http, config.maxWaiting);
  discardUnreadBodies(http);
  await limitRates(http, config, redisLog(logger));
  refuseUnknownRoutes(http, async (request, reply) => {
    await identify(request, reply, credentials);
  });
  await describeRoutes(http, version);
  const page = metrics && {
    token: config.metrics?.token ?? null,
    read: async () =>
      metrics.read(await readFigures({ ...load(), waiting: turns.waiting }, services, store, clock.now())),
  };
  const ownPort = config.metrics?.port ?? null;
  if (page && ownPort === null) metricsRoutes(http, page);
  const metricsServer = page && ownPort !== null ? createMetricsServer(page, logger) : null;
  await serveRoutes(http, config, services, { credentials, now: clock.now, onError });
  http.addHook('preClose', async () => services.reviews.stopWaiting());
  http.addHook('onClose', async () => {
    await services.deliveries.stop();
    await services.webhookDeliveries.stop();
    await services.retention.stop();
    await services.record.roots.stop();
    await services.stats.counting.stop();
    await services.expiredReviews.stop();
    await services.endedCounters.stop();
    await services.idleSessions.stop();
    await services.eventRetention.stop();
    await services.dueVersions.stop();
    await services.scanPool.close();
    await services.policyChecker.close();
    await services.replayRunner.close();
    services.recognizer?.close();
    await clock.stop();
    tls?.stop();
    await metricsServer?.close();
    await telemetry?.close();
  });
  return { http, metricsServer, tls, services, onError };
}
