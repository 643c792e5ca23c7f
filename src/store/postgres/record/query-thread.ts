import { isMainThread, type MessagePort, workerData } from 'node:worker_threads';
import pg from 'pg';
import { connectionConfig } from '../client.ts';

/** The data that the thread is started with. */
export interface QueryThreadData {
  address: string;
  port: MessagePort;
  /** Set to 1, and notified, once a response is there. */
  responded: Int32Array;
}
export interface Query {
  text: string;
  values: readonly unknown[];
}
export type QueryResponse = { rows: Record<string, unknown>[] } | { error: string };

/** A replay reads a day in one go. */
const longestMs = 60_000;

// Runs only in the thread that a blocking client starts: importing this module elsewhere has no effect.
if (!isMainThread && (workerData as Partial<QueryThreadData> | null)?.responded)
  run(workerData as QueryThreadData);

function run({ address, port, responded }: QueryThreadData): void {
  const client = new pg.Client({
    ...connectionConfig(address),
    statement_timeout: longestMs,
    query_timeout: longestMs,
    options: '-c default_transaction_read_only=on',
  });
  // A connection that breaks while nothing is asked: the next query tells.
  client.on('error', () => undefined);
  const connected = client.connect();
  // Told with the first response.
  connected.catch(() => undefined);

  async function respond({ text, values }: Query): Promise<QueryResponse> {
    try {
      await connected;
      return { rows: (await client.query(text, [...values])).rows };
    } catch (error) {
      return { error: (error as Error).message };
    }
  }
  port.on('message', async (query: Query | 'close') => {
    if (query === 'close') {
      await client.end().catch(() => undefined);
      port.close();
      return;
    }
    port.postMessage(await respond(query));
    Atomics.store(responded, 0, 1);
    Atomics.notify(responded, 0);
  });
}
