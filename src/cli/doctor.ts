import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmdirSync, statfsSync, statSync } from 'node:fs';
import { request as httpRequest, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { json } from 'node:stream/consumers';
import { type Config, loadConfig } from '../config/config.ts';
import { ConfigError, settingsFile, settingsOfDatabase } from '../config/environment.ts';
import { createPolicyModes } from '../features/integrations/protection.ts';
import { shipped } from '../files.ts';
import { readTlsFiles, type TlsFiles } from '../http/tls.ts';
import { dayMs } from '../schemas/durations.ts';
import { isPostgres } from '../store/address.ts';
import { type CheckResult, fail, ok, warn } from '../store/maintenance.ts';
import { openMaintenance } from '../store/open.ts';
import type { LocalCall } from './api/call.ts';
import { Exit, exitCodes } from './exit.ts';
import { lookAtCodexTrust } from './hook/codex-trust.ts';
import { firstKeysFile } from './serve/first-keys.ts';

/** Renewals that are automatic happen earlier. Days. */
const soon = 14;

/** The files of TLS can be used, and the certificate does not end soon. */
export async function lookAtCertificate(files: TlsFiles | null, now: number): Promise<CheckResult[]> {
  const check = 'TLS';
  if (!files) return [];
  try {
    const { cert } = await readTlsFiles(files);
    const { validTo } = new X509Certificate(cert as string);
    const days = Math.floor((Date.parse(validTo) - now) / dayMs);
    const renew = `replace ${files.cert}: it is read again without a restart`;
    if (days < 0) return [fail(check, `the certificate ended at ${validTo}`, renew)];
    if (days < soon) return [warn(check, `the certificate ends at ${validTo}`, renew)];
    return [ok(check, `the certificate is valid until ${validTo}`)];
  } catch (error) {
    return [fail(check, (error as Error).message, 'correct the file, or the setting that names it')];
  }
}

const mega = 1_048_576;
/** Below this `/health/ready` returns 503. */
const leastFree = 8 * mega;
/** Below this an operator should look: a day's evaluations may fill it. */
const littleFree = 500 * mega;

export function lookAtDisk(database: string): CheckResult[] {
  // Its disk is that of its server.
  if (isPostgres(database)) return [];
  const folder = dirname(database);
  if (!existsSync(folder)) {
    return [warn('folder', `there is no ${folder}`, 'the first start makes it; or: assize init')];
  }
  return [writable(folder), space(folder, database), ...[database, settingsFile].flatMap(permissions)];
}

/** Asked by writing: the rights of a file say nothing about a disk that is mounted read-only. */
function writable(folder: string): CheckResult {
  try {
    rmdirSync(mkdtempSync(join(folder, '.assize-doctor-')));
    return ok('folder', `${folder} can be written to`);
  } catch (error) {
    return fail(
      'folder',
      `${folder} cannot be written to: ${(error as Error).message}`,
      'give it to the user that serves (chown), on a disk mounted for writing',
    );
  }
}

function space(folder: string, database: string): CheckResult {
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const size = statSync(database, { throwIfNoEntry: false })?.size ?? 0;
  const message = `${megabytes(free)} free, the database has ${megabytes(size)}`;
  if (free < leastFree) return fail('disk', message, 'free some space: nothing can be recorded');
  if (free < Math.max(littleFree, size)) {
    return warn('disk', message, 'free some space: a backup beside it would not fit, or soon not');
  }
  return ok('disk', message);
}

function permissions(file: string): CheckResult[] {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (!stat || process.platform === 'win32') return [];
  const check = 'permissions';
  const uid = process.getuid?.();
  if (uid !== 0 && stat.uid !== uid) {
    return [warn(check, `${file} belongs to another user`, 'run this as the user that serves')];
  }
  if ((stat.mode & 0o077) === 0) return [ok(check, `${file} is for its owner only`)];
  return [warn(check, `${file} can be read or written by others`, `chmod 600 ${file}`)];
}

const megabytes = (bytes: number): string => `${Math.round(bytes / mega)} MB`;

/** A file of keys that stays beside the database gets into backups of the folder. */
function lookAtFirstKeys(database: string): CheckResult[] {
  const file = firstKeysFile(database);
  if (!existsSync(file)) return [];
  return [warn('first keys', `${file} holds keys in plain text`, 'keep them elsewhere, and delete it')];
}

/** Longest wait for a response, in milliseconds. */
const patience = 3_000;

/** The port is free to serve on, or assize serves there already and is well. */
export async function lookAtPort(
  host: string,
  port: number,
  tls: TlsFiles | null = null,
): Promise<CheckResult> {
  const check = 'port';
  const where = `${host}:${port}`;
  if (port === 0) return ok(check, 'a free port is picked');
  const server = createServer();
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, 'listening');
    return ok(check, `${where} is free`);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') return whoServes(host, port, tls);
    if (code === 'EACCES') {
      return fail(check, `this user may not listen on ${where}`, 'set ASSIZE_PORT to one above 1023');
    }
    return fail(
      check,
      `${where} cannot be listened on: ${message}`,
      'set ASSIZE_HOST to an address of this machine',
    );
  } finally {
    server.close();
  }
}

