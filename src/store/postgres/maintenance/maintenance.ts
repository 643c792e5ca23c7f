import type pg from 'pg';
import { AppError } from '../../../errors.ts';
import type { Maintenance } from '../../maintenance.ts';
import { assertUsable, createClient, unavailable } from '../client.ts';
import { compareSchema } from '../migrate.ts';
import { examine, schemaTrouble } from './examine.ts';

/** What PostgreSQL's own tools do is left to them. `migrations`: the folder of them. */
export function createPostgresMaintenance(address: string, migrations: string): Maintenance {
  async function connected<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = createClient(address);
    try {
      await client.connect();
      return await work(client);
    } catch (error) {
      throw unavailable(error);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
  const leftTo = (tools: string): never => {
    throw new AppError('invalid', `the database is in PostgreSQL: use ${tools}`);
  };
  const leftToItsClock = (): never => {
    throw new AppError(
      'invalid',
      'the database is in PostgreSQL, whose clock gives the time: set the clock of that server right',
    );
  };

  return {
    assertCurrent: () =>
      connected(async (client) => {
        const trouble = schemaTrouble(await compareSchema(client, migrations));
        if (trouble !== null) throw new AppError('invalid', trouble);
        await assertUsable(client);
      }),
    backup: async () => leftTo('pg_dump, or the backups of your provider'),
    restore: async () => leftTo('pg_restore into a new database, and start with its address'),
    examine: (by) => examine(address, migrations, by),
    planClockCorrection: async () => leftToItsClock(),
    correctClock: async () => leftToItsClock(),
    confirmRetention: () =>
      connected(async (client) => {
        const { rowCount } = await client.query(
          'UPDATE clock SET retention_held_at = NULL WHERE retention_held_at IS NOT NULL',
        );
        return rowCount === 1;
      }),
  };
}
