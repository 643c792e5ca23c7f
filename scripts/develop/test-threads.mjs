import { EventEmitter } from 'node:events';
import { openThread as open } from '../../src/threads.ts';

// Replaces src/threads.ts (see quick-modules.mjs). A thread that checks policies takes a second of processor time until its first answer, and each
// service starts one or two: hundreds in a run of the tests. It keeps nothing between two jobs, so that the next service of the process goes on
// with the thread of one that has ended, as long as it waits for a job.

export * from '../../src/threads.ts';

/** Threads that nobody uses, by what they were started with. */
const kept = new Map();

export function openThread(name, source, options) {
  // A test of threads sets other limits, and counts what is started and ended.
  if (name !== 'check-thread' || !options?.resourceLimits?.maxOldGenerationSizeMb)
    return open(name, source, options);
  const key = JSON.stringify([name, source, options]);
  return new Borrowed(kept.get(key)?.pop() ?? open(name, source, options), key);
}

/** What the service knows of a thread, which ends for the service alone when it has answered each message. */
class Borrowed extends EventEmitter {
  #thread;
  #key;
  #unanswered = 0;
  #hasEnded = false;

  constructor(thread, key) {
    super();
    this.#thread = thread;
    this.#key = key;
    thread.removeAllListeners();
    thread.on('message', (message) => {
      this.#unanswered -= 1;
      this.emit('message', message);
    });
    thread.on('error', (error) => this.emit('error', error));
    thread.on('exit', (code) => {
      this.#hasEnded = true;
      this.emit('exit', code);
    });
  }

  ref() {
    this.#thread.ref();
  }

  unref() {
    this.#thread.unref();
  }

  postMessage(message) {
    this.#unanswered += 1;
    this.#thread.postMessage(message);
  }

  async terminate() {
    if (this.#hasEnded) return 0;
    if (this.#unanswered > 0) return this.#thread.terminate();
    this.#hasEnded = true;
    const [thread, waiting] = [this.#thread, kept.get(this.#key) ?? []];
    kept.set(this.#key, waiting);
    thread.removeAllListeners();
    thread.on('error', () => undefined);
    thread.on('exit', () => waiting.includes(thread) && waiting.splice(waiting.indexOf(thread), 1));
    thread.unref();
    waiting.push(thread);
    this.emit('exit', 0);
    return 0;
  }
}
