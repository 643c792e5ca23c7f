import { join } from 'node:path';
import { type Awaitable, chain } from '../awaitable.ts';
import { AppError } from '../errors.ts';
import type { FoundIntegrationKey } from '../features/integrations/store.ts';
import type { PoliciesInForce } from '../features/policies/store-in-force.ts';
import { isPostgres } from './address.ts';
import type { Maintenance } from './maintenance.ts';
import type { MoveProgress } from './move.ts';
import type { ReplaySource } from './replay.ts';
import type { CommitObserver, Store } from './store.ts';

export interface StoreOptions {
  /** The folder with a folder of migrations for each backend. */
  migrations: string;
  /** The address past a pooler of PostgreSQL, for what needs a connection of its own. */
  direct?: string;
  /** Whether statements may be prepared: not where a pooler gives each transaction another connection. */
  prepares?: boolean;
  /** Refuses a database that is missing or empty, instead of creating it. */
  mustExist?: boolean;
  /** The disk failed in a way that this process cannot recover from: it must stop. */
  onFailure?: (error: Error) => void;
  /** The files were moved, replaced or deleted while in use: nothing more is written or acknowledged until a restart. */
  onFilesLost?: (error: Error) => void;
  /** Keeps space on the disk for revocations, ends of sessions and changes by operators: a file of 8 MB. Set by processes that serve. */
  keepsReserve?: boolean;
  /** The disk is full, and only changes that the reserve is for are recorded; or it has space again. */
  onDiskFull?: (isFull: boolean) => void;
  /** Work in the background failed, nothing is lost, and it is tried again. */
  onTrouble?: (error: Error) => void;
  /** Gets the size and the time of each commit. */
  commits?: CommitObserver;
}

// The one place that names a backend. A backend is imported when it is used: commands that need none start faster.

/**
 * Opens the store of a database, which is migrated to this version. `database`: the path of a SQLite file, or the address of a
 * PostgreSQL database, of whose disk its server takes care.
 */
export async function openStore(
  database: string,
  { migrations, direct, prepares = true, mustExist = false, onFailure = stop, ...rest }: StoreOptions,
): Promise<Store> {
  if (isPostgres(database)) {
    const { openPostgresStore } = await import('./postgres/store.ts');
    const { commits } = rest;
    const store = await openPostgresStore({
      address: { url: database, direct: direct ?? database, prepares },
      migrations: join(migrations, 'postgres'),
      mustExist,
      ...(commits && { commits }),
    }).catch(nameDatabase);
    return cached(store, store.changeCount);
  }
  assertFile(database);
  const [{ openSqliteStore }, { assertNotEmpty }] = await Promise.all([
    import('./sqlite/store.ts'),
    import('./sqlite/file/existing.ts'),
  ]);
  if (mustExist) assertNotEmpty(database);
  const store = openSqliteStore({
    file: database,
    migrations: join(migrations, 'sqlite'),
    onSyncFailure: onFailure,
    ...rest,
  });
  return cached(store, store.changeCount);
}

/** The record of a database as a replay reads it, on a connection that cannot write. */
export async function openReplaySource(database: string): Promise<ReplaySource> {
  if (isPostgres(database)) {
    const { openPostgresReplaySource } = await import('./postgres/record/replay-source.ts');
    return openPostgresReplaySource(database);
  }
  assertFile(database);
  const { openSqliteReplaySource } = await import('./sqlite/record/replay-source.ts');
  return openSqliteReplaySource(database);
}

/** The maintenance of a database. Opens nothing yet. */
export async function openMaintenance(
  database: string,
  { migrations }: Pick<StoreOptions, 'migrations'>,
): Promise<Maintenance> {
  if (isPostgres(database)) {
    const { createPostgresMaintenance } = await import('./postgres/maintenance/maintenance.ts');
    const maintenance = createPostgresMaintenance(database, join(migrations, 'postgres'));
    return { ...maintenance, assertCurrent: () => maintenance.assertCurrent().catch(nameDatabase) };
  }
  assertFile(database);
  const { createSqliteMaintenance } = await import('./sqlite/maintenance/maintenance.ts');
  return createSqliteMaintenance(database, join(migrations, 'sqlite'));
}

/** Moves a SQLite database, which may be in use, to an empty PostgreSQL one. */
export async function moveToPostgres(
  file: string,
  address: string,
  { migrations, at, progress }: Pick<StoreOptions, 'migrations'> & { at: number; progress: MoveProgress },
): Promise<{ evaluations: number; rows: number }> {
  assertFile(file);
  const [{ openMoveSource }, { openMoveTarget }, { moveDatabase }] = await Promise.all([
    import('./sqlite/maintenance/move-source.ts'),
    import('./postgres/maintenance/move-target.ts'),
    import('./move.ts'),
  ]);
  const source = openMoveSource(file, join(migrations, 'sqlite'));
  try {
    const target = await openMoveTarget(address, join(migrations, 'postgres'));
    try {
      return await moveDatabase(source, target, { address: withoutPassword(address), at, progress });
    } finally {
      await target.close();
    }
  } finally {
    source.close();
  }
}

