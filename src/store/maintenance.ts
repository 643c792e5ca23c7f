import type { ModeOf, UnprotectedIntegration } from '../features/policies/store-enforcement.ts';

/** The result of one check of an installation. */
export interface CheckResult {
  check: string;
  status: 'ok' | 'warn' | 'fail';
  message: string;
  /** The remedy; null when nothing is to be done. */
  fix: string | null;
}

export const ok = (check: string, message: string): CheckResult => ({
  check,
  status: 'ok',
  message,
  fix: null,
});
export const warn = (check: string, message: string, fix: string): CheckResult => ({
  check,
  status: 'warn',
  message,
  fix,
});
export const fail = (check: string, message: string, fix: string): CheckResult => ({
  check,
  status: 'fail',
  message,
  fix,
});

export interface ClockCorrection {
  from: number;
  to: number;
  /** How many open sessions and reviews end. */
  sessions: number;
  reviews: number;
}

export interface ExaminedBy {
  /** The clock of this machine. */
  now: number;
  modeOf: ModeOf;
  /** Whether there is a key that encrypts stored secrets. */
  hasSecretsKey: boolean;
}

/**
 * The tasks of operators on a database itself, besides serving it. A backend that leaves one of them to the tools of its
 * database refuses it with an `AppError` of code `invalid` that names the tool. A task with wrong arguments is `invalid` too; a task
 * that fails, or cannot be done now, is a `conflict`. A refused task changes nothing.
 */
export interface Maintenance {
  /** Refuses a database that is missing, not of this service, or of another version: only serving migrates one. */
  assertCurrent(): Promise<void>;

  /**
   * Copies the database as it is at one moment, even while it is in use. The copy is checked and on disk before it gets
   * its name. `replaces`: whether a file of that name may be replaced.
   */
  backup(file: string, replaces: boolean): Promise<{ bytes: number }>;

  /** Replaces the database with a backup, which is copied and checked before. Nobody may use the database. */
  restore(file: string): Promise<{ keptAs: string | null }>;

  /** Looks at the database, and changes nothing of it. */
  examine(by: ExaminedBy): Promise<CheckResult[]>;

  /** The changes that `correctClock` would make; null when the latest recorded time is not ahead of `to`. */
  planClockCorrection(to: number): Promise<ClockCorrection | null>;

  /**
   * Sets the latest recorded time back to `to`, and ends what is open: nobody can say how old it is. Nobody may use the
   * database. Null, and nothing is done, when that time is not ahead of `to`.
   */
  correctClock(to: number): Promise<ClockCorrection | null>;

  /** Lets retention go on after the clock jumped ahead. False when it was not held. */
  confirmRetention(): Promise<boolean>;
}

// The checks of `assize doctor` on the contents of a database, for every backend.

/** Integrations that are named at most. */
const mostNamed = 5;
const everyAction = { ALLOW: 'everything is allowed', BLOCK: 'everything is blocked' } as const;

export function examinePolicies(unprotected: readonly UnprotectedIntegration[]): CheckResult {
  const check = 'policies';
  if (unprotected.length === 0) return ok(check, 'one is enforced for every integration');
  const described = ({ name, settings }: UnprotectedIntegration) =>
    `${name} (${everyAction[settings.whenNoPolicy]})`;
  const names = unprotected.slice(0, mostNamed).map(described).join(', ');
  const more = unprotected.length > mostNamed ? ` and ${unprotected.length - mostNamed} more` : '';
  return warn(
    check,
    `none is enforced for ${names}${more}`,
    'bind one: assize integrations bind; or to all of them: PUT /v1/house-policies/:id',
  );
}

/**
 * Addresses and secrets of webhooks, and headers of MCP servers, are readable in the database, and in every backup of it, unless a key encrypts them.
 * `sealed`: how many are encrypted.
 */
export function examineSecrets(
  { sealed, webhooks, servers }: { sealed: number; webhooks: number; servers: number },
  { hasSecretsKey }: Pick<ExaminedBy, 'hasSecretsKey'>,
): CheckResult {
  const check = 'secrets';
  if (sealed > 0 && !hasSecretsKey) {
    return fail(
      check,
      'those stored are encrypted, and no key is set',
      'set ASSIZE_SECRETS_KEY to the key that was used',
    );
  }
  if (hasSecretsKey || webhooks + servers === 0)
    return ok(check, hasSecretsKey ? 'are encrypted' : 'no webhook or MCP server has any');
  const holders = [
    ...(webhooks > 0 ? [webhooks === 1 ? 'a webhook' : `${webhooks} webhooks`] : []),
    ...(servers > 0 ? [servers === 1 ? 'an MCP server' : `${servers} MCP servers`] : []),
  ];
  return warn(
    check,
    `those of ${holders.join(' and ')} are stored in plain text`,
    'set ASSIZE_SECRETS_KEY, and start the service: it encrypts them',
  );
}

/** The schema of a database beside this version's. `foreign`: the database was not written by this service. */
export type SchemaAge = 'foreign' | 'older' | 'current' | 'newer';

/** Why a database that a development version wrote before 0.2.0 is refused. */
export const unreleasedSchema =
  'the database was written by a version before 0.2.0, whose schema cannot be upgraded: export what you need with that version, then start with a new database (ASSIZE_DATABASE names it)';
