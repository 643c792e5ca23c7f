import { once } from 'node:events';
import { getAsset, isSea } from 'node:sea';
import { Worker } from 'node:worker_threads';
import type { Client } from './client.ts';

/** Keeps the write-ahead log short without making the event loop wait. */
export interface Checkpoints {
  /** Says that so many changes were committed. */
  committed(changes: number): void;
  close(): Promise<void>;
}

/** Changes after which the other thread is asked to copy the log; one takes a page or two of 4 KB. */
const changesBetween = 1_000;

/** The wait doubles with every failure in a row, up to so many changes. */
const mostChangesBetween = 64_000;

/**
 * Pages after which SQLite copies the rest of the log on the event loop after all, some 5 ms. Under steady load the other
 * thread never reaches the end of a log that grows meanwhile, and only at its end can the log begin anew: this is what
 * bounds it, to some 64 MB. Most pages are copied by then.
 */
const mostPages = 16_000;

/** The same while the thread does not work and none are: SQLite's own number, so that no single wait is long. */
const mostPagesAlone = 1_000;

const name = 'checkpointer';

function openThread(workerData: string): Worker {
  // The script of the single binary starts its threads, too, by the name of what they run.
  if (isSea()) return new Worker(getAsset('main.js', 'utf8'), { eval: true, argv: [name], name, workerData });
  // Beside this file as a source, beside the bundle when bundled.
  const type = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return new Worker(new URL(`./${name}.${type}`, import.meta.url), { name, workerData });
}

/**
 * The thread is started by the first load that needs it: small installations and tests never have one. When it fails,
 * `onFailure` is told, SQLite checkpoints by itself, slower and as safe, and another thread tries again later.
 */
export function createCheckpoints(client: Client, onFailure: (error: Error) => void): Checkpoints {
  client.pragma(`wal_autocheckpoint = ${mostPages}`);
  let worker: Worker | null = null;
  let busy = false;
  let failures = 0;
  let changes = 0;

  function start(): Worker {
    const started = openThread(client.name);
    started.unref();
    started.on('message', () => {
      busy = false;
      if (failures === 0) return;
      failures = 0;
      client.pragma(`wal_autocheckpoint = ${mostPages}`);
    });
    started.on('error', (cause) => {
      failures++;
      client.pragma(`wal_autocheckpoint = ${mostPagesAlone}`);
      onFailure(new Error('the thread that copies the log into the database failed', { cause }));
    });
    started.on('exit', () => {
      worker = null;
      busy = false;
    });
    return started;
  }

  return {
    committed(count) {
      changes += count;
      if (busy || changes < Math.min(changesBetween * 2 ** failures, mostChangesBetween)) return;
      changes = 0;
      busy = true;
      worker ??= start();
      worker.postMessage('checkpoint');
    },
    async close() {
      if (!worker) return;
      const ended = once(worker, 'exit');
      worker.ref();
      worker.postMessage('close');
      await ended;
    },
  };
}
