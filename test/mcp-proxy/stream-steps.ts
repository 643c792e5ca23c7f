import { setImmediate } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import { createEvaluator } from '../../src/cli/mcp/wrap.ts';
import { createAssizeClient } from '../../src/client/index.ts';
import { readEvents } from '../../src/mcp/proxy/event-stream.ts';
import { createProxy } from '../../src/mcp-proxy/proxy.ts';
import { longestStep } from '../helpers/longest-step.ts';

// The longest step of the event loop for each of these streams of a server, in a thread of its own: in the thread of a test, tap follows every
// promise, which takes longer than the proxy.

export interface StreamStep {
  words: string;
  /** Milliseconds of processor time. */
  step: number;
}

const event = (message: object): string => `data: ${JSON.stringify(message)}\n\n`;
const notice = { jsonrpc: '2.0', method: 'notifications/message', params: { data: 'x' } };
const streams: [words: string, part: string, end?: string][] = [
  ['lines that say nothing', ':\n', '\n'],
  ['lines of data', 'data\n', '\n'],
  ['events that are no messages', 'data:x\n\n'],
  ['events that are only places', 'id:1\n\n'],
  ['responses that nobody asked for', event({ jsonrpc: '2.0', id: 7, result: {} })],
  ['requests that clients do not have', event({ jsonrpc: '2.0', id: 1, method: 'x' })],
  ['notices', event(notice)],
];

// Nothing here is evaluated, so that nothing is sent.
const client = createAssizeClient({ url: 'http://127.0.0.1:1', apiKey: `asz_live_${'a'.repeat(43)}` });
const proxy = createProxy({
  server: 'crm',
  evaluator: createEvaluator(client, { server: 'crm', conversation: 'c-1', limitMs: 5_000 }),
  waitMs: 0,
  masks: false,
  toolList: 'hide',
  log: () => undefined,
});

const steps: StreamStep[] = [];
for (const [words, part, end = ''] of streams) {
  const size = end === '' ? 300_000 : 4_000_000;
  const bytes = Buffer.from(part.repeat(size / part.length) + end);
  async function* body() {
    for (let at = 0; at < bytes.length; at += 65_536) {
      await setImmediate();
      yield bytes.subarray(at, at + 65_536);
    }
  }
  const step = await longestStep(async () => {
    for await (const { data } of readEvents(body(), 4_194_304))
      await proxy.receive('server', data ?? '', () => undefined);
  });
  steps.push({ words, step });
}
parentPort?.postMessage(steps);
