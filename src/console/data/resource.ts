import { useEffect, useRef, useState } from 'preact/hooks';
import { type ApiError, apiErrorOf } from './api.ts';

export type Loaded<T> =
  | { is: 'loading' }
  | { is: 'failed'; error: ApiError }
  /** `stale`: the last try to load it again failed. */
  | { is: 'ready'; data: T; stale: ApiError | null };

export interface Resource<T> {
  state: Loaded<T>;
  /** Loads it again; what is shown stays until then. */
  reload(): void;
}

interface ResourceOptions {
  /** Loads it again so often, in milliseconds, while the page is visible; null is never. */
  everyMs?: number | null;
}

/** What `load` resolves with, for as long as `key` is the same. */
export function useResource<T>(
  key: string,
  load: (options: { signal: AbortSignal; background: boolean }) => Promise<T>,
  { everyMs = null }: ResourceOptions = {},
): Resource<T> {
  const [state, setState] = useState<Loaded<T> & { key: string }>({ is: 'loading', key });
  const [turn, setTurn] = useState({ count: 0, background: false });
  const latest = useRef(load);
  latest.current = load;

  useEffect(() => {
    const ended = new AbortController();
    latest.current({ signal: ended.signal, background: turn.background }).then(
      (data) => {
        if (!ended.signal.aborted) setState({ is: 'ready', data, stale: null, key });
      },
      (error: unknown) => {
        if (ended.signal.aborted) return;
        const known = apiErrorOf(error);
        setState((before) =>
          before.is === 'ready' && before.key === key
            ? { ...before, stale: known }
            : { is: 'failed', error: known, key },
        );
      },
    );
    return () => ended.abort();
  }, [key, turn]);

  useEvery(everyMs, () => setTurn(({ count }) => ({ count: count + 1, background: true })));

  return {
    state: state.key === key ? state : { is: 'loading' },
    reload: () => setTurn(({ count }) => ({ count: count + 1, background: false })),
  };
}

/** Calls `run` again and again while the page is visible. */
export function useEvery(everyMs: number | null, run: () => void): void {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    if (everyMs === null) return;
    const timer = setInterval(() => {
      if (!document.hidden) latest.current();
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
}
