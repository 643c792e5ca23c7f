import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Bodies that are read at the same time only to be discarded. */
const concurrency = 4;
/** How long one may take, so that a slow sender holds up no other; milliseconds. */
const drainMs = 250;
/** How long a connection may wait for its turn; milliseconds. */
const longestWaitMs = 5_000;

/**
 * Answers that leave before the body of their request has arrived, as refusals do, end their connection. The rest of
 * the body is discarded, a few connections at a time: reading all of them at once would hold up other callers, and
 * closing at once would reset the connection, so that many clients would lose the answer.
 */
export function discardUnreadBodies(app: FastifyInstance): void {
  const waiting = new Set<Turn>();
  let draining = 0;

  const next = (): void => {
    for (const turn of waiting) {
      if (draining >= concurrency) return;
      waiting.delete(turn);
      draining++;
      turn.drain(() => {
        draining--;
        next();
      });
    }
  };
  app.addHook('onSend', (request, reply, payload, done) => {
    const { raw } = request;
    if (raw.complete === false && !raw.socket.destroyed) {
      reply.header('connection', 'close');
      // What Node calls once the answer is written; its own closes at once.
      raw.socket.destroySoon = () => {
        const turn = new Turn(raw);
        waiting.add(turn);
        raw.socket.once('close', () => {
          waiting.delete(turn);
          turn.end();
        });
        next();
      };
    }
    done(null, payload);
  });
}

/** One connection whose answer is written and whose request is not yet received. */
class Turn {
  readonly #request: IncomingMessage;
  readonly #socket: Socket;
  #timer: NodeJS.Timeout;
  #onEnd: (() => void) | null = null;

  constructor(request: IncomingMessage) {
    this.#request = request;
    this.#socket = request.socket;
    this.#socket.end();
    this.#socket.pause();
    this.#timer = setTimeout(() => this.#socket.destroy(), longestWaitMs);
  }

  drain(onEnd: () => void): void {
    this.#onEnd = onEnd;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#socket.destroy(), drainMs);
    this.#request.once('end', () => this.#socket.destroy()).resume();
    this.#socket.resume();
  }

  /** Must be called when the connection is closed. */
  end(): void {
    clearTimeout(this.#timer);
    this.#onEnd?.();
    this.#onEnd = null;
  }
}
