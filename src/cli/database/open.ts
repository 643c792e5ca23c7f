import { loadConfig } from '../../config.ts';
import { shipped } from '../../files.ts';
import type { Maintenance } from '../../store/maintenance.ts';
import { openMaintenance } from '../../store/open.ts';

/** The database that a command means: the one typed, or the one that would be served here. */
export async function openDatabase(
  given: string | undefined,
): Promise<{ database: string; maintenance: Maintenance }> {
  const { database } = loadConfig(undefined, given === undefined ? {} : { ASSIZE_DATABASE: given });
  return { database, maintenance: await openMaintenance(database, { migrations: shipped('migrations') }) };
}
