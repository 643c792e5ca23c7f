import { Type } from '@sinclair/typebox';

/** Settings of the process: where it listens, its database and what it shows. */
export const serverSettings = {
  ASSIZE_HOST: Type.String({ default: '127.0.0.1', minLength: 1, description: 'address to listen on' }),
  ASSIZE_PORT: Type.Integer({
    default: 3000,
    minimum: 0,
    maximum: 65_535,
    description: 'port to listen on; 0 picks a free one',
  }),
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
  ASSIZE_CONSOLE: Type.Boolean({
    default: true,
    description: '`false` turns the console off, including its sign-in',
  }),
  ASSIZE_CONSOLE_HOST: Type.String({
    default: '',
    description:
      'serves the console at this IP address only, for example `127.0.0.1` when `ASSIZE_HOST` is `0.0.0.0`; by default at every address that the service listens on',
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
  ASSIZE_TRUST_PROXY: Type.String({
    default: 'false',
    description:
      'proxies whose `X-Forwarded-For` header is trusted: `false`, `true`, or addresses and CIDR ranges separated by commas',
  }),
  ASSIZE_UNPACK_FOLDER: Type.String({
    default: '',
    description:
      'folder to which the single binary unpacks files that must be on disk, such as its SQLite addon; by default `assize` in `XDG_CACHE_HOME` or `~/.cache`, or `.assize` beside the database when that folder is not writable',
  }),
};
