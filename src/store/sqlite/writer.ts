import type { CommitObserver } from '../store.ts';
import { type Client, isDiskFull, unavailable } from './client.ts';
import { type DiskReserve, type Urgency, urgency } from './file/disk-reserve.ts';
import type { WalSync } from './file/wal-sync.ts';

/**
 * The one writer of this process, and the reason why an acknowledged change is on disk.
 *
 * 1. Changes that arrive in one turn of the event loop, or while the disk syncs (3.), run in one `BEGIN IMMEDIATE`
 *    transaction, in order, each seeing what those before it did. No other connection can write in between.
 * 2. `COMMIT` (synchronous = NORMAL) appends the transaction to the write-ahead log. It now survives a killed process,
 *    because the kernel has it, but not yet a power failure.
 * 3. One `fdatasync` of the log, in another thread, makes it survive that too. It covers every transaction that was
 *    committed before it began. Only when it is done are those changes acknowledged. Changes that arrive meanwhile could not be
 *    acknowledged sooner if they were committed at once, so they wait for its end and share one transaction, unless they fill one.
 *    So the event loop never waits for the disk, and the disk syncs once for many requests.
 * 4. SQLite itself syncs the log before a checkpoint copies it into the database, and the database before the log is
 *    written from its start again (https://sqlite.org/wal.html): an acknowledged change is always in one of the two.
 * 5. A read may see a transaction that is not yet synced, also of another connection. Its response reveals it, so it waits for
 *    `durable()` as well.
 * 6. When a sync fails, the kernel may have dropped the pages it could not write, and a second sync would say all is
 *    well: nothing waiting is acknowledged as kept, nothing further is written or shown, and the process must stop
 *    (`onSyncFailure`).
 */
export interface Writer {
  /** `change` must be synchronous, touch nothing but the database and what `onRollback` undoes, and may run twice. */
  run<T>(change: () => T, needed?: Urgency): Promise<T>;
  /** Resolves when everything that is committed now is on disk. */
  durable(): Promise<void>;
  /**
   * Called when another connection has committed: what was read before may be outdated. Every transaction checks this at its
   * start, when no other connection can write any more.
   */
  onForeignCommit(forget: () => void): void;
  /** Checks it now, for a read outside of transactions. */
  checkForeignCommits(): void;
  /** Called at the end of every transaction, for what is written once after all of its changes. */
  onEnd(write: () => void): void;
  /** Called after every commit, with the number of changes in it. */
  onCommit(tell: (changes: number) => void): void;
  /** Only inside `onCommit`: called once that commit is on disk, and never when it may not be. */
  onSynced(tell: () => void): void;
  /** Called after a transaction was rolled back: what was read inside it is void. */
  onRollback(forget: () => void): void;
  /** Begins no transaction until the returned function is called, or so many milliseconds have passed; changes wait. */
  hold(longestMs: number): () => void;
  /** From now on every change and `durable()` are refused with this. */
  stop(failure: Error): void;
  /** Commits what waits, and resolves when it is on disk. */
  drain(): Promise<void>;
}

