import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import { AppError } from '../../errors.ts';
import { openThread } from '../../threads.ts';
import type { Answer, Query, QueryThreadData } from './query-thread.ts';

/** Asks PostgreSQL and waits for the answer, with the event loop: for threads that have nothing else to do. It cannot write. */
export interface BlockingClient {
  all<Row>(text: string, values?: readonly unknown[]): Row[];
  close(): void;
}

const longestMs = 70_000;

export function openBlockingClient(address: string): BlockingClient {
  const { port1, port2 } = new MessageChannel();
  const answered = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const workerData: QueryThreadData = { address, port: port2, answered };
  const thread = openThread('query-thread', import.meta.url, { workerData, transferList: [port2] });
  thread.unref();

  return {
    all<Row>(text: string, values: readonly unknown[] = []): Row[] {
      Atomics.store(answered, 0, 0);
      port1.postMessage({ text, values } satisfies Query);
      Atomics.wait(answered, 0, 0, longestMs);
      const answer = receiveMessageOnPort(port1)?.message as Answer | undefined;
      if (!answer) throw new AppError('unavailable', 'the database did not answer in time');
      if ('error' in answer)
        throw new AppError('unavailable', 'the store is not available', { cause: new Error(answer.error) });
      return answer.rows as Row[];
    },
    close() {
      port1.postMessage('close');
      port1.close();
    },
  };
}
