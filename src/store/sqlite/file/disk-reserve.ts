import { randomBytes } from 'node:crypto';
import { statfsSync, statSync, truncateSync } from 'node:fs';
import { open, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError } from '../../../errors.ts';

/** The purposes of changes, least urgent first. On a full disk ends of sessions come before evaluations, and operators before both. */
export const urgency = { ordinary: 0, ending: 1, operator: 2 } as const;
export type Urgency = (typeof urgency)[keyof typeof urgency];

/**
 * Space kept beside the database, so that on a full disk keys can still be revoked and sessions ended. It is released in two
 * parts: one for ends of sessions, one for operators alone, because agents could use up what they share. Once a part is
 * released, changes that are less urgent are refused until the disk has space again: they would only fill it.
 */
export interface DiskReserve {
  /** Why a change of this urgency is refused; null when it may be tried. */
  refusal(needed: Urgency): AppError | null;
  /** Gives the next part to a change that found the disk full. False when there is none for it. */
  release(needed: Urgency): boolean;
  /** Takes back what was released, if there is enough space. Never rejects. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

const partBytes = 4 * 1_048_576;
const parts = 2;
const reserveBytes = parts * partBytes;
const chunkBytes = 1_048_576;
/** The least free space with which anything that may be sent can still be kept: a few of the largest bodies. */
export const leastFreeBytes = 8 * 1_048_576;
/** With less, a database cannot even be opened. */
const openingBytes = 1_048_576;
const restoreEveryMs = 1_000;

/**
 * Create it before the database is opened: on a full disk that needs space, too. Without `keeps` what is there can be
 * released, and nothing is made. `onFull` is told when the first part is released, and when all are back.
 */
export function createDiskReserve(
  database: string,
  { keeps, onFull }: { keeps: boolean; onFull: (isFull: boolean) => void },
): DiskReserve {
  const file = `${database}-reserve`;
  const size = (): number => sizeOf(file);
  let released = 0;
  let restoring: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;

  function releasePart(): boolean {
    const left = size();
    if (left === 0) return false;
    truncateSync(file, Math.max(0, left - partBytes));
    return true;
  }

  async function fill(): Promise<void> {
    const missing = reserveBytes - size();
    if (missing > 0) {
      const { bavail, bsize } = await statfs(dirname(database));
      if (bavail * bsize < missing + leastFreeBytes) return;
      // Random, because a file system that compresses would keep no space for zeros.
      const chunk = randomBytes(chunkBytes);
      const handle = await open(file, 'a', 0o600);
      try {
        for (let left = missing; left > 0; left -= chunkBytes)
          await handle.write(chunk, 0, Math.min(left, chunkBytes));
        await handle.sync();
      } finally {
        await handle.close();
      }
      // Some may have been released meanwhile.
      if (size() < reserveBytes) return;
    }
    clearInterval(timer);
    timer = undefined;
    if (released === 0) return;
    released = 0;
    onFull(false);
  }

  async function restore(): Promise<void> {
    // Nothing is missing.
    if (!timer) return;
    // The timer tries again after a failure: the disk may be full once more.
    restoring ??= fill()
      .catch(() => undefined)
      .finally(() => {
        restoring = null;
      });
    await restoring;
  }

  function restoreSoon(): void {
    if (keeps) timer ??= setInterval(() => void restore(), restoreEveryMs).unref();
  }

  if (size() > 0) {
    const { bavail, bsize } = statfsSync(dirname(database));
    if (bavail * bsize < openingBytes && releasePart()) released = 1;
  }
  if (keeps) {
    restoreSoon();
    void restore();
  }

  return {
    refusal(needed) {
      if (needed >= released) return null;
      return new AppError('unavailable', 'the disk is full', { retryAfterSeconds: 1, logAggregated: true });
    },
    release(needed) {
      if (needed <= released) return false;
      released++;
      if (released === 1) onFull(true);
      restoreSoon();
      return releasePart();
    },
    restore,
    async close() {
      clearInterval(timer);
      timer = undefined;
      await restoring;
    },
  };
}

/** In bytes; 0 for a file that is not there, or in a folder that this process may not read: opening the database says so. */
function sizeOf(file: string): number {
  try {
    return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') return 0;
    throw error;
  }
}
