import type { Worker } from 'node:worker_threads';
import { openThread } from '../../../threads.ts';
import type { Client } from '../client.ts';
import type { Writer } from '../writer.ts';
import type { CheckpointerData } from './checkpointer.ts';
import type { FileGuard } from './file-guard.ts';

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
