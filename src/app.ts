import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { pino } from 'pino';
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
import type { DecisionObserver, Evaluations } from './evaluate/evaluate.ts';
import { scanThreads } from './evaluate/scanning/scan-pool.ts';
import { auditRoutes } from './features/audit/routes.ts';
import { entityRoutes } from './features/entities/routes.ts';
import { eventRoutes } from './features/events/routes.ts';
import type { OnUnprotected } from './features/integrations/protection.ts';
import { integrationKeyRoutes, integrationRoutes } from './features/integrations/routes.ts';
import { listRoutes } from './features/lists/routes.ts';
import { mcpServerRoutes } from './features/mcp-servers/routes.ts';
import { operatorKeyRoutes, operatorRoutes } from './features/operators/routes.ts';
import {
  policyActivationRoutes,
  policyDocumentRoutes,
  policyRoutes,
  policySchemaRoutes,
} from './features/policies/routes.ts';
import { bindingRoutes, housePolicyRoutes } from './features/policies/routes-bindings.ts';
import { proposalRoutes } from './features/proposals/routes.ts';
import { reviewQueueRoutes, reviewRoutes } from './features/reviews/routes.ts';
import { evaluationSessionRoutes } from './features/sessions/routes.ts';
import type { IdentityProvider } from './features/sign-in/identity-provider.ts';
import { oidcRoutes, signInRoutes } from './features/sign-in/routes.ts';
import { statsRoutes } from './features/stats/routes.ts';
import { createToolFinder } from './features/tools/allowed.ts';
import { allowedToolsRoutes, toolCatalogueRoutes } from './features/tools/routes.ts';
import { violationRoutes } from './features/violations/routes.ts';
import { webhookRoutes } from './features/webhooks/routes.ts';
import { shipped } from './files.ts';
import { admitRequests, limitWaiting } from './http/plugins/admission.ts';
import { authenticateCallers, type Credentials, identify } from './http/plugins/authenticate.ts';
import { serveConsoleFiles } from './http/plugins/console-files.ts';
import { createIdentifySignedIn, isAtAddress } from './http/plugins/console-requests.ts';
import {
  handleErrors,
  refuseBrokenHttp,
  refuseUnsupportedRequests,
  sendFrameworkError,
} from './http/plugins/errors.ts';
import { orderFairly } from './http/plugins/fair-order.ts';
import { readJsonBodies, refuseEncodedBodies } from './http/plugins/json-body.ts';
import { describeRoutes } from './http/plugins/openapi.ts';
import { limitRates } from './http/plugins/rate-limit.ts';
import { recordCalls } from './http/plugins/record-calls.ts';
import { endConnectionsOnStop, nameRequests, requestId, waitForStart } from './http/plugins/requests.ts';
import { refuseUndescribed, serializeBySchema, validateStrictly } from './http/plugins/schema-compilers.ts';
import { noSuchPath, refuseUnknownRoutes } from './http/plugins/unknown-routes.ts';
import { discardUnreadBodies } from './http/plugins/unread-bodies.ts';
import { gatewayRoutes } from './http/routes/gateways/gateways.ts';
import { healthRoutes } from './http/routes/health.ts';
import { createMetricsServer, metricsRoutes } from './http/routes/metrics.ts';
import { evaluateRoutes } from './http/routes/v1/evaluate.ts';
import { evaluationRoutes } from './http/routes/v1/evaluations.ts';
import { policySimulationRoutes } from './http/routes/v1/policy-simulations.ts';
import { recordRoutes } from './http/routes/v1/record.ts';
import type { Scope } from './http/scope.ts';
import { arrivesWithin, createTlsReload, readTlsFiles, serverOptions, type TlsReload } from './http/tls.ts';
import { createProxiedOauth } from './mcp/proxy/oauth.ts';
import { mcpProxyRoutes, proxiedOauthRoutes } from './mcp/proxy/routes.ts';
import { mcpRoutes } from './mcp/routes.ts';
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
  /** Evaluates beside the event loop. Closed with the app, before the store. */
  evaluateBeside?: (context: BesideContext) => Evaluations & { close(): Promise<void> };
  /** Resolves to whether the start succeeded. Requests wait for it; when absent, they are served at once. */
  started?: Promise<boolean>;
}

