import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import { AppError } from '../../../errors.ts';
import { openThread } from '../../../threads.ts';
import type { Query, QueryResponse, QueryThreadData } from './query-thread.ts';

/** Asks PostgreSQL and waits for the response, with the event loop: for threads that have nothing else to do. It cannot write. */
export interface BlockingClient {
  all<Row>(text: string, values?: readonly unknown[]): Row[];
  close(): void;
}

const longestMs = 70_000;

export function openBlockingClient(address: string): BlockingClient {
  const { port1, port2 } = new MessageChannel();
  const responded = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const workerData: QueryThreadData = { address, port: port2, responded };
  const thread = openThread('query-thread', import.meta.url, { workerData, transferList: [port2] });
  thread.unref();

  return {
    all<Row>(text: string, values: readonly unknown[] = []): Row[] {
      Atomics.store(responded, 0, 0);
      port1.postMessage({ text, values } satisfies Query);
      Atomics.wait(responded, 0, 0, longestMs);
      const response = receiveMessageOnPort(port1)?.message as QueryResponse | undefined;
      if (!response) throw new AppError('unavailable', 'the database did not answer in time');
      if ('error' in response)
        throw new AppError('unavailable', 'the store is not available', { cause: new Error(response.error) });
      return response.rows as Row[];
    },
    close() {
      port1.postMessage('close');
      port1.close();
    },
  };
}
