import { readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { envSchema } from 'env-schema';
import ipaddr from 'ipaddr.js';
import { allowListMistakes } from './services/callbacks/address-policy.ts';
import { type FourEyes, fourEyesKinds } from './services/four-eyes.ts';
import type { RecognizerOptions } from './services/recognition/recognizer.ts';

/** Every setting, in the order of the README's table, which is printed from here. */
export const Settings = Type.Object({
  ASSIZE_HOST: Type.String({ default: '127.0.0.1', minLength: 1, description: 'address to listen on' }),
  ASSIZE_PORT: Type.Integer({
    default: 3000,
    minimum: 0,
    maximum: 65_535,
    description: 'port to listen on; 0 takes a free one',
  }),
  ASSIZE_DATABASE: Type.String({
    default: './data/assize.db',
    minLength: 1,
    description: 'the SQLite file; created with its folder when missing',
  }),
  ASSIZE_DATABASE_MUST_EXIST: Type.Boolean({
    default: false,
    description:
      '`true` refuses to start on a missing or empty database file, as when its volume is not mounted; set it after the first start',
  }),
  ASSIZE_ADMIN_KEY: Type.Optional(
    Type.String({
      pattern: '^asz_admin_[A-Za-z0-9_-]{43}$',
      description:
        'the first operator key of an empty database, `asz_admin_` and 43 base64url characters; generated and shown once when absent',
    }),
  ),
  ASSIZE_DEMO: Type.Boolean({
    default: true,
    description: '`false` leaves the demo integration out of an empty database',
  }),
  ASSIZE_CONSOLE: Type.Boolean({
    default: true,
    description: '`false` turns the console off: its page at `/console`, and signing in to it',
  }),
  ASSIZE_CONSOLE_HOST: Type.String({
    default: '',
    description:
      'the only IP address at which the console is served, such as `127.0.0.1` where `ASSIZE_HOST` is `0.0.0.0`; by default every one that the service listens on',
  }),
  ASSIZE_LOG_LEVEL: Type.Unsafe<'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'>({
    type: 'string',
    enum: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    default: 'info',
    description: 'the least level that is logged; `debug` logs every request',
  }),
  ASSIZE_TRUST_PROXY: Type.String({
    default: 'false',
    description:
      'whose `X-Forwarded-For` is believed: `false`, `true`, or addresses and CIDR ranges separated by commas',
  }),
  ASSIZE_RATE_LIMIT_INTEGRATION: Type.Integer({
    default: 60_000,
    minimum: 0,
    description: 'requests a minute of one integration; 0 is no limit',
  }),
  ASSIZE_RATE_LIMIT_ADDRESS: Type.Integer({
    default: 300,
    minimum: 0,
    description: 'requests a minute of one address that fail authentication or reach no route; 0 is no limit',
  }),
  ASSIZE_SESSION_MAX_DAYS: Type.Number({
    default: 30,
    exclusiveMinimum: 0,
    maximum: 3_650,
    description: 'the longest lifetime of an evaluation session, in days',
  }),
  ASSIZE_SESSION_MAX_TOOLS: Type.Integer({
    default: 256,
    minimum: 1,
    maximum: 10_000,
    description:
      'tool names that a session counts separately; further names count together as `(other)`, except names that an active policy mentions',
  }),
  ASSIZE_IDEMPOTENCY_MINUTES: Type.Integer({
    default: 15,
    minimum: 0,
    maximum: 1_440,
    description:
      'minutes for which an `Idempotency-Key` is remembered; 0 turns keys off, and a request that sends one is answered 400',
  }),
  ASSIZE_RETENTION_DAYS: Type.Number({
    default: 0,
    minimum: 0,
    maximum: 36_500,
    description:
      'days after which the content of evaluations (`input`, `targetMetadata`) is deleted; decisions and reasons stay; 0 keeps it',
  }),
  ASSIZE_FOUR_EYES: Type.String({
    default: '',
    description:
      'what takes two operators, separated by commas: `policies` (the author of a version cannot activate it), `reviews` (who may have requested an action cannot approve it)',
  }),
  ASSIZE_CALLBACK_ALLOW: Type.String({
    default: '',
    description:
      'hosts, addresses and CIDR ranges, separated by commas, that callbacks may go to although they are not public',
  }),
  ASSIZE_RECOGNIZER_URL: Type.Optional(
    Type.String({
      pattern: '^https?://[^\\s/@?#]+(?:/[^\\s?#]*)?$',
      maxLength: 500,
      description:
        'a Presidio Analyzer that finds names and places in the prose of requests, such as `http://127.0.0.1:5002`; without it nothing is sent anywhere',
    }),
  ),
  ASSIZE_RECOGNIZER_LANGUAGE: Type.String({
    default: 'en',
    pattern: '^[a-z]{2}$',
    description: 'the language of the texts that it is asked about (ISO 639-1)',
  }),
  ASSIZE_RECOGNIZER_TIMEOUT_MS: Type.Integer({
    default: 1_000,
    minimum: 10,
    maximum: 20_000,
    description: 'milliseconds it has for all texts of a request',
  }),
  ASSIZE_RECOGNIZER_FAILURE: Type.Unsafe<'closed' | 'open'>({
    type: 'string',
    enum: ['closed', 'open'],
    default: 'closed',
    description: '`closed` gives texts that it did not read the tag `UNSCANNED`; `open` goes on without',
  }),
  ASSIZE_MAX_IN_FLIGHT: Type.Integer({
    default: 256,
    minimum: 0,
    description:
      'requests of one integration in flight at once, beyond which it gets 503; with several, each has a fair share of twice as many; fewer under lasting overload, never below 64; 0 is no limit',
  }),
  ASSIZE_MAX_IN_FLIGHT_MB: Type.Integer({
    default: 16,
    minimum: 0,
    description:
      'megabytes of request bodies of one integration in flight at once, beyond which it gets 503; with several, each has a fair share of twice as many; 0 is no limit',
  }),
  ASSIZE_MAX_WAITING: Type.Integer({
    default: 1_000,
    minimum: 0,
    description:
      'long polls and MCP streams of one integration open at once, beyond which it gets 429; with several, each has a fair share of twice as many; 0 is no limit',
  }),
  ASSIZE_METRICS_TOKEN: Type.Optional(
    Type.String({
      minLength: 16,
      maxLength: 200,
      pattern: '^[\\x21-\\x7e]*$',
      description:
        'the bearer token of `GET /metrics` (Prometheus); without this and `ASSIZE_METRICS_PORT` nothing is counted and there is no such path',
    }),
  ),
  ASSIZE_METRICS_PORT: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 65_535,
      description:
        'serves `/metrics` on this port alone, at `ASSIZE_METRICS_HOST`, and asks for a token only when `ASSIZE_METRICS_TOKEN` is set; 0 takes a free one',
    }),
  ),
  ASSIZE_METRICS_HOST: Type.String({
    default: '127.0.0.1',
    minLength: 1,
    description: 'address of `ASSIZE_METRICS_PORT`',
  }),
  ASSIZE_UNPACK_FOLDER: Type.String({
    default: '',
    description:
      'where the single binary unpacks the files that must be on disk, such as its SQLite addon; by default `assize` in `XDG_CACHE_HOME` or `~/.cache`, or, when that cannot be written, `.assize` beside the database',
  }),
});
type Settings = Static<typeof Settings>;

