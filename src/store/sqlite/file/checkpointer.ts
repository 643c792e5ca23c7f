import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { isInPlace, type OpenFile } from './file-guard.ts';

// The thread of `database-file.ts`: copies the write-ahead log into the database with a connection of its own, so that
// the event loop does not wait for it. PASSIVE never makes a writer wait either; TRUNCATE is asked for
// while the writer of this process begins no transaction.

export interface CheckpointerData {
  file: string;
  /** The files that the writer has open: the database, its log and its index. */
  files: readonly OpenFile[];
  /** While its number is 1, nothing is copied. */
  paused: Int32Array;
}

if (!isMainThread) run(workerData as CheckpointerData);

function run({ file, files, paused }: CheckpointerData): void {
  // A thread may take seconds to start, and in place of a log that was deleted meanwhile SQLite makes another one.
  assertInPlace(files);
  // It does not wait for readers: what is to be cut off now is cut off another time.
  const client = new Database(file, { timeout: 0 });
  client.pragma('wal_autocheckpoint = 0');
  // The log must be on disk before its pages go into the database, and the database before the log is used again.
  client.pragma('synchronous = NORMAL');
  // The first read opens the log.
  client.prepare('SELECT 1 FROM sqlite_master').get();
  assertInPlace(files);
  const checkpoint = client.prepare('PRAGMA wal_checkpoint(PASSIVE)');
  const truncate = client.prepare('PRAGMA wal_checkpoint(TRUNCATE)');

  parentPort?.on('message', (message: 'checkpoint' | 'truncate' | 'close') => {
    if (message !== 'close') {
      if (Atomics.load(paused, 0) === 0) (message === 'truncate' ? truncate : checkpoint).all();
      parentPort?.postMessage('done');
      return;
    }
    client.close();
    parentPort?.close();
  });
}

function assertInPlace(files: readonly OpenFile[]): void {
  if (!files.every(isInPlace)) throw new Error('files of the database were moved, replaced or deleted');
}
