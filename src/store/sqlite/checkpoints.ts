import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Client } from './client.ts';
import type { Writer } from './writer.ts';

/**
 * Keeps the write-ahead log short without making the event loop wait.
 *
 * Another thread copies the log into the database. The log begins anew only when all of it is copied, which under steady
 * load never happens by itself, as it grows meanwhile. So the thread copies again and again, each time less, and for the
 * last few pages the writer begins no transaction: changes wait for some milliseconds, as they do for a sync.
 */
export interface Checkpoints {
  close(): Promise<void>;
}

/** Pages of 4 KB after which the log is copied. A short log is written over and over, which syncs faster than a growing one. */
const pagesBetween = 4_000;
/** Changes after which the log's length is looked at. */
const changesBetween = 64;
/** Pages that are few enough to make the writer wait for them, and how often to try to get there. */
const fewPages = 256;
const mostRounds = 6;
/** The writer goes on after this, should the thread be stuck. */
const longestHoldMs = 1_000;

/** Pages after which SQLite copies the log on the event loop after all, should the thread not keep up: some 64 MB. */
const mostPages = 16_000;

/** The thread is started by the first load that needs it: small installations and tests never have one. */
export function createCheckpoints(client: Client, writer: Pick<Writer, 'onCommit' | 'hold'>): Checkpoints {
  client.pragma(`wal_autocheckpoint = ${mostPages}`);
  const status = client.prepare<[], { log: number; checkpointed: number }>('PRAGMA wal_checkpoint(NOOP)');
  const look = () => status.get() ?? { log: 0, checkpointed: 0 };
  let worker: Worker | null = null;
  let failed = false;
  let changes = 0;
  let copyAt = pagesBetween;
  /** Of the copying under way; 0 when none is. */
  let round = 0;
  let release: (() => void) | null = null;

  function start(): Worker {
    // Beside this file as a source, beside the bundle when bundled.
    const name = import.meta.url.endsWith('.ts') ? './checkpointer.ts' : './checkpointer.js';
    const started = new Worker(new URL(name, import.meta.url), { workerData: client.name });
    started.unref();
    started.on('message', copied);
    // Without the thread SQLite checkpoints by itself: slower, and as safe.
    started.on('error', () => {
      worker = null;
      failed = true;
      finish();
      client.pragma('wal_autocheckpoint = 1000');
    });
    return started;
  }

  function copy(): void {
    round++;
    worker ??= start();
    worker.postMessage('checkpoint');
  }

  function copied(): void {
    if (release) {
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
    const { log, checkpointed } = look();
    // What another process still reads cannot be left behind: no use to try again at once.
    copyAt = log === checkpointed ? pagesBetween : log + pagesBetween;
  }

  writer.onCommit((count) => {
    changes += count;
    if (failed || round > 0 || changes < changesBetween) return;
    changes = 0;
    const { log } = look();
    if (log >= copyAt) copy();
    else if (log < pagesBetween) copyAt = pagesBetween;
  });

  return {
    async close() {
      if (!worker) return;
      const ended = once(worker, 'exit');
      worker.ref();
      worker.postMessage('close');
      await ended;
    },
  };
}