async function whoServes(host: string, port: number, tls: TlsFiles | null): Promise<CheckResult> {
  const check = 'port';
  const local = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  try {
    const { success, data } = await ask({ host: local, port, path: '/health/ready' }, tls !== null);
    if (data?.status === 'ok') return ok(check, `assize runs at ${host}:${port} and is ready`);
    if (success === false) {
      return fail(check, `assize runs at ${host}:${port} but cannot record`, 'look at its log and its disk');
    }
  } catch (error) {
    if (tls?.clientCa && wantsCertificate(error)) {
      return ok(check, `a service runs at ${host}:${port} that lets in only clients with a certificate`);
    }
    // Another program's response, or none.
  }
  return fail(check, `another program has ${host}:${port}`, 'stop that, or set ASSIZE_PORT to a free one');
}

interface Readiness {
  success?: boolean;
  data?: { status?: string };
}

/** The certificate is not verified: it names the service as clients know it, and this asks on its own machine. */
function ask(options: RequestOptions, secure: boolean): Promise<Readiness> {
  return new Promise((resolve, reject) => {
    const asked = { ...options, agent: false, signal: AbortSignal.timeout(patience) };
    const sent = secure ? httpsRequest({ ...asked, rejectUnauthorized: false }) : httpRequest(asked);
    sent
      .on('response', (response) => json(response).then((body) => resolve(body as Readiness), reject))
      .on('error', reject)
      .end();
  });
}

/** The alerts of TLS 1.3 and of TLS 1.2. */
const wantsCertificate = (error: unknown): boolean =>
  /ALERT_(?:CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE)/.test((error as NodeJS.ErrnoException).code ?? '');

export async function doctor({ out, options }: LocalCall): Promise<void> {
  const results = await examine(options.database);
  out.list(
    results,
    [
      { title: '', of: ({ status }) => status, word: true },
      { title: 'CHECK', of: ({ check }) => check },
      { title: 'FOUND', of: ({ message }) => message },
      { title: 'TO DO', of: ({ fix }) => fix },
    ],
    '',
  );
  if (results.some(({ status }) => status === 'fail')) throw new Exit(exitCodes.failed);
}

async function examine(database: string | undefined): Promise<CheckResult[]> {
  let config: Config;
  try {
    config = loadConfig(undefined, settingsOfDatabase(database));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    // Where the database is, and which port, is not known before these are right.
    return error.mistakes.map((mistake) =>
      fail('settings', mistake, 'correct it in the environment or in assize.env'),
    );
  }
  const maintenance = await openMaintenance(config.databaseDirect, { migrations: shipped('migrations') });
  return [
    ok('settings', 'can be used'),
    ...lookAtDisk(config.database),
    ...lookAtFirstKeys(config.database),
    ...(await maintenance.examine({
      now: Date.now(),
      modeOf: createPolicyModes().of,
      hasSecretsKey: config.secretsKeys.length > 0,
    })),
    ...(await lookAtCertificate(config.tls, Date.now())),
    await lookAtPort(config.host, config.port, config.tls),
    ...(await lookAtCodexTrust()),
  ];
}