export interface Config {
  host: string;
  port: number;
  database: string;
  databaseMustExist: boolean;
  adminKey: string | null;
  demo: boolean;
  console: boolean;
  /** Empty: every address that the service listens on. */
  consoleHost: string;
  logLevel: Settings['ASSIZE_LOG_LEVEL'];
  trustProxy: boolean | string[];
  rateLimitIntegration: number;
  rateLimitAddress: number;
  longestSessionMs: number;
  mostToolNames: number;
  /** 0 turns idempotency keys off. */
  idempotencyMs: number;
  retentionDays: number;
  fourEyes: readonly FourEyes[];
  callbackAllow: string[];
  /** Null when no text leaves the process. */
  recognizer: Omit<RecognizerOptions, 'onError'> | null;
  maxInFlight: number;
  maxInFlightBytes: number;
  maxWaiting: number;
  /** Null when nothing is counted. */
  metrics: MetricsConfig | null;
}

export interface MetricsConfig {
  token: string | null;
  /** Null: on the listener of the API. */
  port: number | null;
  host: string;
}

/** Settings that cannot be used: one line for each mistake. */
export class ConfigError extends Error {
  readonly mistakes: readonly string[];
  constructor(mistakes: readonly string[]) {
    super(mistakes.join('\n'));
    this.mistakes = mistakes;
  }
}

type Environment = Record<string, string | undefined>;

/** Where commands find their server. No settings of a server, which must not refuse them. */
const commandNames = new Set(['ASSIZE_URL', 'ASSIZE_KEY']);

/** What the settings file in the working folder says, under what the environment says. */
export const settingsFile = 'assize.env';

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
    .map((name) => `${name}: there is no such setting`);
  const { settings, refused } = read(given);
  mistakes.push(...refused);
  const trustProxy = settings ? readTrustProxy(settings.ASSIZE_TRUST_PROXY, mistakes) : false;
  const fourEyes = readFourEyes(settings?.ASSIZE_FOUR_EYES ?? '', mistakes);
  const callbackAllow = listed(settings?.ASSIZE_CALLBACK_ALLOW ?? '');
  mistakes.push(...allowListMistakes(callbackAllow).map((mistake) => `ASSIZE_CALLBACK_ALLOW: ${mistake}`));
  if (settings) mistakes.push(...consoleHostMistakes(settings));
  if (!settings || mistakes.length > 0) throw new ConfigError(mistakes);
  return {
    host: settings.ASSIZE_HOST,
    port: settings.ASSIZE_PORT,
    database: settings.ASSIZE_DATABASE,
    databaseMustExist: settings.ASSIZE_DATABASE_MUST_EXIST,
    adminKey: settings.ASSIZE_ADMIN_KEY ?? null,
    demo: settings.ASSIZE_DEMO,
    console: settings.ASSIZE_CONSOLE,
    consoleHost: settings.ASSIZE_CONSOLE_HOST === settings.ASSIZE_HOST ? '' : settings.ASSIZE_CONSOLE_HOST,
    logLevel: settings.ASSIZE_LOG_LEVEL,
    trustProxy,
    rateLimitIntegration: settings.ASSIZE_RATE_LIMIT_INTEGRATION,
    rateLimitAddress: settings.ASSIZE_RATE_LIMIT_ADDRESS,
    longestSessionMs: settings.ASSIZE_SESSION_MAX_DAYS * 86_400_000,
    mostToolNames: settings.ASSIZE_SESSION_MAX_TOOLS,
    idempotencyMs: settings.ASSIZE_IDEMPOTENCY_MINUTES * 60_000,
    retentionDays: settings.ASSIZE_RETENTION_DAYS,
    fourEyes,
    callbackAllow,
    recognizer: recognizerOf(settings),
    maxInFlight: settings.ASSIZE_MAX_IN_FLIGHT,
    maxInFlightBytes: settings.ASSIZE_MAX_IN_FLIGHT_MB * 1_048_576,
    maxWaiting: settings.ASSIZE_MAX_WAITING,
    metrics: metricsOf(settings),
  };
}

