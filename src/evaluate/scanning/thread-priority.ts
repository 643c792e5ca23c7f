import { readlinkSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

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
