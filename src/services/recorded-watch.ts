import type { Store } from '../store/store.ts';

/** Tells readers that an evaluation was recorded, by any process on the same data. */
export interface RecordedWatch {
  /** Calls with the id of the newest evaluation, now and whenever that is another one, at most ten times a second, until the signal. */
  watch(signal: AbortSignal, call: (evaluationRunId: string) => void): void;
}

/** Looked up instead of told: most evaluations have no event, and a note for each would cost every one of them. */
const lookEveryMs = 100;

export function createRecordedWatch(deps: {
  store: Store;
  onError: (error: unknown) => void;
}): RecordedWatch {
  const { store, onError } = deps;
  /** The evaluation that each reader was told last. */
  const readers = new Map<(evaluationRunId: string) => void, string | null>();
  let isLooking = false;

  async function look(): Promise<void> {
    try {
      const [newest] = (await store.evaluations.listRecorded(null, 1, 0)) ?? [];
      for (const [call, told] of [...readers]) {
        if (!newest || newest.id === told) continue;
        readers.set(call, newest.id);
        call(newest.id);
      }
    } catch (error) {
      onError(error);
    }
    isLooking = readers.size > 0;
    if (isLooking) lookLater(lookEveryMs);
  }
  const lookLater = (ms: number): void => void setTimeout(() => void look(), ms).unref();

  return {
    watch(signal, call) {
      readers.set(call, null);
      signal.addEventListener('abort', () => readers.delete(call), { once: true });
      if (!isLooking) lookLater(0);
      isLooking = true;
    },
  };
}
