import pg from 'pg';
import { AppError } from '../../errors.ts';

/** Longer than any step takes; what takes longer holds up others, in this process and in the other ones. */
const timeouts = {
  statement_timeout: 5_000,
  lock_timeout: 3_000,
  idle_in_transaction_session_timeout: 2_000,
  /** Longer than the server lets any statement take: after it the connection is taken for lost, whatever the network says. */
  query_timeout: 8_000,
};
const serverTimeouts = Object.keys(timeouts).filter((name) => name !== 'query_timeout');
const connectTimeoutMs = 5_000;

/** Numbers of 64 bits as numbers: none is near 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8
      ? Number
      : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

export const connectionConfig = (address: string): pg.ClientConfig => ({
  connectionString: address,
  application_name: 'assize',
  connectionTimeoutMillis: connectTimeoutMs,
  keepAlive: true,
  types,
  ...timeouts,
});

/** A connection of its own, to be connected. One that breaks between two statements fails the next one, not the process. */
export function createClient(url: string, more: pg.ClientConfig = {}): pg.Client {
  const client = new pg.Client({ ...connectionConfig(url), ...more });
  client.on('error', () => undefined);
  return client;
}

/** Where a database is. */
export interface Address {
  /** `postgres://…`, which may lead to a pooler. */
  url: string;
  /** The same database past the pooler, for what needs a connection of its own. */
  direct: string;
  /** Whether statements may be prepared: not where the next transaction may get another connection, on which they are not. */
  prepares: boolean;
}

/** Sends the statements of this connection without names. */
export function prepareNothing(client: pg.ClientBase): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  const withoutName = (config: unknown) =>
    config instanceof Object && 'name' in config ? { ...config, name: undefined } : config;
  Object.assign(client, {
    query: (config: unknown, ...rest: unknown[]) => query(withoutName(config), ...rest),
  });
}

/**
 * For a transaction that takes as long as it takes, on a connection that nobody waits for. pg does not send a timeout of 0, and that of
 * the role would be in force; a pooler would lend a setting of the session to others.
 */
export const untimed = { query_timeout: 0 };
export const beginUntimed = 'BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0';
/** A busy machine may pause for seconds between two statements; what hangs holds up others that start, but serves nobody. */
export const patientlyIdle = "SET LOCAL idle_in_transaction_session_timeout = '60s'";

/** Refuses a pooler that drops the timeouts, when the role has none: a process that stops would hold its locks for ever. */
export async function assertTimed({ url }: Pick<Address, 'url'>): Promise<void> {
  const client = createClient(url);
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      "SELECT name FROM unnest($1::text[]) AS name WHERE current_setting(name) = '0'",
      [serverTimeouts],
    );
    if (rows.length === 0) return;
    const settings = rows.map(
      ({ name }) => `ALTER ROLE … SET ${name} = '${timeouts[name as 'lock_timeout']}ms'`,
    );
    throw new Error(
      `the pooler before PostgreSQL drops timeouts: give them to the role (${settings.join('; ')})`,
    );
  } finally {
    await client.end();
  }
}

/** SQLSTATE of a failure; null when it is none of PostgreSQL's. */
export const codeOf = (error: unknown): string | null =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;

const networkCodes = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
]);
/** pg tells of these by their text alone. */
const networkMessages = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'Client has encountered a connection error',
  'Query read timeout',
];

/** Whether the connection is gone, so that what was sent last may have happened or not. */
export function isLost(error: unknown): boolean {
  const cause = causeOf(error);
  const code = codeOf(cause);
  if (code !== null) return /^(08|57P0)/.test(code) || code === '25P03' || networkCodes.has(code);
  return cause instanceof Error && networkMessages.some((message) => cause.message.startsWith(message));
}

/** Whether the transaction was rolled back because of others, and may succeed when it is made again. */
export const isConflict = (error: unknown): boolean =>
  ['40001', '40P01'].includes(codeOf(causeOf(error)) ?? '');

/** Whether somebody else wrote the same row, or deleted one that is referred to, since it was read. */
export const isOvertaken = (error: unknown): boolean =>
  ['23505', '23503'].includes(codeOf(causeOf(error)) ?? '');

/** drizzle puts the failed statement around the failure. */
const causeOf = (error: unknown): unknown =>
  error instanceof Error && codeOf(error) === null && error.cause instanceof Error ? error.cause : error;

/** A failing database is the operator's trouble, not the caller's: 503, and the caller may try again. */
export function unavailable(error: unknown): unknown {
  const cause = causeOf(error);
  return cause instanceof pg.DatabaseError || isLost(error)
    ? new AppError('unavailable', 'the store is not available', { cause, retryAfterSeconds: 1 })
    : error;
}

/** Refuses a server that may lose what it has confirmed, or that sorts text in another way than this service. */
export async function assertUsable(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  const { rows } = await client.query<
    Record<'fsync' | 'commit' | 'collation' | 'encoding' | 'readOnly', string>
  >(
    `SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit,
       datcollate AS collation, pg_encoding_to_char(encoding) AS encoding, current_setting('transaction_read_only') AS "readOnly"
     FROM pg_database WHERE datname = current_database()`,
  );
  const { fsync, commit, collation, encoding, readOnly } = rows[0] ?? {};
  if (readOnly === 'on')
    throw new Error(
      'the PostgreSQL database is read-only, as a standby is: the address must be that of the primary',
    );
  const wrong = [
    fsync === 'on' ? null : 'fsync must be on',
    commit === 'off' ? 'synchronous_commit must not be off' : null,
    encoding === 'UTF8' ? null : 'its encoding must be UTF8',
    collation === 'C' || collation === 'POSIX' ? null : "its LC_COLLATE must be 'C'",
  ].filter((text) => text !== null);
  if (wrong.length === 0) return;
  throw new Error(
    `the PostgreSQL database cannot be used: ${wrong.join(', ')} (CREATE DATABASE … TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C')`,
  );
}
