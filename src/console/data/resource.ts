import { useEffect, useRef, useState } from 'preact/hooks';
import { type ApiError, apiErrorOf, call, type Response } from './api.ts';
import { type Topic, whenHappens } from './live.ts';
import { pageInUrl } from './route.ts';

type Loaded<T> =
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
  /** Loads it again when something of these happened. */
  on?: readonly Topic[];
  /** Waits so long, in milliseconds, and loads once for all that happened meanwhile. */
  onAfterMs?: number;
}

/** The result of `load`, for as long as `key` is the same. */
export function useResource<T>(
  key: string,
  load: (options: { signal: AbortSignal; background: boolean }) => Promise<T>,
  { everyMs = null, on = nothing, onAfterMs = 0 }: ResourceOptions = {},
): Resource<T> {
  const [state, setState] = useState<Loaded<T> & { key: string }>({ is: 'loading', key });
  const [turn, setTurn] = useState({ count: 0, background: false });
  const latest = useRef(load);
  latest.current = load;
  const isLoading = useRef(false);

  useEffect(() => {
    isLoading.current = true;
    const ended = new AbortController();
    latest.current({ signal: ended.signal, background: turn.background }).then(
      (data) => {
        if (ended.signal.aborted) return;
        isLoading.current = false;
        setState({ is: 'ready', data, stale: null, key });
      },
      (error: unknown) => {
        if (ended.signal.aborted) return;
        isLoading.current = false;
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

  const missed = useRef(false);
  const reloadUnasked = () => {
    // A slow response is waited for: asking anew each time would never show it.
    missed.current = isLoading.current;
    if (!isLoading.current) setTurn(({ count }) => ({ count: count + 1, background: true }));
  };
  useEvery(everyMs, reloadUnasked);
  const waiting = useRef<ReturnType<typeof setTimeout> | null>(null);
  const unasked = useRef(reloadUnasked);
  unasked.current = reloadUnasked;
  useHappening(on, () => {
    if (onAfterMs === 0) return reloadUnasked();
    waiting.current ??= setTimeout(() => {
      waiting.current = null;
      unasked.current();
    }, onAfterMs);
  });
  useEffect(() => () => clearTimeout(waiting.current ?? undefined), []);
  useEffect(() => {
    // A change that happened while it was loading may not be in it.
    if (missed.current) reloadUnasked();
  }, [state]);

  return {
    state: state.key === key ? state : { is: 'loading' },
    reload: () => setTurn(({ count }) => ({ count: count + 1, background: false })),
  };
}

type Filter = Readonly<Record<string, string | undefined>>;

/** The page of a list of the API that the address names. */
export function useList<T>(
  path: string,
  filter: Filter = {},
  options?: ResourceOptions & { size?: number },
): Resource<Response<T[]>> {
  const asked = { ...filter, page: pageInUrl(), size: options?.size };
  return useResource(
    `${path} ${JSON.stringify(asked)}`,
    ({ signal, background }) => call<T[]>(path, { query: asked, signal, background }),
    options,
  );
}

const nothing: readonly Topic[] = [];

/** Calls `run` when something of these happened. */
export function useHappening(topics: readonly Topic[], run: () => void): void {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => whenHappens(topics, () => latest.current()), [topics.join()]);
}

/** Calls `run` again and again while the page is visible. */
function useEvery(everyMs: number | null, run: () => void): void {
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
