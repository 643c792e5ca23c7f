import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError } from '../../errors.ts';
import type { Sqlite } from './database.ts';
import { type DiskReserve, leastFreeBytes } from './disk-reserve.ts';
import type { FileGuard } from './file-guard.ts';

/** Rejects when the file cannot be written to, or soon will not be. Those who ask meanwhile share one look: anyone may ask. */
export function createPing(
  { client, writer }: Pick<Sqlite, 'client' | 'writer'>,
  guard: Pick<FileGuard, 'check'>,
  reserve: Pick<DiskReserve, 'restore'>,
): () => Promise<void> {
  async function look(): Promise<void> {
    const loss = guard.check();
    if (loss) throw loss;
    await reserve.restore();
    // Writes a page that changes nothing: a disk that failed, or became read-only, would take an empty change.
    await writer.run(() => void client.pragma('user_version = 0'));
    const { bavail, bsize } = await statfs(dirname(client.name));
    if (bavail * bsize < leastFreeBytes) {
      throw new AppError('unavailable', 'the disk is almost full', { retryAfterSeconds: 1 });
    }
  }
  let looking: Promise<void> | null = null;

  return () => {
    looking ??= look().finally(() => {
      looking = null;
    });
    return looking;
  };
}
