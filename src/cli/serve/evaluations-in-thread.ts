import type { Worker } from 'node:worker_threads';
import type { BesideContext } from '../../app.ts';
import type { Config } from '../../config/config.ts';
import { AppError } from '../../errors.ts';
import type { DecisionObserver, EvaluationOptions, Evaluations } from '../../evaluate/evaluate.ts';
import { largeText } from '../../evaluate/scanning/scan-pool.ts';
import type { EvaluateResult } from '../../schemas/evaluations.ts';
import { RotatingQueue } from '../../services/fairness.ts';
import type { CommitObserver, Store, StoredEvent } from '../../store/store.ts';
import { openThread } from '../../threads.ts';
import {
  type Answer,
  type FromThread,
  type Observed,
  type SentEvaluation,
  type SentOptions,
  unpackError,
} from './evaluation-messages.ts';
import type { EvaluationThreadData } from './evaluation-thread.ts';

/** Evaluates in a thread beside the event loop, which is left to HTTP. */
export interface EvaluationsInThread extends Evaluations {
  /** Resolves when the thread has recorded what it was sent and has closed its store. */
  close(): Promise<void>;
}

interface Options extends BesideContext {
  config: Config;
  /** Whether the first evaluation starts the thread; otherwise the first busy second does. */
  atOnce: boolean;
  /** The counter of the thread's turns. */
  turns: Int32Array;
  /** Whether nothing but urgent changes may be written. */
  isDiskFull: () => boolean;
  commits: CommitObserver | undefined;
  onEvents: (events: readonly StoredEvent[]) => void;
}

/** With `auto`, the thread is started when this many evaluations arrive within a second. Fewer take less than a third of a core. */
const busyPerSecond = 1_000;
/** Evaluations that the thread has at once: a full transaction, and as many again. Further evaluations wait, and callers take turns. */
const mostSent = 128;
/** Evaluations in one message at most: the thread works on the first ones while the event loop reads further requests. */
const mostTogether = 8;

type Response = Awaited<ReturnType<Evaluations['evaluate']>>;

interface Waiting {
  readonly sent: SentEvaluation;
  resolve(response: Response | Promise<Response>): void;
  reject(error: unknown): void;
  /** Evaluates on the event loop instead. */
  again(): void;
}

/**
 * One piece of code decides in both: the thread has a store and services of its own on the same file, as a second process
 * would, and SQLite lets one of them write at a time. What is large, previewed or unusual is evaluated on the event loop.
 */
