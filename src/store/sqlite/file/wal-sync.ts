import { closeSync, fdatasync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from '../../../errors.ts';
import type { Client } from '../client.ts';
import type { FileGuard } from './file-guard.ts';

/** Syncs the write-ahead log of an open database. */
export interface WalSync {
  /** `done` gets null when everything written before the call is on disk. */
  sync(done: (failure: Error | null) => void): void;
  close(): void;
}

/** The system call, so that a test can make the disk fail. */
export type Sync = (descriptor: number, done: (error: Error | null) => void) => void;

/**
 * The log must exist and is opened once: closing any descriptor of a file that SQLite has locked drops its locks (POSIX),
 * but it never locks the log, only the database and its -shm file.
 */
export function openWalSync(
  client: Client,
  guard: Pick<FileGuard, 'check'>,
  onFailure: (error: Error) => void,
  system: Sync = fdatasync,
): WalSync {
  // On macOS a sync reaches the disk's cache only; SQLite knows how to go further, at the price of waiting for it.
  if (process.platform === 'darwin') {
    client.pragma('fullfsync = ON');
    client.pragma('synchronous = FULL');
    return { sync: (done) => void setImmediate(() => done(guard.check())), close: () => undefined };
  }
  client.pragma('synchronous = NORMAL');
  const descriptor = openSync(`${client.name}-wal`, 'r');
  syncFolder(dirname(client.name));
  let failed: Error | null = null;
  let inProgress = 0;
  let isClosing = false;
  /** A sync of a closed descriptor fails as one of a broken disk does, or syncs another file. */
  const closeWhenDone = (): void => {
    if (isClosing && inProgress === 0) closeSync(descriptor);
  };

  return {
    sync(done) {
      if (failed) return void setImmediate(done, failed);
      inProgress++;
      system(descriptor, (error) => {
        inProgress--;
        if (error) {
          failed = new AppError('unavailable', 'the store is not available', {
            cause: error,
            retryAfterSeconds: 1,
          });
          // After those who wait have their responses.
          setImmediate(onFailure, error);
        }
        // A log that was deleted can be synced, too, and is lost with this process.
        failed ??= guard.check();
        done(failed);
        closeWhenDone();
      });
    },
    close() {
      isClosing = true;
      closeWhenDone();
    },
  };
}

/** A new file is lost with the power as long as its name is not on disk. */
function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