function metricsOf(settings: Settings): MetricsConfig | null {
  const { ASSIZE_METRICS_TOKEN: token = null, ASSIZE_METRICS_PORT: port = null } = settings;
  if (token === null && port === null) return null;
  return { token, port, host: settings.ASSIZE_METRICS_HOST };
}

function environment(): Environment {
  return { ...readSettingsFile(), ...process.env };
}

/** Only settings: an address or key to ask would send the commands of whoever stands in this folder somewhere else. */
function readSettingsFile(): Environment {
  let text: string;
  try {
    text = readFileSync(settingsFile, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new ConfigError([`${settingsFile}: cannot be read: ${(error as Error).message}`]);
  }
  const given = parseEnv(text);
  const mistakes = Object.keys(given)
    .filter((name) => !Object.hasOwn(Settings.properties, name))
    .map((name) => `${settingsFile}: ${name}: there is no such setting`);
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  return given;
}

/** Where the single binary may unpack its files, best first. */
export function unpackFolders(env: Environment = environment()): string[] {
  if (env.ASSIZE_UNPACK_FOLDER) return [resolve(env.ASSIZE_UNPACK_FOLDER)];
  const database = env.ASSIZE_DATABASE || Settings.properties.ASSIZE_DATABASE.default;
  // An absolute one only, says the XDG specification: a relative one is to be ignored.
  const cache = [env.XDG_CACHE_HOME, env.HOME && join(env.HOME, '.cache')].find(
    (path) => path && isAbsolute(path),
  );
  return [...(cache ? [join(cache, 'assize')] : []), resolve(dirname(String(database)), '.assize')];
}

interface Refusal {
  instancePath: string;
  message?: string;
  params: Record<string, unknown>;
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

function read(given: Environment): { settings: Settings | null; refused: string[] } {
  try {
    return {
      settings: envSchema<Settings>({ schema: structuredClone(Settings), data: given, env: false }),
      refused: [],
    };
  } catch (error) {
    const refusals = (error as { errors?: Refusal[] }).errors;
    if (!refusals) throw error;
    return { settings: null, refused: refusals.map(explain) };
  }
}

/** Never shows the value: it may be a key. */
function explain({ instancePath, message, params }: Refusal): string {
  const name = instancePath.slice(1);
  const property: TSchema | undefined = Settings.properties[name as keyof Settings];
  const allowed = Array.isArray(params.allowedValues) ? `: ${params.allowedValues.join(', ')}` : '';
  return `${name}: ${message ?? 'is not valid'}${allowed} (${property?.description ?? 'see the README'})`;
}

/** Whether listening on it is listening on every address of the machine. */
export const isAnyAddress = (host: string): boolean => host === '0.0.0.0' || host === '::';

/** The console answers at addresses that the service listens on: at another one nobody could ever reach it. */
function consoleHostMistakes({ ASSIZE_HOST: host, ASSIZE_CONSOLE_HOST: consoleHost }: Settings): string[] {
  if (consoleHost === '' || consoleHost === host) return [];
  if (!ipaddr.isValid(consoleHost) || isAnyAddress(consoleHost)) {
    return ['ASSIZE_CONSOLE_HOST: must be one IP address, such as 127.0.0.1'];
  }
  if (isAnyAddress(host)) return [];
  return [`ASSIZE_CONSOLE_HOST: must be ASSIZE_HOST (${host}), because the service listens on nothing else`];
}

const listed = (text: string): string[] =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

function readFourEyes(text: string, mistakes: string[]): FourEyes[] {
  const given = listed(text);
  if (given.some((one) => !fourEyesKinds.some((known) => known === one))) {
    mistakes.push(
      `ASSIZE_FOUR_EYES: must be empty or of these, separated by commas: ${fourEyesKinds.join(', ')}`,
    );
  }
  return fourEyesKinds.filter((known) => given.includes(known));
}

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
