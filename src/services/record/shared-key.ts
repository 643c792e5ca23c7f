import { existsSync } from 'node:fs';
import type { Store } from '../../store/store.ts';

/**
 * Replicas sign one record with one key. Refuses one whose file is missing when the record is signed already: it would make a key of its own.
 * Another key that is there may be meant as a new one.
 */
export async function assertNoSecondKey(
  { record }: Pick<Store, 'record'>,
  file: string | null,
): Promise<void> {
  if (file === null || existsSync(file)) return;
  const [first] = await record.listKeys();
  if (first)
    throw new Error(
      `ASSIZE_RECORD_KEY_FILE: ${file} is missing, and the record is signed with the key ${first.keyId}: give this replica the file that the others have`,
    );
}

/** Whether the last root was signed with another key. */
export async function isOtherKey({ record }: Pick<Store, 'record'>, keyId: string): Promise<boolean> {
  const last = await record.findLastRoot();
  return last !== null && last.statement.keyId !== keyId;
}
