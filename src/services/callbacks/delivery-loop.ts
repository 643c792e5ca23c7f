/** Attempts that come due in the store: one look at a time, and another one when something may have changed. */
export interface DeliveryLoop {
  /** Looks now, and from then on whenever something becomes due. */
  start(): void;
  /** Looks as soon as the pause after the last look is over; must be called after something became due. */
  wake(): void;
  /** Keeps an attempt that has begun; when it has ended, `ended` runs and the loop looks again. */
  track(attempt: Promise<void>, ended: () => void): void;
  readonly isStopped: boolean;
  /** Starts no further look; resolves after `abort` when all attempts have ended. */
  stop(abort: () => Promise<void>): Promise<void>;
}

/** The time until the next look after the store failed, in milliseconds. */
const afterFailureMs = 1_000;

export function createDeliveryLoop(deps: {
  /** Begins every attempt that is due and resolves with the milliseconds until the next look. */
  look: () => Promise<number>;
  /** The shortest time between the beginnings of two looks, in milliseconds: what comes meanwhile shares one look. */
  pauseMs?: number;
  /** Called when the store fails; the loop goes on. */
  onError: (error: unknown) => void;
}): DeliveryLoop {
  const { look, pauseMs = 0, onError } = deps;
  const inProgress = new Set<Promise<void>>();
  let looking: Promise<void> | null = null;
  let beganAt = Number.NEGATIVE_INFINITY;
  let awake = false;
  let stopped = true;
  let timer: NodeJS.Timeout | undefined;

  function wake(): void {
    if (stopped || awake) return;
    awake = true;
    if (!looking) lookSoon();
  }

  function lookSoon(): void {
    const leftMs = beganAt + pauseMs - performance.now();
    if (leftMs > 0) lookIn(leftMs);
    else begin();
  }

  function lookIn(ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(begin, ms).unref();
  }

  function begin(): void {
    clearTimeout(timer);
    awake = false;
    beganAt = performance.now();
    looking = look()
      .catch((error: unknown) => {
        onError(error);
        return afterFailureMs;
      })
      .then((ms) => {
        looking = null;
        if (stopped) return;
        if (awake) lookSoon();
        else lookIn(ms);
      });
  }

  return {
    start() {
      stopped = false;
      awake = false;
      wake();
    },
    wake,
    track(attempt, ended) {
      const sending = attempt.catch(onError).finally(() => {
        inProgress.delete(sending);
        ended();
        wake();
      });
      inProgress.add(sending);
    },
    get isStopped() {
      return stopped;
    },
    async stop(abort) {
      stopped = true;
      clearTimeout(timer);
      await abort();
      await looking;
      await Promise.all(inProgress);
    },
  };
}
