import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

/**
 * Parts of up to 64 KB that are read in a millisecond, and at most in one turn: up to 256 MB a second, for a tenth of the event
 * loop's time, also when its turns are long.
 */
const partsPerMs = 4;
const partsPerTurn = 32;
const turnEveryMs = 1;
/** How long a sender whose turn it is may send nothing, and how long all of it may take; milliseconds. */
const longestSilenceMs = 2_000;
const longestDrainMs = 20_000;

/**
 * Responses that leave before the body of their request has arrived, as refusals do, end their connection. Closing at once
 * would reset the connection, and many clients would lose the response. So the rest of the body is read and discarded,
 * slowly: reading as fast as it comes would hold up other callers.
 */
export function discardUnreadBodies(app: FastifyInstance): void {
  const drains = new Drains();
  app.addHook('onSend', ({ raw }, reply, payload, done) => {
    // Undefined outside of a connection.
    if (raw.complete !== false) return done(null, payload);
    // Often the body has come with the headers, and is parsed once this callback returns. Such a connection stays open: a
    // caller that is refused again and again must not cost a new connection each time.
    setImmediate(() => {
      if (raw.complete === false && !raw.socket.destroyed) {
        reply.header('connection', 'close');
        // Node calls this once the response is written; its own closes at once.
        raw.socket.destroySoon = () => drains.add(raw);
      }
      done(null, payload);
    });
  });
}

/** Connections whose response is written and whose request is not yet received. Each reads one part, then waits again. */
class Drains {
  /** With the timer that cuts a silent sender off. */
  readonly #waiting = new Map<IncomingMessage, NodeJS.Timeout>();
  #timer: NodeJS.Timeout | null = null;
  #lastTurn = 0;

  add(request: IncomingMessage): void {
    const { socket } = request;
    const close = (): void => void socket.destroy();
    const silence = setTimeout(() => {
      if (this.#waiting.has(request)) silence.refresh();
      else close();
    }, longestSilenceMs);
    const end = setTimeout(close, longestDrainMs);
    socket.end();
    socket.once('close', () => {
      clearTimeout(silence);
      clearTimeout(end);
      this.#waiting.delete(request);
    });
    request
      .pause()
      .on('data', () => {
        request.pause();
        this.#wait(request, silence);
      })
      .once('end', close);
    this.#wait(request, silence);
  }

  #wait(request: IncomingMessage, silence: NodeJS.Timeout): void {
    this.#waiting.set(request, silence);
    this.#timer ??= setTimeout(() => this.#turn(), turnEveryMs);
  }

  #turn(): void {
    this.#timer = null;
    const now = performance.now();
    let left = Math.min(Math.ceil((now - this.#lastTurn) * partsPerMs), partsPerTurn);
    this.#lastTurn = now;
    for (const [request, silence] of this.#waiting) {
      if (left-- === 0) break;
      this.#waiting.delete(request);
      silence.refresh();
      request.resume();
    }
    if (this.#waiting.size > 0) this.#timer = setTimeout(() => this.#turn(), turnEveryMs);
  }
}
