/** Background work that comes back at intervals. Calls of `sweep` while one is running share it. */
export interface Sweeper {
  /** Sweeps now, and from then on at each interval. */
  start(): void;
  sweep(): Promise<void>;
  /** Starts no further sweep, and waits for the running one. */
  stop(): Promise<void>;
}

export function createSweeper(deps: {
  run: () => Promise<void>;
  everyMs: number;
  /** Gets the errors of sweeps that `start` began. */
  onError: (error: unknown) => void;
}): Sweeper {
  const { run, everyMs, onError } = deps;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;

  function sweep(): Promise<void> {
    running ??= run().finally(() => {
      running = null;
    });
    return running;
  }

  return {
    start() {
      const look = (): void => void sweep().catch(onError);
      look();
      timer = setInterval(look, everyMs).unref();
    },
    sweep,
    async stop() {
      clearInterval(timer);
      await running?.catch(() => undefined);
    },
  };
}
