import { type Static, Type } from '@sinclair/typebox';
import { type EventLineForm, eventLineForms, ocsfVersionPattern } from '../features/events/forms.ts';
import { oidcSettings } from './identity-provider.ts';

/** Settings of the process. */
const processSettings = {
  ASSIZE_HOST: Type.String({ default: '127.0.0.1', minLength: 1, description: 'address to listen on' }),
  ASSIZE_PORT: Type.Integer({
    default: 3000,
    minimum: 0,
    maximum: 65_535,
    description: 'port to listen on; 0 picks a free one',
  }),
  ASSIZE_PUBLIC_URL: Type.Optional(
    Type.String({
      pattern: '^https?://[^\\s/@?#]+(?:/[^\\s?#]*)?$',
      maxLength: 500,
      description:
        'URL at which people reach the service, such as `https://assize.example.com`: the `source` of events, and the base of links in notifications',
    }),
  ),
  ASSIZE_ADMIN_KEY: Type.Optional(
    Type.String({
      pattern: '^asz_admin_[A-Za-z0-9_-]{43}$',
      description:
        'the first operator key of an empty database, `asz_admin_` and 43 base64url characters; generated and shown once when absent',
    }),
  ),
  ASSIZE_DEMO: Type.Boolean({
    default: true,
    description: '`false` creates an empty database without the demo integration',
  }),
  ASSIZE_LOG_LEVEL: Type.Unsafe<'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'>({
    type: 'string',
    enum: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    default: 'info',
    description: 'lowest level that is logged; `debug` logs every request',
  }),
  ASSIZE_WATCHDOG_SECONDS: Type.Integer({
    default: 30,
    minimum: 0,
    description:
      'seconds after which a process whose event loop does not turn logs its stack and exits with 70, to be started again; 0 turns this off',
  }),
  ASSIZE_EVALUATION_THREAD: Type.Unsafe<'auto' | 'on' | 'off'>({
    type: 'string',
    enum: ['auto', 'on', 'off'],
    default: 'off',
    description:
      'whether a thread beside the one that serves HTTP decides requests to `/v1/evaluate`, on SQLite: `on` from the first one on, `auto` from 1,000 a second on where there is more than one core; it takes some 70 MB',
  }),
  ASSIZE_UNPACK_FOLDER: Type.String({
    default: '',
    description:
      'folder to which the single binary unpacks files that must be on disk, such as its SQLite addon; by default `assize` in `XDG_CACHE_HOME` or `~/.cache`, or `.assize` beside the database when that folder is not writable',
  }),
};

/** Settings of the database. */
const databaseSettings = {
  ASSIZE_DATABASE: Type.String({
    default: './data/assize.db',
    minLength: 1,
    description:
      'path of the SQLite file; it and its folder are created when missing. Or the address of a PostgreSQL database that several replicas share: `postgres://user:password@host/database`',
  }),
  ASSIZE_DATABASE_DIRECT: Type.Optional(
    Type.String({
      pattern: '^postgres(ql)?://[^\\s]+$',
      maxLength: 500,
      description:
        'address of the same PostgreSQL database past the pooler that `ASSIZE_DATABASE` leads to, for migrations, notifications and replays',
    }),
  ),
  ASSIZE_DATABASE_PREPARE: Type.Boolean({
    default: true,
    description:
      '`false` prepares no statements: for a pooler in transaction mode that cannot keep them, such as pgbouncer before 1.21',
  }),
  ASSIZE_DATABASE_MUST_EXIST: Type.Boolean({
    default: false,
    description:
      '`true` refuses to start when the database file is missing or empty, for example because its volume is not mounted; set it after the first start',
  }),
};

/** Settings of who reaches the service, and how. */
const networkSettings = {
  ASSIZE_TRUST_PROXY: Type.String({
    default: 'false',
    description:
      'proxies whose `X-Forwarded-For` header is trusted: `false`, `true`, or addresses and CIDR ranges separated by commas',
  }),
  ASSIZE_TLS_CERT: Type.String({
    default: '',
    description:
      'a file with the certificate of the server and those that it is signed by (PEM): the service then serves HTTPS only, no HTTP. Read again within 10 seconds when it changes',
  }),
  ASSIZE_TLS_KEY: Type.String({
    default: '',
    description: 'the file with its private key (PEM), without a passphrase',
  }),
  ASSIZE_TLS_CLIENT_CA: Type.String({
    default: '',
    description:
      'a file with certificates of authorities (PEM): only clients with a certificate that one of them signed are let in (mTLS)',
  }),
  ASSIZE_OPERATOR_NETWORKS: Type.String({
    default: '',
    description:
      'addresses and CIDR ranges, separated by commas, from which operators may call and sign in; elsewhere their keys are refused like unknown ones; by default from everywhere',
  }),
};

