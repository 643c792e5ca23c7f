import type { Worker } from 'node:worker_threads';
import type { KeptLimits } from '../../../evaluate/sqlite/session-states.ts';
import { openThread } from '../../../threads.ts';
import type { CommitObserver } from '../../store.ts';
import { type Client, openClient } from '../client.ts';
import { createSqlite, type Sqlite } from '../database.ts';
import type { Writer } from '../writer.ts';
import type { CheckpointerData } from './checkpointer.ts';
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

/**
 * Keeps the write-ahead log short without making the event loop wait.
 *
 * Another thread copies the log into the database. The log begins anew only when all of it is copied, which under steady
 * load never happens by itself, as it grows meanwhile. So the thread copies again and again, each time less, and for the
 * last few pages the writer begins no transaction: changes wait for some milliseconds, as they do for a sync.
 */
export interface Checkpoints {
  /** Copies nothing until `resume`: the log grows meanwhile. */
  pause(): void;
  resume(): void;
  /** Copies the log and cuts it off, unless somebody reads it or nothing may be copied. */
  truncate(): Promise<void>;
  close(): Promise<void>;
}

/** Pages of 4 KB after which the log is copied. A short log is written over and over, which syncs faster than a growing one. */
const pagesBetween = 4_000;
/** Changes after which the log's length is looked at, which takes 3 µs. A change may be 1 MB. */
const changesBetween = 8;
/** Pages that are few enough to make the writer wait for them, and how often to try to get there. */
const fewPages = 256;
const mostRounds = 6;
/** The writer goes on after this, should the thread be stuck. */
const longestHoldMs = 1_000;

/** Pages after which SQLite copies the log on the event loop after all, should the thread not keep up: some 64 MB. */
const mostPages = 16_000;
/** The same while the thread does not work: SQLite's own number, so that no single wait is long. */
const mostPagesAlone = 1_000;
/** Changes until a thread that failed is started again: twice as many after each failure in a row. */
const changesAfterFailure = { least: 1_000, most: 64_000 };

/**
 * The thread is started by the first load that needs it: small installations and tests never have one. When it fails,
 * `onFailure` is told, SQLite checkpoints by itself, slower and as safe, and another thread tries again later.
 */
export function createCheckpoints(
  client: Client,
  writer: Pick<Writer, 'onCommit' | 'hold'>,
  guard: Pick<FileGuard, 'check' | 'files'>,
  onFailure: (error: Error) => void,
): Checkpoints {
  // SQLite compiles this pragma anew each time, and better-sqlite3 then also the function that makes objects of its rows.
  const status = client
    .prepare<[], [busy: number, log: number, checkpointed: number]>('PRAGMA wal_checkpoint(NOOP)')
    .raw();
  const look = () => {
    const [, log = 0, checkpointed = 0] = status.get() ?? [];
    return { log, checkpointed };
  };
  let worker: Worker | null = null;
  let failures = 0;
  let changes = 0;
  let copyAt = pagesBetween;
  /** The number of the copying under way; 0 when none is. */
  let round = 0;
  let release: (() => void) | null = null;
  /** Callbacks that wait for the log to be cut off. */
  const truncated: (() => void)[] = [];
  let closing = false;
  let paused = false;
  /** The same for the thread, which may not have begun with what it was told before. */
  const pausedForThread = new Int32Array(new SharedArrayBuffer(4));

  /** How long the log grows until SQLite copies it itself. While paused it never does, whatever the thread's state. */
  const limitLog = (): void => {
    const pages = failures > 0 ? mostPagesAlone : mostPages;
    client.pragma(`wal_autocheckpoint = ${paused ? 0 : pages}`);
  };
  limitLog();

  function start(): Worker {
    const { files } = guard;
    const workerData: CheckpointerData = { file: client.name, files, paused: pausedForThread };
    const started = openThread('checkpointer', import.meta.url, { workerData });
    started.unref();
    started.on('message', copied);
    started.on('error', (cause) => {
      worker = null;
      failures++;
      finish();
      copyAt = 0;
      limitLog();
      onFailure(new Error('the thread that copies the log into the database failed', { cause }));
    });
    return started;
  }

  function copy(): void {
    // The thread opens the files by their names, which must still be those of the open ones.
    if (guard.check()) {
      finish();
      return;
    }
    round++;
    worker ??= start();
    worker.postMessage(release && truncated.length > 0 ? 'truncate' : 'checkpoint');
  }

  function copied(): void {
    if (failures > 0) {
      failures = 0;
      limitLog();
    }
    if (release || closing || paused) {
      finish();
      return;
    }
    const { log, checkpointed } = look();
    if (log - checkpointed <= fewPages || round >= mostRounds) release = writer.hold(longestHoldMs);
    copy();
  }

  function finish(): void {
    release?.();
    release = null;
    round = 0;
    for (const done of truncated.splice(0)) done();
    const { log, checkpointed } = look();
    // Pages that another process still reads cannot be left behind: no use to try again at once.
    copyAt = log === checkpointed ? pagesBetween : log + pagesBetween;
  }

  function changesUntilLook(): number {
    const { least, most } = changesAfterFailure;
    return failures === 0 ? changesBetween : Math.min(least * 2 ** (failures - 1), most);
  }

  function setPaused(value: boolean): void {
    paused = value;
    Atomics.store(pausedForThread, 0, Number(value));
    limitLog();
  }

  writer.onCommit((count) => {
    changes += count;
    if (closing || paused || round > 0 || changes < changesUntilLook()) return;
    changes = 0;
    const { log } = look();
    if (log >= copyAt) copy();
    else if (log < pagesBetween) copyAt = pagesBetween;
  });

  return {
    pause: () => setPaused(true),
    resume: () => setPaused(false),
    truncate() {
      if (closing || paused || look().log === 0) return Promise.resolve();
      return new Promise((done) => {
        truncated.push(done);
        if (round === 0) copy();
      });
    },
    async close() {
      closing = true;
      const last = worker;
      if (!last) return;
      last.ref();
      last.postMessage('close');
      await new Promise((ended) => last.once('exit', ended));
    },
  };
}
