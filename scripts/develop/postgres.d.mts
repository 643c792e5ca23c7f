import type { ChildProcess } from 'node:child_process';

export interface PostgresServer {
  /** Of its database `postgres`, for its superuser. */
  address: string;
  /** Its data folder. */
  data: string;
  process: ChildProcess;
  stop(): Promise<void>;
}
export function startPostgres(settings?: Record<string, string | number>): Promise<PostgresServer>;
