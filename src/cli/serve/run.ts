import { readdirSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import closeWithGrace from 'close-with-grace';
import type { FastifyBaseLogger } from 'fastify';
import { type App, buildApp } from '../../app.ts';
import { type Config, isAnyAddress, loadConfig } from '../../config/config.ts';
import { ConfigError } from '../../config/environment.ts';

import type { SentDocument } from '../../features/policies/service.ts';
import { shipped } from '../../files.ts';
import type { FirstStart } from '../../services/first-start.ts';
import { assertNoSecondKey, isOtherKey } from '../../services/record/installation-key.ts';
import { isPostgres } from '../../store/address.ts';
import { openStore } from '../../store/open.ts';
import type { Store } from '../../store/store.ts';
import { version } from '../../version.ts';
import { type ExitCode, exitCodes } from '../exit.ts';
import { outliveReaders } from '../io.ts';
import { createEvaluationsInThread, relayEvents } from './evaluations-in-thread.ts';
import { showFirstKeys, showPlaces } from './first-keys.ts';
import { watchIdleness } from './idleness.ts';
import { terminalLog } from './terminal-log.ts';
import { evaluationTurns, watchFromFirstRequest } from './watchdog.ts';

/** Longest wait for what was accepted before a stop, in milliseconds. */
const graceMs = 20_000;
/** npm passes on the Ctrl-C that a terminal has sent to the service as well. Milliseconds within which two are the same one. */
const samePressMs = 500;

/** The process: settings, store, app, first start, listen; and a stop that finishes what it accepted. 1 when it cannot start. */
export async function serve(): Promise<ExitCode> {
  let store: Store | undefined;
  let app: App | undefined;
  let isDiskFull = false;
  const started = Promise.withResolvers<boolean>();
  const stopping = new AbortController();
  // The database holds content and secrets: what this process writes is for its own user.
  process.umask(0o077);
  outliveReaders();
  try {
    const config = loadConfig();
    // Loaded only when it is asked for: it costs memory.
    const metrics = config.metrics && (await import('../../metrics/metrics.ts')).createMetrics(version);
    const telemetry =
      config.telemetry &&
      (await import('../../telemetry/telemetry.ts')).openTelemetry({ ...config.telemetry, version });
    store = await openStore(config.database, {
      migrations: shipped('migrations'),
      direct: config.databaseDirect,
      prepares: config.databasePrepares,
      mustExist: config.databaseMustExist,
      onFilesLost: (error) => app?.http.log.fatal({ err: error }, error.message),
      keepsReserve: true,
      ...(metrics && { commits: metrics.commits }),
      onDiskFull: (isFull) => {
        isDiskFull = isFull;
        if (app) logDisk(app.http.log, isFull);
      },
      onTrouble: (error) => app?.http.log.error({ err: error }, 'background work failed and will be retried'),
    });
    const relay = relayEvents(store);
    app = await buildApp({
      config,
      store: relay.store,
      ...(mayUseThread(config) && {
        evaluateBeside: (context) =>
          createEvaluationsInThread({
            ...context,
            config,
            atOnce: config.evaluationThread === 'on',
            turns: evaluationTurns,
            isDiskFull: () => isDiskFull,
            commits: metrics?.commits,
            onEvents: relay.tell,
          }),
      }),
      ...(metrics && { metrics }),
      ...(telemetry && { telemetry }),
      ...(process.stdout.isTTY && { logTo: terminalLog(process.stdout) }),
      started: started.promise,
    });
    const { address, first } = await start(app, config, store, stopping);
    started.resolve(true);
    if (first) {
      const link = signInLink(app, config, first.generatedAdminKey ?? config.adminKey);
      // Only hashes of the keys are stored: they are shown whatever else fails.
      const signInUrl = await link.catch((error) => {
        app?.onError(error);
        return null;
      });
      showFirstKeys(first, { address, signInUrl }, { database: config.database, log: app.http.log });
    } else if (process.stdout.isTTY) showPlaces(process.stdout, config, address);
    await finishStart(app, stopping.signal);
    return exitCodes.fine;
  } catch (error) {
    started.resolve(false);
    // It may listen already, and would go on without end.
    await app?.http.close();
    await store?.close();
    for (const line of sentences(error)) process.stderr.write(`assize: ${line}\n`);
    return exitCodes.failed;
  }
}

/** Listens and stores the first keys, if there are none. After it, requests can be served. */
async function start(
  app: App,
  config: Config,
  store: Store,
  stopping: AbortController,
): Promise<{ address: string; first: FirstStart | null }> {
  const { http, metricsServer, services } = app;
  // Until the stop, which may take the event loop for long.
  const endWatch = watchFromFirstRequest({
    server: http.server,
    seconds: config.watchdogSeconds,
    isTerminal: process.stdout.isTTY,
    logs: config.logLevel !== 'silent',
    onFailure: (error) => http.log.error({ err: error }, 'the watchdog has stopped'),
  });
  if (isPostgres(config.database)) await assertNoSecondKey(store, config.recordKeyFile);
  if (await isOtherKey(store, services.record.key().keyId))
    http.log.warn('the record was signed with another key until now: all replicas need the same one');
  // Listens first: were the port taken, keys would be made that nobody ever sees, because only hashes are kept.
  const address = await http.listen({ host: config.host, port: config.port });
  if (config.metrics)
    await metricsServer?.listen({ host: config.metrics.host, port: config.metrics.port ?? 0 });
  const first = await services.firstStart({
    adminKey: config.adminKey,
    demo: config.demo ? starterPolicies : null,
  });
  // Before anybody is told that it runs: a stop may follow at once.
  // Not when nothing is left to do, as after a start that failed: that exit would say that all is well.
  const skip: ('beforeExit' | 'SIGINT')[] = ['beforeExit', 'SIGINT'];
  const { close } = closeWithGrace({ delay: graceMs, logger: http.log, skip }, async ({ err }) => {
    stopping.abort();
    endWatch();
    if (err) http.log.fatal({ err }, 'stopping after an unexpected error');
    await http.close();
    await store.close();
  });
  let interruptedAt = Number.NEGATIVE_INFINITY;
  process.on('SIGINT', () => {
    if (performance.now() - interruptedAt < samePressMs) return;
    interruptedAt = performance.now();
    if (!stopping.signal.aborted) return void close();
    http.log.error('second SIGINT, exiting');
    process.exit(exitCodes.failed);
  });
  return { address, first };
}

/** Requests that waited for the start are served before its rest. */
const beforeRestMs = 100;

/**
 * The rest of the start, while requests are served: if a part of it fails, that is logged, and the service goes on. Nothing
 * starts once `stopping` is aborted.
 */
export async function finishStart({ services, tls, onError }: App, stopping: AbortSignal): Promise<void> {
  await pause(beforeRestMs);
  if (stopping.aborted) return;
  await services.sealedSecrets.reseal().catch(onError);
  tls?.start();
  services.deliveries.start();
  services.webhookDeliveries.start();
  services.record.roots.start();
  services.stats.counting.start();
  services.expiredReviews.start();
  services.endedCounters.start();
  services.idleSessions.start();
  services.eventRetention.start();
  services.dueVersions.start();
  await services.protection.tellOfAll().catch(onError);
  if (stopping.aborted) return;
  const end = watchIdleness(() => services.retention.start());
  stopping.addEventListener('abort', end);
}

/** In the fragment, which browsers send to nobody and proxies never log. */
async function signInLink(
  { http, services }: App,
  config: Config,
  adminKey: string | null,
): Promise<string | null> {
  if (!config.console || adminKey === null) return null;
  const { port } = http.server.address() as AddressInfo;
  const host = config.consoleHost || (isAnyAddress(config.host) ? '127.0.0.1' : config.host);
  const address = host.includes(':') ? `[${host}]` : host;
  return `${config.tls ? 'https' : 'http'}://${address}:${port}/console/#sign-in=${await services.signIns.createLink(adminKey)}`;
}

/** Another core is needed for the thread, and only SQLite's work is in this process. */
const mayUseThread = ({ database, evaluationThread }: Config): boolean =>
  !isPostgres(database) &&
  evaluationThread !== 'off' &&
  (evaluationThread === 'on' || availableParallelism() > 1);

function logDisk(log: FastifyBaseLogger, isFull: boolean): void {
  if (isFull)
    log.error('the disk is full: until it has space, only operators and ends of sessions are served');
  else log.warn('the disk has space again');
}

/** The error of Node for an address that the service cannot listen on. */
interface ListenError extends NodeJS.ErrnoException {
  address: string;
  port: number;
}

/** The files of `policies/`, in the order of their names. */
function starterPolicies(): SentDocument[] {
  const folder = shipped('policies/');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .map((name) => ({ text: readFileSync(folder + name, 'utf8'), mediaType: 'application/yaml' }));
}

function sentences(error: unknown): readonly string[] {
  if (error instanceof ConfigError) return error.mistakes;
  const { syscall, code, address, port, message } = (error ?? {}) as Partial<ListenError>;
  if (syscall === 'listen' && code === 'EADDRINUSE')
    return [`${message}: stop what listens there, or set ASSIZE_PORT to another port than ${port}`];
  if (syscall === 'listen' && code === 'EADDRNOTAVAIL')
    return [`${message}: set ASSIZE_HOST to an address of this machine, which ${address} is not`];
  if (syscall === 'listen' && code === 'EACCES')
    return [`${message}: set ASSIZE_PORT to a port above 1023, which every user may listen on`];
  if (syscall === 'getaddrinfo') return [`${message}: set ASSIZE_HOST to an address of this machine`];
  return [error instanceof Error ? error.message : String(error)];
}
