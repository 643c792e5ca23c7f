import { dayMs, minuteMs } from '../schemas/durations.ts';
import type { ClockReading, Store } from '../store/store.ts';

/**
 * The time that sessions, approvals and retention go by. It never runs backwards, over restarts included: set back, the
 * system's clock would make expired sessions and approvals live again.
 */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Whether the system's clock jumped ahead by more than a day and no operator has confirmed it. */
  isHeld(): Promise<boolean>;
  /** Keeps the time that was seen last. Never rejects. */
  stop(): Promise<void>;
}

export interface ClockOptions {
  store: Pick<Store, 'clock'>;
  /** The system's clock: milliseconds since 1970. */
  system: () => number;
  /** Milliseconds since any moment, by a clock that nobody can set. */
  elapsed: () => number;
  onJump: (from: number, to: number) => void;
  /** The system's clock is behind what was seen before by more than a minute. */
  onBehind: (latest: number, system: number) => void;
  onError: (error: unknown) => void;
}

const lookEveryMs = 1_000;

/**
 * While the system's clock is behind, time goes on from where it was as fast as it passes: were it to stand still, nothing
 * would expire until the system's clock has caught up.
 */
export async function openClock(options: ClockOptions): Promise<Clock> {
  const { system, elapsed, onError } = options;
  const store = options.store.clock;
  const { latestAt } = await store.find();
  let latest = latestAt || system();
  let jumpedFrom: number | null = null;
  let seen = { at: latest, elapsed: elapsed() };
  let keptAt = latest;
  let isBehind = false;

  function now(): number {
    const at = system();
    // Cheap, because every request asks: less than a day ahead, and not behind.
    if (at < latest || at - latest >= dayMs) return compare(at);
    latest = at;
    return at;
  }

  function compare(at: number): number {
    const passed = Math.floor(seen.at + elapsed() - seen.elapsed);
    const known = Math.max(latest, passed);
    if (at - known > dayMs) {
      jumpedFrom = known;
      options.onJump(known, at);
    }
    latest = Math.max(known, at);
    return latest;
  }

  function look(): void {
    seen = { at: now(), elapsed: elapsed() };
    const wasBehind = isBehind;
    isBehind = latest - system() > minuteMs;
    if (isBehind && !wasBehind) options.onBehind(latest, system());
    // Changes keep it themselves; this is for a service that only answers reads.
    if (latest - keptAt < minuteMs) return;
    keptAt = latest;
    store.keep().catch(onError);
  }

  const reading = (): ClockReading => ({ latestAt: latest, jumpedFrom });
  store.follow(reading);
  look();
  const timer = setInterval(look, lookEveryMs).unref();

  return {
    now,
    async isHeld() {
      now();
      return (await store.keep()).retentionHeldAt !== null;
    },
    async stop() {
      clearInterval(timer);
      now();
      await store.keep().catch(() => undefined);
    },
  };
}
