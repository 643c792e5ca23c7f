import { loadConfig } from '../../config/config.ts';
import { settingsOfDatabase } from '../../config/pooler.ts';
import { shipped } from '../../files.ts';
import type { Maintenance } from '../../store/maintenance.ts';
import { openMaintenance } from '../../store/open.ts';

/** The database that a command means: the one typed, or the one that would be served here. */
export async function openDatabase(
  given: string | undefined,
): Promise<{ database: string; maintenance: Maintenance }> {
  const { database, databaseDirect } = loadConfig(undefined, settingsOfDatabase(given));
  const maintenance = await openMaintenance(databaseDirect, { migrations: shipped('migrations') });
  return { database, maintenance };
}
