import { signal } from '@preact/signals';

/** Milliseconds since 1970 by the service's clock, moved on every second. */
export const now = signal(Date.now());

/** By how much the service's clock is ahead of this machine's, in milliseconds: reviews expire by the service's. */
let ahead = 0;
/** `Date` has whole seconds and travelled: a smaller difference says nothing. */
const leastSkewMs = 2_000;

export function noteServerTime(date: string | null): void {
  const at = Date.parse(date ?? '');
  if (Number.isNaN(at)) return;
  const skew = at - Date.now();
  const next = Math.abs(skew) < leastSkewMs ? 0 : skew;
  if (Math.abs(next - ahead) >= leastSkewMs) ahead = next;
}

export function startClock(): void {
  setInterval(() => {
    now.value = Date.now() + ahead;
  }, 1_000);
}
