import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { Test } from 'tap';

export interface ReadMessage {
  id?: string;
  event?: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read what was sent the way clients do
  data?: any;
}

/** Reads server-sent events of a listening app. */
export async function readStream(t: Test, url: string, key: string, headers: Record<string, string> = {}) {
  const sent: ClientRequest = request(url, { headers: { authorization: `Bearer ${key}`, ...headers } });
  sent.on('error', () => undefined).end();
  t.teardown(() => sent.destroy());
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const messages: ReadMessage[] = [];
  const wake = new Set<() => void>();
  let text = '';
  let ended = false;
  const tell = () => {
    for (const go of [...wake]) go();
  };
  response.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    const parts = text.split('\n\n');
    text = parts.pop() ?? '';
    for (const part of parts) messages.push(messageOf(part));
    tell();
  });
  response
    .on('error', () => undefined)
    .on('close', () => {
      ended = true;
      tell();
    });
  const change = () =>
    new Promise<void>((resolve) => {
      const go = () => {
        wake.delete(go);
        resolve();
      };
      wake.add(go);
    });
  return {
    response,
    /** All messages so far, heartbeats included. */
    messages,
    close: () => void sent.destroy(),
    /** The first `count` messages with data. */
    async take(count: number): Promise<ReadMessage[]> {
      const withData = () => messages.filter(({ data }) => data !== undefined);
      while (withData().length < count && !ended) await change();
      return withData().slice(0, count);
    },
    async ended(): Promise<void> {
      while (!ended) await change();
    },
  };
}

function messageOf(part: string): ReadMessage {
  const message: ReadMessage = {};
  for (const line of part.split('\n')) {
    if (line.startsWith('id: ')) message.id = line.slice(4);
    if (line.startsWith('event: ')) message.event = line.slice(7);
    if (line.startsWith('data: ')) message.data = JSON.parse(line.slice(6));
  }
  return message;
}
