import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { temporaryFolder } from '../helpers/app.ts';

/** A file system of a few megabytes; null, with the test skipped, where none can be mounted. */
export function smallDisk(t: Pick<Test, 'teardown' | 'comment'>, megabytes: number): string | null {
  const folder = join(temporaryFolder(t), 'disk');
  mkdirSync(folder);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'none', folder], { stdio: 'pipe' });
  } catch (error) {
    t.comment(`a small disk needs the right to mount one: ${(error as Error).message.split('\n')[0]}`);
    return null;
  }
  // Before the folder is removed: teardowns run in reverse order.
  t.teardown(() => void execFileSync('umount', ['-l', folder]));
  return folder;
}

/** Leaves about so many bytes of the disk free, without writing anything. */
export function leaveFree(folder: string, bytes: number): void {
  for (let left = 20; ; left--) {
    const { blocks, bavail, bsize } = statfsSync(folder);
    const size = (blocks - bavail) * bsize + bytes;
    try {
      execFileSync('mount', ['-o', `remount,size=${size}`, folder], { stdio: 'pipe' });
      return;
    } catch (error) {
      // Others wrote meanwhile, and need more than that.
      if (left === 0) throw error;
    }
  }
}

const ballast = (folder: string): string => join(folder, 'ballast');

/** Leaves so many bytes of the disk free. */
export function fill(folder: string, exceptBytes = 0): void {
  const { bavail, bsize } = statfsSync(folder);
  try {
    appendFileSync(ballast(folder), Buffer.alloc(Math.max(0, bavail * bsize - exceptBytes)));
  } catch (error) {
    // Others wrote meanwhile, and it is full as well.
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

/** Takes away what filled the disk. */
export function empty(folder: string): void {
  rmSync(ballast(folder));
}
