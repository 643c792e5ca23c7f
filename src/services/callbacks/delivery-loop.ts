/** Attempts that come due in the store: one look at a time, and another one as soon as something may have changed. */
export interface DeliveryLoop {
  /** Looks now, and from then on whenever something becomes due. */
  start(): void;
  /** Looks at once; must be called after something became due. */
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
  /** Called when the store fails; the loop goes on. */
  onError: (error: unknown) => void;
}): DeliveryLoop {
  const { look, onError } = deps;
  const inProgress = new Set<Promise<void>>();
  let looking: Promise<void> | null = null;
  let again = false;
  let stopped = true;
  let timer: NodeJS.Timeout | undefined;

  function wake(): void {
    if (stopped) return;
    if (looking) {
      again = true;
      return;
    }
    again = false;
    clearTimeout(timer);
    looking = look()
      .catch((error: unknown) => {
        onError(error);
        return afterFailureMs;
      })
      .then((ms) => {
        looking = null;
        if (again) wake();
        else if (!stopped) timer = setTimeout(wake, ms).unref();
      });
  }

  return {
    start() {
      stopped = false;
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
