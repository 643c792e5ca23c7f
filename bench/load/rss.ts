import { readFileSync } from 'node:fs';

/** Follows the resident memory of a process, every 20 ms; the largest so far in MB since it was last asked. */
export function followRss(pid: number): { peakMb(): number; stop(): void } {
  let peak = 0;
  const look = (): void => {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    peak = Math.max(peak, Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1_024);
  };
  const timer = setInterval(() => {
    try {
      look();
    } catch {
      clearInterval(timer);
    }
  }, 20);
  return {
    peakMb() {
      const now = peak;
      peak = 0;
      return now;
    },
    stop: () => clearInterval(timer),
  };
}
