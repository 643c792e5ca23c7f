import { writeSync } from 'node:fs';
import type { Debugger } from 'node:inspector';
import { isMainThread, workerData } from 'node:worker_threads';
import { exitCodes } from '../exit.ts';
import { readable } from './terminal-log.ts';
import { tickMs, type WatchdogData } from './watchdog.ts';

// The thread of `watchdog.ts`.

/** How long a thread in native code, which no debugger can pause, has until the process is killed without a stack. */
const pauseMs = 2_000;
/** How long the kernel has to kill the process. */
const killMs = 500;
const mostFrames = 50;

if (!isMainThread) watch(workerData as WatchdogData);

/**
 * Counts its own ticks and not the time: while a process is stopped, or its machine sleeps or has no processor for it, this
 * thread does not tick either.
 */
function watch({ turns, evaluationTurns, seconds, isTerminal, logs }: WatchdogData): void {
  const mostTicks = (seconds * 1_000) / tickMs;
  const ticksOfLoop = ticksSinceTurn(turns);
  const ticksOfEvaluations = ticksSinceTurn(evaluationTurns);
  setInterval(() => {
    if (ticksOfLoop() === mostTicks) readStack(turns, endProcess);
    const isStuck = ticksOfEvaluations() === mostTicks;
    // The debugger reaches the stack of the main thread only.
    if (isStuck && Atomics.load(evaluationTurns, 0) !== 0) endProcess(null);
  }, tickMs);

  function endProcess(stack: Stack | null): void {
    if (logs) write(lineOf(seconds, stack), isTerminal);
    // A thread cannot end its process with a code of its own: the paused event loop does.
    stack?.run(`process.reallyExit(${exitCodes.stuck})`);
    if (!stack) kill();
    else setTimeout(kill, pauseMs);
  }
}

/** Called once a tick: the ticks since the counter of a thread's turns last changed. */
function ticksSinceTurn(turns: Int32Array): () => number {
  let seen = 0;
  let ticks = 0;
  return () => {
    const now = Atomics.load(turns, 0);
    ticks = now === seen ? ticks + 1 : 0;
    seen = now;
    return ticks;
  };
}

/** Where the event loop stands, paused. */
interface Stack {
  text: string;
  /** Runs code on the event loop. */
  run(source: string): void;
}

/** Calls `then` unless the event loop turns again meanwhile: with null when it cannot be paused. */
function readStack(turns: Int32Array, then: (stack: Stack | null) => void): void {
  const seen = Atomics.load(turns, 0);
  const inspector = process.getBuiltinModule('node:inspector');
  const session = new inspector.Session();
  const timer = setTimeout(() => finish(null), pauseMs);
  const finish = (stack: Stack | null): void => {
    clearTimeout(timer);
    session.removeAllListeners();
    if (Atomics.load(turns, 0) === seen) then(stack);
    else session.disconnect();
  };
  session.connectToMainThread();
  const urls = new Map<string, string>();
  session.on('Debugger.scriptParsed', ({ params: { scriptId, url } }) => urls.set(scriptId, url));
  session.once('Debugger.paused', ({ params }) => {
    const run = (expression: string): void => session.post('Runtime.evaluate', { expression });
    const frames = params.callFrames.slice(0, mostFrames).map((frame) => frameText(frame, urls));
    finish({ text: frames.join('\n'), run });
  });
  session.post('Debugger.enable');
  session.post('Debugger.pause');
}

/** Names and places only: values would show content. */
function frameText(
  { functionName, location: { scriptId, lineNumber, columnNumber = 0 } }: Debugger.CallFrame,
  urls: ReadonlyMap<string, string>,
): string {
  const place = `${urls.get(scriptId) ?? ''}:${lineNumber + 1}:${columnNumber + 1}`;
  return `    at ${functionName || '<anonymous>'} (${place})`;
}

/** In the form of the service's log. */
function lineOf(seconds: number, stack: Stack | null): string {
  const message = `the event loop has not turned for ${seconds} seconds`;
  const text = stack ? `\n${stack.text}` : '\n    in native code, where it has no stack that could be read';
  return JSON.stringify({
    level: 60,
    time: Date.now(),
    err: { type: 'Stuck', message, stack: `Stuck: ${message}${text}` },
    msg: `${message}: the process ends, so that its supervisor starts it again`,
  });
}

function write(line: string, isTerminal: boolean): void {
  try {
    writeSync(1, isTerminal ? readable(line) : `${line}\n`);
  } catch {
    // A log that cannot be written, such as a full pipe, must not keep the process.
  }
}

/** The first process of a container gets no signal of its own, not even SIGKILL: it breaks instead. */
function kill(): void {
  process.kill(process.pid, 'SIGKILL');
  setTimeout(() => {
    process.getBuiltinModule('node:v8').setFlagsFromString('--allow-natives-syntax');
    process.getBuiltinModule('node:vm').runInThisContext('%SystemBreak()');
  }, killMs);
}
