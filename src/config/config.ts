import { readFileSync } from 'node:fs';
import type { TSchema } from '@sinclair/typebox';
import ipaddr from 'ipaddr.js';
import type { EventLineForm } from '../features/events/forms.ts';
import type { EventLimits } from '../features/events/service.ts';
import type { IdentityProviderOptions } from '../features/sign-in/identity-provider.ts';
import type { TlsFiles } from '../http/tls.ts';
import { dayMs, minuteMs } from '../schemas/durations.ts';
import { isAddressRange } from '../services/access/address-ranges.ts';
import { type FourEyes, fourEyesKinds } from '../services/access/permissions.ts';
import { allowListMistakes } from '../services/callbacks/address-policy.ts';
import type { RecognizerOptions } from '../services/recognition/recognizer.ts';
import { readSecretKeys } from '../services/secrets/secret-box.ts';
import { isPostgres } from '../store/address.ts';
import { ConfigError, type Environment, environment, unknownSetting } from './environment.ts';
import { readIdentityProvider } from './identity-provider.ts';
import { Settings } from './settings.ts';

/**
 * The settings with their defaults; null beside one line for each mistake. Checked here instead of by a library: compiling a
 * validator that runs once is a tenth of the time to start.
 */
function checkSettings(given: Environment): { settings: Settings | null; refused: string[] } {
  const settings: Record<string, unknown> = {};
  const refused: string[] = [];
  for (const [name, schema] of Object.entries<TSchema>(Settings.properties)) {
    const text = given[name];
    const value = text === undefined ? schema.default : readValue(text, schema);
    const mistake = text === undefined ? null : mistakeIn(value, schema);
    // Never shows the value: it may be a key.
    if (mistake !== null)
      refused.push(`${name}: ${mistake} (${schema.description ?? 'see docs/settings.md'})`);
    else if (value !== undefined) settings[name] = value;
  }
  return { settings: refused.length === 0 ? (settings as Settings) : null, refused };
}

/** Undefined for a text that cannot be of this type. */
function readValue(text: string, { type }: TSchema): unknown {
  if (type === 'boolean') return { true: true, false: false }[text];
  if (type !== 'integer' && type !== 'number') return text;
  const number = text.trim() === '' ? Number.NaN : Number(text);
  const isOfType = type === 'integer' ? Number.isInteger(number) : Number.isFinite(number);
  return isOfType ? number : undefined;
}

function mistakeIn(value: unknown, schema: TSchema): string | null {
  if (value === undefined) return `must be ${schema.type}`;
  const { enum: allowed, pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
  if (Array.isArray(allowed) && !allowed.includes(value)) return `must be one of ${allowed.join(', ')}`;
  if (typeof value === 'number') return outOfRange(value, schema);
  if (typeof value !== 'string') return null;
  if (value.length < minLength) return `must have at least ${minLength} characters`;
  if (value.length > maxLength) return `must have at most ${maxLength} characters`;
  return pattern === undefined || new RegExp(pattern, 'u').test(value) ? null : `must match ${pattern}`;
}

function outOfRange(value: number, { minimum, maximum, exclusiveMinimum }: TSchema): string | null {
  if (value < minimum) return `must be at least ${minimum}`;
  if (value > maximum) return `must be at most ${maximum}`;
  return value <= exclusiveMinimum ? `must be more than ${exclusiveMinimum}` : null;
}

/** The keys that encrypt stored secrets, first the one that encrypts; none without a setting. Adds to `mistakes` what is wrong. */
function readSecretsKeys(
  { ASSIZE_SECRETS_KEY: key, ASSIZE_SECRETS_KEY_FILE: file }: Partial<Settings>,
  mistakes: string[],
): Buffer[] {
  if (key && file) {
    mistakes.push('ASSIZE_SECRETS_KEY_FILE: must not be set together with ASSIZE_SECRETS_KEY');
    return [];
  }
  const name = file ? 'ASSIZE_SECRETS_KEY_FILE' : 'ASSIZE_SECRETS_KEY';
  const text = file ? readKeyFile(file, mistakes) : (key ?? null);
  if (text === null) return [];
  const keys = readSecretKeys(text);
  if (!keys) mistakes.push(`${name}: must be keys of 32 bytes in base64, separated by commas or lines`);
  return keys ?? [];
}

function readKeyFile(file: string, mistakes: string[]): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    mistakes.push(`ASSIZE_SECRETS_KEY_FILE: cannot be read: ${(error as Error).message}`);
    return null;
  }
}

interface TelemetryConfig {
  /** Where traces are posted (OTLP over HTTP, protobuf). */
  url: string;
  serviceName: string;
  /** Whether spans follow the proposed convention for guardrails. */
  isGuardrail: boolean;
}

