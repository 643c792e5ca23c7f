import { openSqliteStore } from './sqlite/store.ts';
import type { Store } from './store.ts';

/** The one place that names a backend. */
export function openStore(options: {
  database: string;
  migrations: string;
  /** The disk failed in a way that this process cannot recover from: it must stop. */
  onFailure?: (error: Error) => void;
}): Store {
  const { database, migrations, onFailure } = options;
  return openSqliteStore({ file: database, migrations, onSyncFailure: onFailure ?? stop });
}

function stop(error: Error): never {
  throw new Error('the disk could not be synced', { cause: error });
}
