import { fdatasync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import type { Sync } from '../../src/store/sqlite/file/wal-sync.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { migrations, startApp, type TestApp, temporaryFolder } from '../helpers/app.ts';

/** For a writer alone: no change is refused, and nothing can be released. */
export const noReserve = { refusal: () => null, release: () => false };

/** A disk whose syncs a test can hold back and make fail. */
export interface Disk {
  sync: Sync;
  /** From now on syncs wait for `release`. */
  hold(): void;
  /** Lets those that wait go on; later ones do not wait. */
  release(): void;
  /** From now on syncs fail. */
  breakDown(): void;
  heldCount(): number;
  syncCount(): number;
}

export function createDisk(): Disk {
  let held: (() => void)[] = [];
  let holding = false;
  let broken = false;
  let syncs = 0;
  return {
    sync(descriptor, done) {
      syncs++;
      const go = (): void => {
        if (broken) done(Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' }));
        else fdatasync(descriptor, done);
      };
      if (holding) held.push(go);
      else setImmediate(go);
    },
    hold() {
      holding = true;
    },
    release() {
      holding = false;
      const waiting = held;
      held = [];
      for (const go of waiting) go();
    },
    breakDown() {
      broken = true;
    },
    heldCount: () => held.length,
    syncCount: () => syncs,
  };
}

/** The real app on a disk of the test's own; `failures` is what the process was told when it must stop. */
export async function startAppOn(
  t: Test,
  disk: Disk,
  database = join(temporaryFolder(t), 'assize.db'),
): Promise<TestApp & { failures: Error[] }> {
  const failures: Error[] = [];
  const store = openSqliteStore({
    file: database,
    migrations,
    onSyncFailure: (error) => void failures.push(error),
    sync: disk.sync,
  });
  const app = await startApp(t, { ASSIZE_RATE_LIMIT_INTEGRATION: '0' }, { database, store });
  return { ...app, failures };
}

/** Waits for something that other turns of the event loop bring about. */
export async function until(met: () => boolean): Promise<void> {
  const end = performance.now() + 20_000;
  while (!met()) {
    if (performance.now() > end) throw new Error(`not met within 20 s: ${met}`);
    await turns(1);
  }
}

export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}