/**
 * The variables that OpenTelemetry defines for all programs; the exporter reads further ones, such as its headers, itself. Null
 * when they name no collector.
 */
function readTelemetry(env: Environment, mistakes: string[]): Omit<TelemetryConfig, 'isGuardrail'> | null {
  const {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces = '',
    OTEL_EXPORTER_OTLP_ENDPOINT: all = '',
    OTEL_SERVICE_NAME: serviceName = '',
    OTEL_SDK_DISABLED: disabled = '',
  } = env;
  if ((traces === '' && all === '') || disabled.toLowerCase() === 'true') return null;
  const name = traces === '' ? 'OTEL_EXPORTER_OTLP_ENDPOINT' : 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT';
  const url = traces === '' ? `${all.replace(/\/+$/, '')}/v1/traces` : traces;
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    mistakes.push(`${name}: must be an http or https URL, such as http://127.0.0.1:4318`);
    return null;
  }
  return { url, serviceName: serviceName === '' ? 'assize' : serviceName };
}

export interface Config {
  host: string;
  port: number;
  database: string;
  /** Where it is past a pooler; the same where there is none. */
  databaseDirect: string;
  /** Whether statements may be prepared. */
  databasePrepares: boolean;
  databaseMustExist: boolean;
  adminKey: string | null;
  demo: boolean;
  console: boolean;
  /** Empty: every address that the service listens on. */
  consoleHost: string;
  /** Null when operators sign in with their keys alone. */
  identityProvider: IdentityProviderOptions | null;
  logLevel: Settings['ASSIZE_LOG_LEVEL'];
  watchdogSeconds: number;
  /** Whether a thread evaluates: under load, from the first evaluation on, or never. */
  evaluationThread: Settings['ASSIZE_EVALUATION_THREAD'];
  trustProxy: boolean | string[];
  /** Null when a proxy does it. */
  tls: TlsFiles | null;
  /** From where operators may call; empty is from everywhere. */
  operatorNetworks: readonly string[];
  rateLimitIntegration: number;
  rateLimitAddress: number;
  longestSessionMs: number;
  mostToolNames: number;
  /** 0 turns idempotency keys off. */
  idempotencyMs: number;
  retentionDays: number;
  /** Null where it must be given and is not: what signs is refused then. */
  recordKeyFile: string | null;
  fourEyes: readonly FourEyes[];
  /** The address without a slash at its end; null when it is not known. */
  publicUrl: string | null;
  /** Null without a mail server. */
  mail: { url: string; from: string } | null;
  /** Keys of stored secrets: the first one encrypts, each decrypts. Empty: secrets are stored as they are. */
  secretsKeys: readonly Buffer[];
  eventLimits: EventLimits;
  eventLines: EventLineForm;
  ocsfVersion: string;
  callbackAllow: string[];
  /** Null when no text leaves the process. */
  /** URL of the server that counts rate limits for all processes; null counts in this one. */
  redis: string | null;
  recognizer: Omit<RecognizerOptions, 'onError'> | null;
  maxInFlight: number;
  maxInFlightBytes: number;
  maxWaiting: number;
  /** Null when nothing is counted. */
  metrics: MetricsConfig | null;
  /** Null when nothing is traced. */
  telemetry: TelemetryConfig | null;
}

interface MetricsConfig {
  token: string | null;
  /** Null: on the listener of the API. */
  port: number | null;
  host: string;
}

/** Where commands find their server. No settings of a server, which must not refuse them. */
const commandNames = new Set(['ASSIZE_URL', 'ASSIZE_KEY']);

/**
 * Throws a ConfigError that names every mistake at once. Defaults to the environment of the process, over the settings
 * file in its working folder; `over` wins over both.
 */
