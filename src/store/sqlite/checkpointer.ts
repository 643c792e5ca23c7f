import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';

// The thread of `checkpoints.ts`: copies the write-ahead log into the database with a connection of its own, so that
// the event loop does not wait for it. PASSIVE never makes a writer wait either.

export interface CheckpointerData {
  file: string;
  /** While its number is 1, nothing is copied. */
  paused: Int32Array;
}

if (!isMainThread) run(workerData as CheckpointerData);

function run({ file, paused }: CheckpointerData): void {
  const client = new Database(file);
  client.pragma('wal_autocheckpoint = 0');
  // The log must be on disk before its pages go into the database, and the database before the log is used again.
  client.pragma('synchronous = NORMAL');
  const checkpoint = client.prepare('PRAGMA wal_checkpoint(PASSIVE)');

  parentPort?.on('message', (message: 'checkpoint' | 'close') => {
    if (message === 'checkpoint') {
      if (Atomics.load(paused, 0) === 0) checkpoint.all();
      parentPort?.postMessage('done');
      return;
    }
    client.close();
    parentPort?.close();
  });
}
