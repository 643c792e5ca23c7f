import { readlinkSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { getAsset, isSea } from 'node:sea';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/**
 * Starts the thread whose code is the module `name`: beside `source` (the caller's `import.meta.url`) when run from
 * sources, an entry of the bundle otherwise.
 */
export function openThread(name: string, source: string, options: WorkerOptions = {}): Worker {
  // The script of the single binary starts its threads, too, by the name of what they run.
  if (isSea()) return new Worker(getAsset('main.js', 'utf8'), { ...options, eval: true, argv: [name], name });
  const type = source.endsWith('.ts') ? 'ts' : 'js';
  return new Worker(new URL(`./${name}.${type}`, source), { ...options, name });
}

/**
 * Gives way to the event loop: on two cores, threads that scan would otherwise slow the responses to small requests. `by` is added to the
 * priority that the process was started with (a higher number gives way). Linux sets priorities by thread (setpriority(2), "C
 * library/kernel differences"); elsewhere this does nothing.
 */
export function lowerThreadPriority(by: number = constants.priority.PRIORITY_BELOW_NORMAL): void {
  if (process.platform !== 'linux') return;
  try {
    // "PID/task/TID" of the thread that reads it
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    setPriority(thread, Math.min(constants.priority.PRIORITY_LOW, getPriority() + by));
  } catch {
    // without /proc or the permission, scans run at the priority of all
  }
}
