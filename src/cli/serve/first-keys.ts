import { rmSync, writeFileSync } from 'node:fs';
import type { FastifyBaseLogger } from 'fastify';
import type { FirstStart } from '../../services/first-start.ts';
import { firstKeysFile } from '../first-keys-file.ts';
import { type Places, welcome } from './welcome.ts';

/**
 * Shows the keys of a first start, only once. Only on a terminal are they printed: logs are collected, kept and read by
 * many. Elsewhere they go into a file beside the database, for its owner only.
 */
export function showFirstKeys(
  first: FirstStart,
  places: Places,
  { database, log }: { database: string; log: FastifyBaseLogger },
): void {
  const text = welcome(first, places);
  if (process.stdout.isTTY) {
    process.stdout.write(text);
    return;
  }
  if (first.generatedAdminKey === null && first.demo === null) return;
  const file = firstKeysFile(database);
  try {
    // One of an earlier database may have other permissions.
    rmSync(file, { force: true });
    writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
    log.warn({ file }, 'this file has the first keys: store them elsewhere and delete it');
  } catch (error) {
    // Only hashes are stored: lost here, they would be lost for ever.
    log.error(
      { err: error },
      'the first keys cannot be written beside the database, and are printed instead',
    );
    process.stdout.write(text);
  }
}
