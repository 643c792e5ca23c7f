import { openSqliteStore } from './sqlite/store.ts';
import type { Store } from './store.ts';

/** The one place that names a backend. */
export function openStore(options: {
  database: string;
  migrations: string;
  /** The disk failed in a way that this process cannot recover from: it must stop. */
  onFailure?: (error: Error) => void;
  /** The files were moved, replaced or deleted while in use: nothing more is written or answered until a restart. */
  onFilesLost?: (error: Error) => void;
  /** Keeps space on the disk for revocations, ends of sessions and what operators do. For what serves: it is a file of 8 MB. */
  keepsReserve?: boolean;
  /** The disk is full, and only what the reserve is for is recorded; or it has space again. */
  onDiskFull?: (isFull: boolean) => void;
  /** Work in the background failed, nothing is lost, and it is tried again. */
  onTrouble?: (error: Error) => void;
}): Store {
  const {
    database,
    migrations,
    onFailure = stop,
    onFilesLost = () => undefined,
    keepsReserve = false,
    onDiskFull = () => undefined,
    onTrouble = () => undefined,
  } = options;
  return openSqliteStore({
    file: database,
    migrations,
    onSyncFailure: onFailure,
    onFilesLost,
    keepsReserve,
    onDiskFull,
    onTrouble,
  });
}

function stop(error: Error): never {
  throw new Error('the disk could not be synced', { cause: error });
}
