export interface PostgresServer {
  /** Of its database `postgres`, for its superuser. */
  address: string;
  port: number;
  readonly pid: number;
  /** Starts it again. */
  start(): Promise<void>;
  /** Ends all its processes at once. */
  kill(): Promise<void>;
  /** Makes a standby the primary. */
  promote(): void;
  stop(): Promise<void>;
}
type Settings = Record<string, string | number>;
export function startPostgres(settings?: Settings): Promise<PostgresServer>;
/** Starts a server that follows another one, under the name `standby`. */
export function startStandby(
  primary: Pick<PostgresServer, 'address'>,
  settings?: Settings,
): Promise<PostgresServer>;
