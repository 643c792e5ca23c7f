import { isPostgres } from '../store/address.ts';
import type { Environment } from './environment.ts';
import type { Settings } from './settings.ts';

/** The mistakes in the settings of a pooler. */
export function poolerMistakes({
  ASSIZE_DATABASE: database,
  ASSIZE_DATABASE_DIRECT: direct,
  ASSIZE_DATABASE_PREPARE: prepares,
}: Settings): string[] {
  if (direct !== undefined && !isPostgres(database))
    return ['ASSIZE_DATABASE_DIRECT: needs the address of a PostgreSQL database in ASSIZE_DATABASE'];
  // Notifications and migrations would go through the pooler, which loses the ones and cuts off the others.
  if (direct === undefined && !prepares)
    return ['ASSIZE_DATABASE_PREPARE: false needs ASSIZE_DATABASE_DIRECT, the address past the pooler'];
  return [];
}

/** Settings of a database that is named on the command line: what else is said of the database is said of another one. */
export const settingsOfDatabase = (database: string | undefined): Environment =>
  database === undefined
    ? {}
    : {
        ASSIZE_DATABASE: database,
        ASSIZE_DATABASE_DIRECT: undefined,
        ASSIZE_DATABASE_PREPARE: undefined,
      };
