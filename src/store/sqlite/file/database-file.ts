import type { KeptLimits } from '../../../evaluate/sqlite/session-states.ts';
import type { CommitObserver } from '../../store.ts';
import { openClient } from '../client.ts';
import { createSqlite, type Sqlite } from '../database.ts';
import { createCheckpoints } from './checkpoints.ts';
import { createDiskReserve, type DiskReserve, urgency } from './disk-reserve.ts';
import { assertNotMoved } from './existing.ts';
import { createFileGuard, type FileGuard } from './file-guard.ts';
import { migrateDatabase } from './migrate.ts';
import { openWalSync, type Sync, type WalSync } from './wal-sync.ts';

export interface SqliteOptions {
  file: string;
  /** The folder of the migrations. */
  migrations: string;
  /** The disk could not be synced: what was not acknowledged yet may be lost, and the process must stop. */
  onSyncFailure: (error: Error) => void;
  /** Work in the background failed, nothing is lost, and it is tried again. */
  onTrouble?: (error: Error) => void;
  /** The files were moved, replaced or deleted while in use: nothing more is written or acknowledged until a restart. */
  onFilesLost?: (error: Error) => void;
  /** Keeps space on the disk for revocations, ends of sessions and what operators do; without it only uses what is there. */
  keepsReserve?: boolean;
  /** The disk is full, and only what the reserve is for is recorded; or it has space again. */
  onDiskFull?: (isFull: boolean) => void;
  /** Gets the size and the time of each commit. */
  commits?: CommitObserver;
  /** Replaces the system call. */
  sync?: Sync;
  /** How much of the sessions is kept in memory. */
  kept?: KeptLimits;
}

/** The open file, and what guards it. */
export interface DatabaseFile {
  sqlite: Sqlite;
  guard: FileGuard;
  reserve: DiskReserve;
  /** See `Store.overwriteDeleted`. */
  truncateLog(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the file and brings it to this version's schema. */
export function openDatabaseFile(options: SqliteOptions): DatabaseFile {
  const reserve = createDiskReserve(options.file, {
    keeps: options.keepsReserve ?? false,
    onFull: (isFull) => {
      // A copy into the database would take the space that was released.
      if (isFull) checkpoints.pause();
      else checkpoints.resume();
      options.onDiskFull?.(isFull);
    },
  });
  const client = openClient(options.file);
  let guard: FileGuard | undefined;
  let wal: WalSync;
  try {
    migrateDatabase(client, options.migrations);
    assertNotMoved(client);
    // The first read in WAL mode makes the log.
    client.prepare('SELECT 1 FROM sqlite_master').get();
    guard = createFileGuard(client, (loss) => {
      sqlite.writer.stop(loss);
      options.onFilesLost?.(loss.cause as Error);
    });
    wal = openWalSync(client, guard, options.onSyncFailure, options.sync);
  } catch (error) {
    guard?.close();
    client.close();
    throw error;
  }
  const sqlite = createSqlite(client, wal, reserve, options.commits);
  const checkpoints = createCheckpoints(client, sqlite.writer, guard, options.onTrouble ?? (() => undefined));
  // Released to open the database on a full disk.
  if (reserve.refusal(urgency.ordinary)) checkpoints.pause();
  let closed = false;

  return {
    sqlite,
    guard,
    reserve,
    truncateLog: () => checkpoints.truncate(),
    async close() {
      if (closed) return;
      closed = true;
      // Changes that could not be saved were already rejected. Nobody is left to receive an error on close.
      const synced = await sqlite.writer.drain().then(
        () => true,
        () => false,
      );
      const lost = guard.check() !== null;
      guard.close();
      await reserve.close();
      await checkpoints.close();
      wal.close();
      // The last connection copies the log into the database when it closes, and deletes what has the name of a log. One
      // that could not be synced may have holes: it stays as it is, and the next start takes from it what is whole. And
      // files that took the place of the open ones are not ours.
      if (synced && !lost) client.close();
    },
  };
}
