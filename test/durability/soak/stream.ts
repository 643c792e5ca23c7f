import { setTimeout } from 'node:timers/promises';
import { operatorKey } from '../process.ts';

/** A reader of the event stream that connects again and again, and must be told of each event once, in order. */
export function followEvents(url: string) {
  const ending = new AbortController();
  const wrong: string[] = [];
  let [last, events, connections] = [0, 0, 0];

  function read(message: string): void {
    if (/^event: gap$/m.test(message)) wrong.push(`the stream has a gap after ${last}`);
    const data = /^data: (.*)$/m.exec(message)?.[1];
    if (data === undefined || /^event: /m.test(message)) return;
    const sequence = Number(JSON.parse(data).sequence);
    if (last !== 0 && sequence !== last + 1) wrong.push(`the stream went from ${last} to ${sequence}`);
    last = sequence;
    events += 1;
  }

  async function connect(): Promise<void> {
    const position = last === 0 ? '?after=0' : '';
    const response = await fetch(`${url}/v1/events${position}`, {
      headers: {
        authorization: `Bearer ${operatorKey}`,
        ...(last !== 0 && { 'last-event-id': String(last) }),
      },
      signal: ending.signal,
    });
    if (!response.ok || !response.body) return;
    connections += 1;
    let rest = '';
    for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
      const messages = (rest + text).split('\n\n');
      rest = messages.pop() ?? '';
      for (const message of messages) read(message);
    }
  }

  async function follow(): Promise<void> {
    while (!ending.signal.aborted) {
      // The service is gone, or goes away: it is there again soon.
      await connect().catch(() => undefined);
      await setTimeout(100);
    }
  }
  const following = follow();
  return {
    wrong,
    get last() {
      return last;
    },
    get events() {
      return events;
    },
    get connections() {
      return connections;
    },
    async close() {
      ending.abort();
      await following;
    },
  };
}
