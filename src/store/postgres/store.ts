import type { Store } from '../store.ts';
import { openPostgres } from './database.ts';
import { migrateDatabase } from './migrate.ts';

export interface PostgresOptions {
  /** `postgres://…` */
  address: string;
  /** The folder of the migrations. */
  migrations: string;
}

/** What is there of the store so far. */
export type PostgresStore = Partial<Store> & Pick<Store, 'close'>;

/** Brings the database to this version's schema, and returns the store on it. */
export async function openPostgresStore({ address, migrations }: PostgresOptions): Promise<PostgresStore> {
  await migrateDatabase(address, migrations);
  const postgres = openPostgres(address);
  return {
    close: () => postgres.close(),
  };
}
