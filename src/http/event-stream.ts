import { once } from 'node:events';
import { PassThrough } from 'node:stream';

/** Server-sent events to one reader (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export interface EventStream {
  /** The body of the response. */
  body: PassThrough;
  /** Aborted when the reader is gone, or was told why it ends. */
  signal: AbortSignal;
  /** Sends them together. Resolves when there is room for more: what is held for a reader is bounded. */
  send(...messages: Message[]): Promise<void>;
  /** Tells the reader why, and ends the stream. */
  end(reason: string): void;
}

export interface Message {
  /** What a reader sends as `Last-Event-ID` when it comes back. */
  id?: string;
  /** Of messages that are no events of the log. */
  event?: string;
  /** A text is JSON already. */
  data?: object | string;
}

export interface EventStreamLimits {
  /** Bytes that are held for a reader beside what its connection takes. */
  bufferBytes: number;
  /** How long a reader may take nothing while its buffer is full, in milliseconds. */
  stallMs: number;
  /** How often an idle stream shows that it is alive, in milliseconds: below the idle limits of common proxies. */
  heartbeatMs: number;
}

export const usualStreamLimits: EventStreamLimits = {
  bufferBytes: 65_536,
  stallMs: 10_000,
  heartbeatMs: 15_000,
};

/** How long a reader has to take the reason of the end, in milliseconds. */
const farewellMs = 5_000;

export function openEventStream({ bufferBytes, stallMs, heartbeatMs }: EventStreamLimits): EventStream {
  const body = new PassThrough({ highWaterMark: bufferBytes });
  const ended = new AbortController();
  const heartbeat = setInterval(() => {
    if (!body.writableNeedDrain) body.write(': heartbeat\n\n');
  }, heartbeatMs).unref();
  const stop = (): void => {
    clearInterval(heartbeat);
    ended.abort();
  };
  body.once('close', stop).on('error', stop);

  function end(reason: string): void {
    if (ended.signal.aborted) return;
    stop();
    body.end(textOf({ event: 'end', data: { reason } }));
    const farewell = setTimeout(() => body.destroy(), farewellMs).unref();
    body.once('close', () => clearTimeout(farewell));
  }

  async function write(text: string): Promise<void> {
    if (ended.signal.aborted || body.write(text)) return;
    const stalled = setTimeout(() => end('too slow: resume with Last-Event-ID'), stallMs);
    // Aborted when the reader is gone: nothing is left to wait for.
    await once(body, 'drain', { signal: ended.signal }).catch(() => undefined);
    clearTimeout(stalled);
  }

  return {
    body,
    signal: ended.signal,
    end,
    async send(...messages) {
      let text = '';
      for (const [place, message] of messages.entries()) {
        text += textOf(message);
        if (place < messages.length - 1 && text.length < bufferBytes) continue;
        await write(text);
        text = '';
      }
    },
  };
}

/** JSON has no line breaks, so that one line of data holds it. */
function textOf({ id, event, data }: Message): string {
  const lines = [
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(data === undefined ? [] : [`data: ${typeof data === 'string' ? data : JSON.stringify(data)}`]),
  ];
  return `${lines.join('\n')}\n\n`;
}