export function loadConfig(env: Environment = environment(), over: Environment = {}): Config {
  const given = Object.fromEntries(
    Object.entries({ ...env, ...over }).filter(
      ([name]) => name.startsWith('ASSIZE_') && !commandNames.has(name),
    ),
  );
  const mistakes = Object.keys(given)
    .filter((name) => !Object.hasOwn(Settings.properties, name))
    .map(unknownSetting);
  const { settings, refused } = checkSettings(given);
  mistakes.push(...refused);
  const trustProxy = settings ? readTrustProxy(settings.ASSIZE_TRUST_PROXY, mistakes) : false;
  const tls = readTls(settings ?? {}, mistakes);
  const operatorNetworks = readOperatorNetworks(
    settings?.ASSIZE_OPERATOR_NETWORKS ?? '',
    trustProxy,
    mistakes,
  );
  const fourEyes = readFourEyes(settings?.ASSIZE_FOUR_EYES ?? '', mistakes);
  const callbackAllow = listed(settings?.ASSIZE_CALLBACK_ALLOW ?? '');
  mistakes.push(...allowListMistakes(callbackAllow).map((mistake) => `ASSIZE_CALLBACK_ALLOW: ${mistake}`));
  if (settings) mistakes.push(...consoleHostMistakes(settings), ...postgresMistakes(settings));
  const identityProvider = readIdentityProvider(settings ?? {}, mistakes);
  const telemetry = readTelemetry({ ...env, ...over }, mistakes);
  const secretsKeys = readSecretsKeys(settings ?? {}, mistakes);
  if (!settings || mistakes.length > 0) throw new ConfigError(mistakes);
  return {
    host: settings.ASSIZE_HOST,
    port: settings.ASSIZE_PORT,
    database: settings.ASSIZE_DATABASE,
    databaseDirect: settings.ASSIZE_DATABASE_DIRECT ?? settings.ASSIZE_DATABASE,
    databasePrepares: settings.ASSIZE_DATABASE_PREPARE,
    databaseMustExist: settings.ASSIZE_DATABASE_MUST_EXIST,
    adminKey: settings.ASSIZE_ADMIN_KEY ?? null,
    demo: settings.ASSIZE_DEMO,
    console: settings.ASSIZE_CONSOLE,
    consoleHost: settings.ASSIZE_CONSOLE_HOST === settings.ASSIZE_HOST ? '' : settings.ASSIZE_CONSOLE_HOST,
    identityProvider,
    logLevel: settings.ASSIZE_LOG_LEVEL,
    watchdogSeconds: settings.ASSIZE_WATCHDOG_SECONDS,
    evaluationThread: settings.ASSIZE_EVALUATION_THREAD,
    trustProxy,
    tls,
    operatorNetworks,
    rateLimitIntegration: settings.ASSIZE_RATE_LIMIT_INTEGRATION,
    rateLimitAddress: settings.ASSIZE_RATE_LIMIT_ADDRESS,
    redis: settings.ASSIZE_REDIS ?? null,
    longestSessionMs: settings.ASSIZE_SESSION_MAX_DAYS * dayMs,
    mostToolNames: settings.ASSIZE_SESSION_MAX_TOOLS,
    idempotencyMs: settings.ASSIZE_IDEMPOTENCY_MINUTES * minuteMs,
    retentionDays: settings.ASSIZE_RETENTION_DAYS,
    recordKeyFile: recordKeyFileOf(settings),
    fourEyes,
    publicUrl: settings.ASSIZE_PUBLIC_URL?.replace(/\/+$/, '') ?? null,
    mail:
      settings.ASSIZE_SMTP_URL === undefined
        ? null
        : { url: settings.ASSIZE_SMTP_URL, from: settings.ASSIZE_SMTP_FROM },
    secretsKeys,
    eventLimits: { days: settings.ASSIZE_EVENTS_DAYS, bytes: settings.ASSIZE_EVENTS_MB * 1_048_576 },
    eventLines: settings.ASSIZE_EVENT_LINES,
    ocsfVersion: settings.ASSIZE_OCSF_VERSION,
    callbackAllow,
    recognizer: recognizerOf(settings),
    maxInFlight: settings.ASSIZE_MAX_IN_FLIGHT,
    maxInFlightBytes: settings.ASSIZE_MAX_IN_FLIGHT_MB * 1_048_576,
    maxWaiting: settings.ASSIZE_MAX_WAITING,
    metrics: metricsOf(settings),
    telemetry: telemetry && { ...telemetry, isGuardrail: settings.ASSIZE_OTEL_RUN_GUARDRAIL },
  };
}

/** Beside the file of the database. Replicas on PostgreSQL share one key, which has no place of its own. */
function recordKeyFileOf({
  ASSIZE_DATABASE: database,
  ASSIZE_RECORD_KEY_FILE: file,
}: Settings): string | null {
  if (file !== '') return file;
  return isPostgres(database) ? null : `${database}-record-key.pem`;
}

function metricsOf(settings: Settings): MetricsConfig | null {
  const { ASSIZE_METRICS_TOKEN: token = null, ASSIZE_METRICS_PORT: port = null } = settings;
  if (token === null && port === null) return null;
  return { token, port, host: settings.ASSIZE_METRICS_HOST };
}

function recognizerOf(settings: Settings): Config['recognizer'] {
  const url = settings.ASSIZE_RECOGNIZER_URL;
  return url === undefined
    ? null
    : {
        url,
        language: settings.ASSIZE_RECOGNIZER_LANGUAGE,
        timeoutMs: settings.ASSIZE_RECOGNIZER_TIMEOUT_MS,
        failure: settings.ASSIZE_RECOGNIZER_FAILURE,
      };
}