export function createEvaluationsInThread(options: Options): EvaluationsInThread {
  const { local, atOnce, isDiskFull, onError } = options;
  const waiting = new RotatingQueue<Waiting>();
  const sent = new Map<number, Waiting>();
  let outbox: SentEvaluation[] = [];
  let thread: Worker | null = null;
  let exited: Promise<unknown> | null = null;
  let isReady = false;
  /** After it failed, what it has committed may not be on disk: nothing is decided any more, and the process ends. */
  let hasFailed = false;
  let lastId = 0;
  let second = 0;
  let inSecond = 0;

  function isBusy(): boolean {
    const now = Math.floor(performance.now() / 1_000);
    if (now !== second) inSecond = 0;
    second = now;
    return ++inSecond >= busyPerSecond;
  }

  function start(): Worker {
    const workerData: EvaluationThreadData = {
      config: options.config,
      observes: { decisions: options.observer !== undefined, commits: options.commits !== undefined },
      timeOrigin: performance.timeOrigin,
      turns: options.turns,
    };
    const started = openThread('evaluation-thread', import.meta.url, { workerData });
    started.unref();
    started.on('message', (message: FromThread) => receive(message));
    started.on('error', (error) => {
      if (!isReady) return onError(error);
      refuseAll();
      // Ends the process, as an uncaught error on the event loop does.
      throw error;
    });
    exited = new Promise((resolve) => started.once('exit', resolve));
    return started;
  }

  /** Requests that wait for a response would hold up the end of the process. */
  function refuseAll(): void {
    hasFailed = true;
    for (const { reject } of sent.values()) reject(failed());
    sent.clear();
    for (let next = waiting.take(); next; next = waiting.take()) next.reject(failed());
  }

  function receive(message: FromThread): void {
    switch (message.kind) {
      case 'ready':
        isReady = true;
        options.onReady();
        break;
      case 'answers':
        for (const one of message.observed) observe(one);
        for (const one of message.answers) answer(one);
        sendNext();
        break;
      case 'events':
        options.onEvents(message.events);
        break;
      case 'unprotected':
        options.onUnprotected(message.integrations, message.message);
        break;
      case 'trouble':
        onError(unpackError(message.error));
    }
  }

  function answer({ id, text, replayed, error }: Answer): void {
    const pending = sent.get(id);
    if (!pending) return;
    sent.delete(id);
    if (!error) pending.resolve(answered({ text, replayed }));
    // Nothing was recorded. The event loop's store knows of a full disk, and what may be written on it.
    else if (error.app?.code === 'unavailable') pending.again();
    else pending.reject(unpackError(error));
  }

  function observe(one: Observed): void {
    if (one.of === 'committed') options.commits?.committed(one.changes, one.seconds);
    else if (one.of === 'synced') options.commits?.synced(one.seconds);
    else options.observer?.decided(...(one.decision as Parameters<DecisionObserver['decided']>));
  }

  function sendNext(): void {
    while (sent.size < mostSent) {
      const next = waiting.take();
      if (!next) return;
      sent.set(next.sent.id, next);
      // One message for all that a turn of the event loop brings.
      if (outbox.length === 0) setImmediate(send);
      outbox.push(next.sent);
      if (outbox.length === mostTogether) send();
    }
  }

  function send(): void {
    if (outbox.length === 0) return;
    const message = outbox;
    outbox = [];
    thread?.postMessage(message);
  }

  function inThread(...asked: Parameters<Evaluations['evaluate']>): Promise<Response> {
    const [{ keyHash }, , { text, ...rest }] = asked;
    return new Promise((resolve, reject) => {
      const one = {
        id: ++lastId,
        keyHash,
        text,
        beganAt: performance.now(),
        options: sentOptions(rest),
      };
      const again = (): void => resolve(local.evaluate(...asked));
      waiting.add(keyHash, { sent: one, resolve, reject, again });
      sendNext();
    });
  }

  const isForThread = (options: EvaluationOptions): boolean =>
    isReady &&
    options.isPlain === true &&
    options.previews === undefined &&
    options.onScanned === undefined &&
    options.text.length <= largeText &&
    !isDiskFull();

  return {
    evaluate(caller, request, options) {
      if (hasFailed) return Promise.reject(failed());
      if (isForThread(options)) return inThread(caller, request, options);
      if (thread === null && (isBusy() || atOnce)) thread = start();
      return local.evaluate(caller, request, options);
    },
    async close() {
      const last = thread;
      if (!last) return;
      last.ref();
      last.postMessage('close');
      await exited;
    },
  };
}

const failed = (): AppError =>
  new AppError('unavailable', 'evaluations have stopped: the service restarts', { retryAfterSeconds: 1 });

function sentOptions({
  redact,
  idempotencyKey,
  trace = null,
  identityToken = null,
}: Omit<EvaluationOptions, 'text'>): SentOptions | null {
  const isUsual = !redact && idempotencyKey === null && trace === null && identityToken === null;
  return isUsual ? null : { redact, idempotencyKey, trace, identityToken };
}

/** The store, whose listeners are told of the thread's events, too. */
export function relayEvents(store: Store): { store: Store; tell(events: readonly StoredEvent[]): void } {
  const listeners: ((events: readonly StoredEvent[]) => void)[] = [];
  const tell = (events: readonly StoredEvent[]): void => {
    for (const listener of listeners) listener(events);
  };
  store.events.onAppended(tell);
  const onAppended: Store['events']['onAppended'] = (listener) => void listeners.push(listener);
  return { store: { ...store, events: { ...store.events, onAppended } }, tell };
}

/** REST needs the text alone. */
const answered = ({ text, replayed }: Pick<Answer, 'text' | 'replayed'>): Response => ({
  text: text as string,
  replayed,
  get data(): EvaluateResult {
    return JSON.parse(this.text) as EvaluateResult;
  },
});
