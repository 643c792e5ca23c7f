import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { errorText, rpcCodes } from '../../mcp-proxy/message.ts';
import { eventText, type ServerEvent } from './event-stream.ts';

/** How often an idle stream shows that it is alive: below the idle limits of common proxies. */
const heartbeatMs = 15_000;

/** The reply to one request of a client: one message, or a stream of events. */
export class ClientReply {
  readonly #reply: FastifyReply;
  readonly #onStream: () => void;
  #stream: PassThrough | null = null;
  /** The response to the request, which is not sent yet. */
  #answer: string | null = null;

  /** `onStream` is called once, when a stream begins. */
  constructor(reply: FastifyReply, onStream: () => void) {
    this.#reply = reply;
    this.#onStream = onStream;
  }

  /** Sends before the server was asked: a response, or the progress of a call that waits. */
  back = (text: string): void => {
    if ('method' in JSON.parse(text)) {
      if (this.#acceptsEvents) void this.event({ data: text });
    } else this.#answer = text;
  };

  get isStream(): boolean {
    return this.#stream !== null;
  }

  get #acceptsEvents(): boolean {
    return /text\/event-stream|\*\/\*/.test(this.#reply.request.headers.accept ?? '');
  }

  begin(): PassThrough {
    if (this.#stream) return this.#stream;
    const stream = new PassThrough();
    this.#stream = stream;
    const heartbeat = setInterval(() => {
      if (!stream.writableNeedDrain) stream.write(': heartbeat\n\n');
    }, heartbeatMs).unref();
    stream.once('close', () => clearInterval(heartbeat)).on('error', () => undefined);
    // Headers leave with the first bytes.
    stream.write(': open\n\n');
    void this.#reply
      .code(200)
      .type('text/event-stream')
      .header('cache-control', 'no-store')
      .header('x-accel-buffering', 'no')
      .send(stream);
    this.#onStream();
    return stream;
  }

  /** Resolves when there is room for more: the buffer of a client is bounded. */
  async event(event: ServerEvent): Promise<void> {
    const stream = this.begin();
    if (stream.destroyed || stream.write(eventText(event))) return;
    await Promise.race([once(stream, 'drain'), once(stream, 'close')]).catch(() => undefined);
  }

  /** Ends with a message, where there is one. A stream has its status already. */
  end(status: number, text: string | null): void {
    if (this.#stream) {
      if (text !== null && !this.#stream.destroyed) this.#stream.write(eventText({ data: text }));
      this.#stream.end();
      return;
    }
    const reply = this.#reply.code(text === null && status === 200 ? 202 : status);
    if (text === null) void reply.send();
    else void reply.type('application/json; charset=utf-8').send(text);
  }

  refuse(status: number, message: string, code: number = rpcCodes.stopped): void {
    this.end(status, errorText(null, code, message));
  }

  /** Ends with the response that `back` was given. In revision 2026-07-28 an unknown method has a status, too. */
  endWithAnswer(isModern: boolean): void {
    const text = this.#answer;
    if (text === null) {
      this.end(202, null);
      return;
    }
    const { id, error } = JSON.parse(text) as { id: unknown; error?: { code: number } };
    const isUnknown = isModern && error?.code === rpcCodes.methodNotFound;
    this.end(isUnknown ? 404 : id === null ? 400 : 200, text);
  }
}