function withoutPassword(address: string): string {
  const url = new URL(address);
  url.password = '';
  return url.href;
}

/** The address of another server would be taken for a folder. */
function assertFile(database: string): void {
  const [scheme] = /^[a-z][a-z0-9+.-]+:\/\//i.exec(database) ?? [];
  if (scheme !== undefined)
    throw new Error(`the database is a file or at postgres://, and cannot be at ${scheme}`);
}

function stop(error: Error): never {
  throw new Error('the disk could not be synced', { cause: error });
}

/** Says that the database cannot be reached, where the system says only `connect ECONNREFUSED 127.0.0.1:5432`. */
function nameDatabase(error: unknown): never {
  // Maintenance answers as the service does: the system's own error is its cause.
  const reason = error instanceof AppError && error.code === 'unavailable' ? error.cause : error;
  const { syscall, code, message } = reason as NodeJS.ErrnoException;
  const isOfConnection = syscall === 'connect' || syscall === 'getaddrinfo' || /^(?:28|3D)/.test(code ?? '');
  if (!isOfConnection && !(reason instanceof AggregateError)) throw error;
  const said = `the PostgreSQL database cannot be reached: ${message || code}: check ASSIZE_DATABASE, and that its server runs`;
  throw new Error(said, { cause: error });
}

/**
 * The store, with what every request reads of it kept in memory: the callers that were found by their keys, and the
 * policies in force. All of it is dropped when `changeCount` differs from its last value. A backend says by that how late
 * it learns of a change; one of this process must count at once. It is called by every such read, so it must be cheap.
 *
 * It is dropped as well when a caller and the policies of its integration were read as of different revisions: an evaluation by
 * the two would be refused until the change is told.
 *
 * It may differ although nothing changed: policies in force that are read again and have the revision that they had are the
 * same object, so that what was compiled of them stays.
 */
export function cached(store: Store, changeCount: () => number): Store {
  let callers = new Map<string, FoundIntegrationKey>();
  /** Keys that are being read: requests that arrive meanwhile wait for the same read. */
  let reading = new Map<string, Promise<FoundIntegrationKey | null>>();
  /** A promise while it is being read. */
  let inForce = new Map<string, Awaitable<PoliciesInForce | null>>();
  let inForceBefore: typeof inForce = new Map();
  /** For each integration, the revision as of which something of it was read. */
  let revisions = new Map<string, number>();
  let seen: number | null = null;

  function dropOutdated(): void {
    const count = changeCount();
    if (count === seen) return;
    seen = count;
    drop();
  }
  function drop(): void {
    revisions = new Map();
    // Replaced, not cleared: what is being read now may be outdated when it comes, and must not be kept as current.
    callers = new Map();
    reading = new Map();
    inForceBefore = inForce;
    inForce = new Map();
  }

  function noteRevision(integrationId: string, revision: number): void {
    const known = revisions.get(integrationId);
    if (known !== undefined && known !== revision) drop();
    revisions.set(integrationId, revision);
  }

  async function readCaller(keyHash: string, now: number): Promise<FoundIntegrationKey | null> {
    const kept = callers;
    const caller = await store.integrationKeys.find(keyHash, now);
    if (!caller) return null;
    noteRevision(caller.integration.id, caller.revision);
    kept.set(keyHash, caller);
    return caller;
  }
  function readCallerOnce(keyHash: string, now: number): Promise<FoundIntegrationKey | null> {
    const current = reading;
    const found = current.get(keyHash) ?? readCaller(keyHash, now).finally(() => current.delete(keyHash));
    current.set(keyHash, found);
    return found;
  }

  async function readInForce(
    integrationId: string,
    before: Awaitable<PoliciesInForce | null> | undefined,
  ): Promise<PoliciesInForce | null> {
    const found = await store.policies.findInForce(integrationId);
    if (found) noteRevision(integrationId, found.revision);
    const last = await Promise.resolve(before).catch(() => null);
    return found && last?.revision === found.revision ? last : found;
  }

  async function readInForceOnce(integrationId: string): Promise<PoliciesInForce | null> {
    const kept = inForce;
    const reading = readInForce(integrationId, inForceBefore.get(integrationId));
    kept.set(integrationId, reading);
    try {
      const found = await reading;
      kept.set(integrationId, found);
      return found;
    } catch (error) {
      kept.delete(integrationId);
      throw error;
    }
  }

  return {
    ...store,
    integrationKeys: {
      ...store.integrationKeys,
      find(keyHash, now) {
        dropOutdated();
        return chain(callers.get(keyHash) ?? readCallerOnce(keyHash, now), (caller) =>
          caller && (caller.key.expiresAt === null || caller.key.expiresAt > now) ? caller : null,
        );
      },
    },
    policies: {
      ...store.policies,
      findInForce(integrationId) {
        dropOutdated();
        const known = inForce.get(integrationId);
        return known === undefined ? readInForceOnce(integrationId) : known;
      },
    },
  };
}
