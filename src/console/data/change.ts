import { useRef, useState } from 'preact/hooks';
import { type ApiError, apiErrorOf } from './api.ts';

export interface Change {
  /** What the last change was refused with. */
  error: ApiError | null;
  isBusy: boolean;
  run(change: () => Promise<unknown>): Promise<void>;
}

/** Runs one change at a time: a second press while the first is on its way does nothing. */
export function useChange(): Change {
  const [error, setError] = useState<ApiError | null>(null);
  const [isBusy, setBusy] = useState(false);
  const running = useRef(false);
  async function run(change: () => Promise<unknown>): Promise<void> {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    setError(null);
    try {
      await change();
    } catch (failure) {
      setError(apiErrorOf(failure));
    } finally {
      running.current = false;
      setBusy(false);
    }
  }
  return { error, isBusy, run };
}
