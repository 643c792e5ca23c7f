import type { Maintenance } from '../../maintenance.ts';
import type { Client } from '../client.ts';
import { confirmRetention, correctClock, planCorrection } from '../clock.ts';
import { backup, restore } from './backup.ts';
import { examine } from './examine.ts';
import { assertCurrent, openOurs, takeOutOfUse } from './state.ts';

/** `migrations`: the folder of them. */
export function createSqliteMaintenance(database: string, migrations: string): Maintenance {
  async function onCurrent<T>(work: (client: Client) => T, prepare?: (database: string) => void): Promise<T> {
    assertCurrent(database, migrations);
    prepare?.(database);
    const client = openOurs(database, migrations);
    try {
      return work(client);
    } finally {
      client.close();
    }
  }

  return {
    assertCurrent: async () => assertCurrent(database, migrations),
    backup: (file, replaces) => backup(database, migrations, file, replaces),
    restore: async (file) => restore(database, migrations, file),
    examine: async (by) => examine(database, migrations, by),
    planClockCorrection: (to) => onCurrent((client) => planCorrection(client, to)),
    correctClock: (to) => onCurrent((client) => correctClock(client, to), takeOutOfUse),
    confirmRetention: () => onCurrent(confirmRetention),
  };
}
