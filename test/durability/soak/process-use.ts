import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Megabytes of memory that the process uses now. */
const memoryOf = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;
/** Files, sockets and pipes that it has open, each as the system names it without its number. */
export function handlesOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).flatMap((handle) => {
    try {
      return readlinkSync(`${folder}/${handle}`).replace(/\[\d+\]/, '');
    } catch {
      return []; // It was closed since.
    }
  });
}

/** The lowest tenth: a worker thread, which comes and goes, takes 50 MB. */
const floor = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 10)] ?? 0;

/** Looks every second how much memory a process uses, but for the seconds in which the caller looks through a database. */
export function watchMemory(pid: number) {
  const samples: number[] = [];
  const startedAt = performance.now();
  const timer = setInterval(() => samples.push(memoryOf(pid)), 1_000);
  return () => {
    clearInterval(timer);
    const quarter = Math.floor(samples.length / 4);
    return {
      seconds: Math.round((performance.now() - startedAt) / 1_000),
      /** Megabytes in the second quarter of the time, when caches are warm, and in the last. */
      before: Math.round(floor(samples.slice(quarter, 2 * quarter))),
      after: Math.round(floor(samples.slice(3 * quarter))),
    };
  };
}
