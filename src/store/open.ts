import { openSqliteStore } from './sqlite/store.ts';
import type { Store } from './store.ts';

/** The one place that names a backend. */
export function openStore(options: {
  database: string;
  migrations: string;
  /** The disk failed in a way that this process cannot recover from: it must stop. */
  onFailure?: (error: Error) => void;
  /** Work in the background failed, nothing is lost, and it is tried again. */
  onTrouble?: (error: Error) => void;
}): Store {
  const { database, migrations, onFailure = stop, onTrouble = () => undefined } = options;
  return openSqliteStore({ file: database, migrations, onSyncFailure: onFailure, onTrouble });
}

function stop(error: Error): never {
  throw new Error('the disk could not be synced', { cause: error });
}