/** The parts of the app that `evaluateBeside` gets. */
export interface BesideContext {
  /** Evaluates on the event loop. */
  local: Evaluations;
  observer: DecisionObserver | undefined;
  onUnprotected: OnUnprotected;
  onError: (error: unknown) => void;
  /** Must be called once the thread evaluates. From then on it also keeps the statistics up with what is recorded. */
  onReady: () => void;
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
  evaluateBeside,
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
  const observer = allOf([
    metrics && countDecisions(metrics.decisions),
    telemetry && (await traceDecisions(telemetry, { isGuardrail: config.telemetry?.isGuardrail ?? false })),
  ]);
  const onUnprotected = unprotectedLog(logger);
  let beside: ReturnType<NonNullable<typeof evaluateBeside>> | undefined;
  const services = createServices({
    ...config,
    store,
    clock,
    database: config.databaseDirect,
    system: now,
    newId,
    random: Math.random,
    eventSource: config.publicUrl ?? 'urn:assize',
    observer,
    recordKey: createInstallationKey(config.recordKeyFile),
    onRetentionHeld: () =>
      logger.warn('content retention waits since the clock jumped ahead: assize retention confirm'),
    onUnprotected,
    onError,
    evaluateBeside:
      evaluateBeside &&
      ((local) => {
        const onReady = (): void => {
          logger.info('evaluations are decided in a thread of their own from now on');
          void services.stats.counting.stop();
        };
        beside = evaluateBeside({ local, observer, onUnprotected, onError, onReady });
        return beside;
      }),
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
    await beside?.close();
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

/** All routes but that of metrics; those under `/v1` authenticate the caller first. */
async function serveRoutes(
  http: FastifyInstance,
  config: Config,
  services: Services,
  {
    credentials,
    now,
    onError,
  }: { credentials: Credentials; now: () => number; onError: (error: unknown) => void },
): Promise<void> {
  const typed = http.withTypeProvider<TypeBoxTypeProvider>();
  await typed.register(async (scope) => healthRoutes(scope, services));
  policySchemaRoutes(typed);
  const oauth = createProxiedOauth(services.mcpServers, config);
  proxiedOauthRoutes(http, oauth);
  await serveConsole(http, config, services, now);
  await typed.register(
    async (scope) => {
      authenticateCallers(scope, credentials);
      recordCalls(scope, services.audit);
      refuseUndescribed(scope);
      evaluateRoutes(scope, services);
      allowedToolsRoutes(scope, createToolFinder(services.evaluations, services.toolCatalogues));
      evaluationRoutes(scope, services);
      evaluationSessionRoutes(scope, services);
      reviewRoutes(scope, services);
      violationRoutes(scope, services);
      entityRoutes(scope, services);
      reviewQueueRoutes(scope, services);
      auditRoutes(scope, services);
      eventRoutes(scope, services, credentials, onError);
      recordRoutes(scope, services);
      webhookRoutes(scope, services);
      statsRoutes(scope, services);
      operatorRoutes(scope, services);
      operatorKeyRoutes(scope, services);
      integrationRoutes(scope, services);
      integrationKeyRoutes(scope, services);
      toolCatalogueRoutes(scope, services);
      listRoutes(scope, services);
      mcpServerRoutes(scope, services);
      bindingRoutes(scope, services);
      housePolicyRoutes(scope, services);
      proposalRoutes(scope, services);
      policyRoutes(scope, services);
      policyActivationRoutes(scope, services);
      policySimulationRoutes(scope, services);
      await scope.register(async (documents) => policyDocumentRoutes(documents, services));
      await scope.register(async (mcp) => mcpRoutes(mcp, services, version));
      await scope.register(async (mcp) => mcpProxyRoutes(mcp, services, { ...config, oauth }));
    },
    { prefix: '/v1' },
  );
  await gatewayRoutes(typed, services);
}

/** Finds callers by their keys and, with the console, by their sign-ins. */
const credentialsOf = (config: Config, { authentication, signIns }: Services): Credentials => ({
  authentication,
  identifySignedIn: config.console
    ? createIdentifySignedIn(signIns, (request) => isAtAddress(config.consoleHost, request))
    : null,
});

/** The operators' console: its files, its sign-in, and the way to it from `/`. */
async function serveConsole(
  http: FastifyInstance,
  config: Config,
  { signIns, audit }: Services,
  now: () => number,
): Promise<void> {
  if (!config.console) return;
  const oidc = await openIdentityProvider(config, now);
  await http.register(async (scope) => {
    scope.addHook('onRequest', async (request, reply) => {
      if (isAtAddress(config.consoleHost, request)) return;
      await http.limitAddress(request, reply);
      throw new AppError('not_found', noSuchPath);
    });
    scope.get('/', { schema: { hide: true } }, (_request, reply) => reply.redirect('/console/'));
    await scope.register(
      async (inner) => {
        serveConsoleFiles(inner, { folder: () => shipped('dist/console') });
        const methods = { identityProvider: oidc?.identityProvider.host ?? null };
        await inner.register(async (plain) =>
          signInRoutes(plain as unknown as Scope, { signIns, audit, methods }),
        );
        if (oidc) {
          await inner.register(
            async (plain) => oidcRoutes(plain as unknown as Scope, { ...oidc, signIns, audit }),
            { prefix: '/oidc' },
          );
        }
      },
      { prefix: '/console' },
    );
  });
}

/** Null without an identity provider. `publicHost` is the host that it sends people back to. */
async function openIdentityProvider(
  { identityProvider: options }: Config,
  now: () => number,
): Promise<{ identityProvider: IdentityProvider; publicHost: string } | null> {
  if (!options) return null;
  // Loaded only when it is asked for: it costs memory, and time to start.
  const { createIdentityProvider } = await import('./features/sign-in/identity-provider.ts');
  return {
    identityProvider: createIdentityProvider(options, now),
    publicHost: new URL(options.callbackUrl).host,
  };
}