/** The entries of a list separated by commas. */
const listed = (text: string): string[] =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

/** Adds to `mistakes` what is wrong. */
function readFourEyes(text: string, mistakes: string[]): FourEyes[] {
  const given = listed(text);
  if (given.some((one) => !fourEyesKinds.some((known) => known === one))) {
    mistakes.push(
      `ASSIZE_FOUR_EYES: must be empty or of these, separated by commas: ${fourEyesKinds.join(', ')}`,
    );
  }
  return fourEyesKinds.filter((known) => given.includes(known));
}

/** Adds to `mistakes` what is wrong. */
function readTrustProxy(text: string, mistakes: string[]): boolean | string[] {
  if (text === 'false' || text === 'true') return text === 'true';
  const entries = listed(text);
  const wrong = entries.filter((entry) => !ipaddr.isValid(entry) && !ipaddr.isValidCIDR(entry));
  if (entries.length === 0 || wrong.length > 0) {
    mistakes.push(
      `ASSIZE_TRUST_PROXY: must be false, true, or addresses and CIDR ranges separated by commas`,
    );
  }
  return entries;
}

/** Null without TLS. Adds to `mistakes` what is wrong. */
function readTls(settings: Partial<Settings>, mistakes: string[]): TlsFiles | null {
  const { ASSIZE_TLS_CERT: cert = '', ASSIZE_TLS_KEY: key = '', ASSIZE_TLS_CLIENT_CA: ca = '' } = settings;
  if (cert !== '' && key === '') mistakes.push('ASSIZE_TLS_KEY: must be set together with ASSIZE_TLS_CERT');
  if (cert === '' && key !== '') mistakes.push('ASSIZE_TLS_CERT: must be set together with ASSIZE_TLS_KEY');
  if (cert === '' && ca !== '')
    mistakes.push('ASSIZE_TLS_CLIENT_CA: needs ASSIZE_TLS_CERT and ASSIZE_TLS_KEY');
  return cert === '' ? null : { cert, key, clientCa: ca === '' ? null : ca };
}

/** Adds to `mistakes` what is wrong: a list that anybody can get around would only look like one. */
function readOperatorNetworks(text: string, trustProxy: boolean | string[], mistakes: string[]): string[] {
  const networks = listed(text);
  if (!networks.every(isAddressRange)) {
    mistakes.push(
      'ASSIZE_OPERATOR_NETWORKS: must be IP addresses and CIDR ranges, like 203.0.113.0/24, separated by commas',
    );
  }
  if (networks.length > 0 && trustProxy === true) {
    mistakes.push(
      'ASSIZE_OPERATOR_NETWORKS: needs ASSIZE_TRUST_PROXY to be false or to name the proxies: with true, callers say themselves where they are',
    );
  }
  return networks;
}

/** Whether listening on it is listening on every address of the machine. */
export const isAnyAddress = (host: string): boolean => host === '0.0.0.0' || host === '::';

/** The console must be at an address that the service listens on; otherwise it could not be reached. */
function consoleHostMistakes({ ASSIZE_HOST: host, ASSIZE_CONSOLE_HOST: consoleHost }: Settings): string[] {
  if (consoleHost === '' || consoleHost === host) return [];
  if (!ipaddr.isValid(consoleHost) || isAnyAddress(consoleHost)) {
    return ['ASSIZE_CONSOLE_HOST: must be one IP address, such as 127.0.0.1'];
  }
  if (isAnyAddress(host)) return [];
  return [`ASSIZE_CONSOLE_HOST: must be ASSIZE_HOST (${host}), because the service listens on nothing else`];
}

/** The mistakes in settings that go with PostgreSQL, or with its poolers. */
function postgresMistakes({
  ASSIZE_DATABASE: database,
  ASSIZE_EVALUATION_THREAD: evaluationThread,
  ASSIZE_DATABASE_DIRECT: direct,
  ASSIZE_DATABASE_PREPARE: prepares,
}: Settings): string[] {
  if (direct !== undefined && !isPostgres(database))
    return ['ASSIZE_DATABASE_DIRECT: needs the address of a PostgreSQL database in ASSIZE_DATABASE'];
  if (evaluationThread !== 'off' && isPostgres(database))
    return [
      'ASSIZE_EVALUATION_THREAD: must be off with a PostgreSQL database, whose replicas share the load',
    ];
  // Notifications and migrations would go through the pooler, which loses the ones and cuts off the others.
  if (direct === undefined && !prepares)
    return ['ASSIZE_DATABASE_PREPARE: false needs ASSIZE_DATABASE_DIRECT, the address past the pooler'];
  return [];
}
