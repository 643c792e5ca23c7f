import { openSqliteStore } from './sqlite/store.ts';
import type { Store } from './store.ts';

/** The one place that names a backend. */
export function openStore(options: { database: string; migrations: string }): Store {
  return openSqliteStore({ file: options.database, migrations: options.migrations });
}