/** Settings of the console. */
const consoleSettings = {
  ASSIZE_CONSOLE: Type.Boolean({
    default: true,
    description: '`false` turns the console off, including its sign-in',
  }),
  ASSIZE_CONSOLE_HOST: Type.String({
    default: '',
    description:
      'serves the console at this IP address only, for example `127.0.0.1` when `ASSIZE_HOST` is `0.0.0.0`; by default at every address that the service listens on',
  }),
  ...oidcSettings,
};

/** Settings of sessions, what is kept of them, and who decides. */
const recordSettings = {
  ASSIZE_SESSION_MAX_DAYS: Type.Number({
    default: 30,
    exclusiveMinimum: 0,
    maximum: 3_650,
    description: 'maximum lifetime of an evaluation session, in days',
  }),
  ASSIZE_SESSION_MAX_TOOLS: Type.Integer({
    default: 256,
    minimum: 1,
    maximum: 10_000,
    description:
      'number of tool names that a session counts separately; further names are counted together as `(other)`, except names that an active policy mentions',
  }),
  ASSIZE_IDEMPOTENCY_MINUTES: Type.Integer({
    default: 15,
    minimum: 0,
    maximum: 1_440,
    description:
      'minutes for which an `Idempotency-Key` is remembered; 0 turns idempotency keys off, and requests that send one get 400',
  }),
  ASSIZE_RETENTION_DAYS: Type.Number({
    default: 0,
    minimum: 0,
    maximum: 36_500,
    description:
      'days after which the content of evaluations (`input`, `targetMetadata`, messages of violations) is deleted, while decisions and reasons stay; 0 keeps content forever',
  }),
  ASSIZE_RECORD_KEY_FILE: Type.String({
    default: '',
    description:
      'file with the Ed25519 key that signs the record (PEM, PKCS #8), created when missing; by default the path of the database followed by `-record-key.pem`. With PostgreSQL it must be given: the same key for all replicas',
  }),
  ASSIZE_FOUR_EYES: Type.String({
    default: '',
    description:
      'what requires two operators, separated by commas: `policies` (the author of a version cannot activate it, and other changes of what decides are proposed), `reviews` (an operator who may have requested an action cannot approve it)',
  }),
};

/** Settings of what callers may take at once. */
const limitSettings = {
  ASSIZE_RATE_LIMIT_INTEGRATION: Type.Integer({
    default: 60_000,
    minimum: 0,
    description: 'requests per minute and integration; 0 means no limit',
  }),
  ASSIZE_RATE_LIMIT_ADDRESS: Type.Integer({
    default: 300,
    minimum: 0,
    description:
      'requests per minute and address that fail authentication or match no route; 0 means no limit',
  }),
  ASSIZE_MAX_IN_FLIGHT: Type.Integer({
    default: 256,
    minimum: 0,
    description:
      'requests of one integration that may be in flight at once; more get 503. All integrations together may have twice as many, in equal shares. Lowered under lasting overload, never below 64; 0 means no limit',
  }),
  ASSIZE_MAX_IN_FLIGHT_MB: Type.Integer({
    default: 16,
    minimum: 0,
    description:
      'megabytes of request bodies of one integration that may be in flight at once; more get 503. All integrations together may have twice as many, in equal shares; 0 means no limit',
  }),
  ASSIZE_MAX_WAITING: Type.Integer({
    default: 1_000,
    minimum: 0,
    description:
      'long polls and streams of one integration, and of all operators together, that may be open at once; more get 429. All of them together may have twice as many, in equal shares; one operator may have a quarter; 0 means no limit',
  }),
  ASSIZE_REDIS: Type.Optional(
    Type.String({
      pattern: '^rediss?://[^\\s]+$',
      maxLength: 500,
      description:
        'URL of a Redis or Valkey server that counts rate limits for all processes together, such as `redis://127.0.0.1:6379`; unset, or while it fails, each process counts alone',
    }),
  ),
};