interface Job {
  change: () => unknown;
  needed: Urgency;
  /** It was in a transaction that failed: it may be why. */
  alone: boolean;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/** Returns a job once its transaction is on disk, or says that it may not be. */
type Waiter = (failure: Error | null) => void;

/** Bound how long one transaction holds the event loop: those who read and respond take turns with it. */
const largestBatch = 64;
const longestBatchMs = 5;

export function createWriter(
  client: Client,
  wal: WalSync,
  reserve: Pick<DiskReserve, 'refusal' | 'release'>,
  observer?: CommitObserver,
): Writer {
  const waiting: Job[] = [];
  const foreignCommitForgetters: (() => void)[] = [];
  const enders: (() => void)[] = [];
  const tellers: ((changes: number) => void)[] = [];
  const forgetters: (() => void)[] = [];
  let scheduled = false;
  let holding: NodeJS.Timeout | null = null;
  let unsynced: Waiter[] = [];
  let syncing = false;
  let failed: Error | null = null;

  const dataVersion = client.prepare('PRAGMA data_version').pluck();
  let seenVersion = dataVersion.get();
  let askedVersion = seenVersion;
  function checkForeignCommits(): void {
    const version = dataVersion.get();
    if (version === seenVersion) return;
    seenVersion = version;
    for (const forget of foreignCommitForgetters) forget();
  }

  const transaction = client.transaction((jobs: readonly Job[]) => {
    checkForeignCommits();
    const beganAt = performance.now();
    const results: unknown[] = [];
    for (const job of jobs) {
      if (results.length > 0 && performance.now() - beganAt > longestBatchMs) break;
      results.push(job.change());
    }
    for (const write of enders) write();
    return results;
  });

  function commit(all: readonly Job[]): void {
    let results: unknown[];
    const beganAt = observer ? performance.now() : 0;
    try {
      results = transaction.immediate(all);
    } catch (error) {
      for (const forget of forgetters) forget();
      repeatFailed(all, error);
      return;
    }
    const jobs = all.slice(0, results.length);
    waiting.unshift(...all.slice(results.length));
    observer?.committed(jobs.length, secondsSince(beganAt));
    for (const tell of tellers) tell(jobs.length);
    unsynced.push((failure) => {
      jobs.forEach((job, place) => {
        if (failure) job.reject(failure);
        else job.resolve(results[place]);
      });
    });
  }

  /** One bad change must not fail its neighbours: they are repeated alone, and only the bad one is refused. */
  function repeatFailed(jobs: readonly Job[], error: unknown): void {
    const [first] = jobs;
    if (jobs.length > 1 || !first) waiting.unshift(...jobs.map((job) => ({ ...job, alone: true })));
    else if (isDiskFull(error) && reserve.release(first.needed)) commit(jobs);
    else first.reject(unavailable(error));
  }

  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    // setImmediate, not queueMicrotask: by then the requests that arrived together are all waiting.
    setImmediate(() => {
      scheduled = false;
      if (holding) syncSoon();
      else if (!syncing || waiting.length >= largestBatch) flush();
    });
  }

  function flush(): void {
    commitNext();
    if (waiting.length > 0) schedule();
    syncSoon();
  }

  function commitNext(): void {
    const count = waiting[0]?.alone ? 1 : largestBatch;
    const jobs = waiting.splice(0, count);
    if (jobs.length === 0) return;
    if (!failed) commit(jobs);
    else for (const job of jobs) job.reject(failed);
  }

  function syncSoon(): void {
    if (syncing || unsynced.length === 0) return;
    syncing = true;
    const covered = unsynced;
    unsynced = [];
    const beganAt = observer ? performance.now() : 0;
    wal.sync((failure) => {
      observer?.synced(secondsSince(beganAt));
      syncing = false;
      failed ??= failure;
      for (const response of covered) response(failure);
      if (waiting.length > 0 && !holding) schedule();
      else syncSoon();
    });
  }

  /** Whether another connection has committed since the last sync that was asked for: its own may not have ended. */
  function isForeignUnsynced(): boolean {
    const version = dataVersion.get();
    if (version === askedVersion) return false;
    askedVersion = version;
    return true;
  }

  function durable(): Promise<void> {
    if (failed) return Promise.reject(failed);
    if (!syncing && unsynced.length === 0 && !isForeignUnsynced()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      unsynced.push((failure) => (failure ? reject(failure) : resolve()));
      syncSoon();
    });
  }

  return {
    run(change, needed = urgency.ordinary) {
      return new Promise((resolve, reject) => {
        const refusal = reserve.refusal(needed);
        if (refusal) return reject(refusal);
        waiting.push({ change, needed, alone: false, resolve: resolve as (value: unknown) => void, reject });
        schedule();
      });
    },
    durable,
    checkForeignCommits,
    onForeignCommit: (forget) => void foreignCommitForgetters.push(forget),
    onEnd: (write) => void enders.push(write),
    onCommit: (tell) => void tellers.push(tell),
    // The commit that is being told of is synced with this.
    onSynced: (tell) =>
      void unsynced.push((failure) => {
        if (!failure) tell();
      }),
    onRollback: (forget) => void forgetters.push(forget),
    hold(longestMs) {
      const release = (): void => {
        clearTimeout(timer);
        if (holding !== timer) return;
        holding = null;
        flush();
      };
      const timer = setTimeout(release, longestMs);
      holding = timer;
      return release;
    },
    stop(failure) {
      failed ??= failure;
    },
    async drain() {
      while (waiting.length > 0) commitNext();
      await durable();
    },
  };
}

const secondsSince = (beganAt: number): number => (performance.now() - beganAt) / 1_000;
