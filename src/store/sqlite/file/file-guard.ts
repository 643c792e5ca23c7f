import { existsSync, statSync } from 'node:fs';
import { AppError } from '../../../errors.ts';
import type { Client } from '../client.ts';

/**
 * Notices that the files of the open database were moved, replaced or deleted. SQLite goes on writing to files that have
 * lost their name: everything works until the process ends, and then those changes are gone.
 */
export interface FileGuard {
  /** Compares the files at their paths with the open ones. The error stays once there is one; null until then. */
  check(): AppError | null;
  /** The open files, for threads that open them once more by their names. */
  readonly files: readonly OpenFile[];
  close(): void;
}

export interface OpenFile {
  path: string;
  ino: number | undefined;
  dev: number | undefined;
}

function find(path: string): OpenFile {
  const stats = statSync(path, { throwIfNoEntry: false });
  return { path, ino: stats?.ino, dev: stats?.dev };
}

/** Whether the file at this path is still the open one. */
export function isInPlace({ path, ino, dev }: OpenFile): boolean {
  const now = find(path);
  return ino !== undefined && now.ino === ino && now.dev === dev;
}

/** How often the files are compared while nothing is written. */
const checkEveryMs = 1_000;

/**
 * Create it when the schema is in place: the log and its index exist from the first read on. `onLoss` is called once, in
 * the same turn; its `cause` names the file and says what was done. Only stat is used: opening and closing a file that
 * SQLite has locked would drop its locks (POSIX).
 */
export function createFileGuard(client: Client, onLoss: (error: AppError) => void): FileGuard {
  const database = client.name;
  const log = `${database}-wal`;
  const index = `${database}-shm`;
  const files = [database, log, index].map(find);
  let loss: AppError | null = null;

  function check(): AppError | null {
    if (loss) return loss;
    const lost = files.find((file) => !isInPlace(file));
    if (!lost) return null;
    loss = new AppError('unavailable', 'the store is not available', {
      cause: new Error(explain(lost.path)),
      retryAfterSeconds: 1,
      logAggregated: true,
    });
    clearInterval(timer);
    onLoss(loss);
    return loss;
  }

  /**
   * A deleted log is still open here: what is in it can be copied into the database, unless something was written to
   * another log in its place. Whoever opens the database by its name makes an empty one.
   */
  function saveLog(): boolean {
    const [file] = files;
    if (!file || !isInPlace(file) || statSync(log, { throwIfNoEntry: false })?.size) return false;
    try {
      const [result] = client.pragma('wal_checkpoint(FULL)') as [{ busy: number }];
      return result.busy === 0;
    } catch {
      return false;
    }
  }

  function explain(path: string): string {
    const what = `${path} was ${existsSync(path) ? 'replaced' : 'moved or deleted'} while in use`;
    if (saveLog()) {
      return `${what}: nothing more is recorded. What was recorded before was saved to ${database}: restart the service`;
    }
    return `${what}: nothing more is recorded. Stop the service, put the file back or restore a backup, and start it again`;
  }

  const timer = setInterval(check, checkEveryMs).unref();
  return { check, files, close: () => clearInterval(timer) };
}