/** Settings of what the service tells others of what happens. */
const eventSettings = {
  ASSIZE_EVENTS_DAYS: Type.Number({
    default: 30,
    exclusiveMinimum: 0,
    maximum: 3_650,
    description: 'days for which the event log (`/v1/events`) keeps events',
  }),
  ASSIZE_EVENTS_MB: Type.Integer({
    default: 256,
    minimum: 1,
    maximum: 1_000_000,
    description: 'maximum size of the event log in megabytes; the oldest events are deleted first',
  }),
  ASSIZE_EVENT_LINES: Type.Unsafe<EventLineForm>({
    type: 'string',
    enum: [...eventLineForms],
    default: 'assize',
    description:
      'format of the log lines at level `info` for management changes and decisions other than ALLOW: `assize` (CloudEvents), `ocsf` (API Activity) or `off`',
  }),
  ASSIZE_OCSF_VERSION: Type.String({
    default: '1.9.0',
    pattern: ocsfVersionPattern,
    description:
      'OCSF version of log lines of the format `ocsf`; 1.1.0 or later, from 1.9.0 on with the profile `record_integrity`',
  }),
  ASSIZE_SMTP_URL: Type.Optional(
    Type.String({
      pattern: '^smtps?://(?:[^\\s/@?#:]+:[^\\s/@?#]+@)?[^\\s/@?#]+$',
      maxLength: 500,
      description:
        'mail server for webhooks that send e-mail: `smtp://` (STARTTLS) or `smtps://`, with the user and password percent-encoded if it needs them',
    }),
  ),
  ASSIZE_SMTP_FROM: Type.String({
    default: 'Assize <assize@localhost>',
    pattern: '^[^\\r\\n]{3,300}$',
    description: 'sender of that e-mail',
  }),
  ASSIZE_SECRETS_KEY: Type.Optional(
    Type.String({
      description:
        'key that encrypts the secrets of webhooks and callbacks, and the headers of MCP servers, in the database: 32 random bytes in base64. With several keys, separated by commas, the first one encrypts and all decrypt',
    }),
  ),
  ASSIZE_SECRETS_KEY_FILE: Type.Optional(
    Type.String({ minLength: 1, description: 'file with these keys instead, one per line' }),
  ),
  ASSIZE_CALLBACK_ALLOW: Type.String({
    default: '',
    description:
      'non-public hosts, addresses and CIDR ranges to which callbacks may be sent and where MCP servers may be, separated by commas',
  }),
};

/** Settings of the service that finds names in prose. */
const recognizerSettings = {
  ASSIZE_RECOGNIZER_URL: Type.Optional(
    Type.String({
      pattern: '^https?://[^\\s/@?#]+(?:/[^\\s?#]*)?$',
      maxLength: 500,
      description:
        'URL of a Presidio Analyzer that finds names and places in the prose of requests, such as `http://127.0.0.1:5002`; unset, no text leaves the service',
    }),
  ),
  ASSIZE_RECOGNIZER_LANGUAGE: Type.String({
    default: 'en',
    pattern: '^[a-z]{2}$',
    description: 'language of the texts that are sent to it (ISO 639-1)',
  }),
  ASSIZE_RECOGNIZER_TIMEOUT_MS: Type.Integer({
    default: 1_000,
    minimum: 10,
    maximum: 20_000,
    description: 'its timeout for all texts of one request, in milliseconds',
  }),
  ASSIZE_RECOGNIZER_FAILURE: Type.Unsafe<'closed' | 'open'>({
    type: 'string',
    enum: ['closed', 'open'],
    default: 'closed',
    description: '`closed` tags texts that it did not read as `UNSCANNED`; `open` continues without the tag',
  }),
};

/** Settings of metrics and traces. */
const metricsSettings = {
  ASSIZE_METRICS_TOKEN: Type.Optional(
    Type.String({
      minLength: 16,
      maxLength: 200,
      pattern: '^[\\x21-\\x7e]*$',
      description:
        'bearer token for `GET /metrics` (Prometheus). Metrics are off when neither this nor `ASSIZE_METRICS_PORT` is set',
    }),
  ),
  ASSIZE_METRICS_PORT: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 65_535,
      description:
        'serves `/metrics` on this port only, at `ASSIZE_METRICS_HOST`; requires a token only when `ASSIZE_METRICS_TOKEN` is set; 0 picks a free port',
    }),
  ),
  ASSIZE_METRICS_HOST: Type.String({
    default: '127.0.0.1',
    minLength: 1,
    description: 'address to listen on for `ASSIZE_METRICS_PORT`',
  }),
  ASSIZE_OTEL_RUN_GUARDRAIL: Type.Boolean({
    default: false,
    description:
      '`true` names the spans of decisions by the proposed convention `run_guardrail` of OpenTelemetry',
  }),
};

/** Every setting, in the groups of docs/settings.md, which is printed from here. */
export const settingGroups = {
  'Address and process': processSettings,
  Database: databaseSettings,
  'Network, TLS and proxies': networkSettings,
  'Console and sign-in': consoleSettings,
  'Sessions and record': recordSettings,
  Limits: limitSettings,
  'Events, webhooks and e-mail': eventSettings,
  'Recognizer of names in prose': recognizerSettings,
  'Metrics and traces': metricsSettings,
} as const;

export const Settings = Type.Object({
  ...processSettings,
  ...databaseSettings,
  ...networkSettings,
  ...consoleSettings,
  ...recordSettings,
  ...limitSettings,
  ...eventSettings,
  ...recognizerSettings,
  ...metricsSettings,
});
export type Settings = Static<typeof Settings>;
