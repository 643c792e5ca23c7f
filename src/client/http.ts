import { AssizeError } from './error.ts';
import {
  atLeast,
  type ClientOptions,
  type FetchInit,
  type OnceOptions,
  type Settings,
  settingsOf,
} from './options.ts';
import { type ApiResponse, readResponse } from './response.ts';
import { deadlineOf, mayRepeat, pause, pauseBefore } from './retry.ts';

export interface HttpRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** From `/v1/` on, with encoded segments (use `path`). */
  path: string;
  /** Undefined members are left out. */
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent unchanged, in place of `json`: a policy document. */
  text?: { mediaType: string; content: string };
  /** Whether the endpoint accepts an `Idempotency-Key`. One is created unless the caller gave one. */
  once?: boolean;
}

export interface Http {
  /**
   * Sends a request, with retries where that is safe: reads, requests with an idempotency key, and requests that were refused
   * before they were processed (429). Rejects with AssizeError, or with the reason of the caller's signal.
   */
  send<T>(request: HttpRequest, options?: OnceOptions): Promise<ApiResponse<T>>;
  /** Sends a request, once, whose response is one JSON value a line, and gives each as it comes. */
  follow(request: HttpRequest, signal: AbortSignal, onLine: (line: object) => void): Promise<void>;
}

/** The transport of the client and of the command line against a remote service: returns the envelope's data, or throws. */
export function createHttp(options: ClientOptions): Http {
  const settings = settingsOf(options);

  return {
    async follow(request, signal, onLine) {
      const url = urlOf(settings.root, request);
      const response = await settings.fetch(url, { ...initOf(request, settings, undefined), signal });
      if (!response.ok) readResponse(response, await response.text(), settings.parseJson);
      const decoder = new TextDecoder();
      let rest = '';
      for await (const bytes of (response.body ?? []) as AsyncIterable<Uint8Array>) {
        const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) onLine(settings.parseJson(line) as object);
      }
    },

    async send<T>(request: HttpRequest, options: OnceOptions = {}): Promise<ApiResponse<T>> {
      const { signal } = options;
      const retries = atLeast(0, options.retries ?? settings.retries, 'retries');
      const timeoutMs = atLeast(1, options.timeoutMs ?? settings.timeoutMs, 'timeoutMs');
      const url = urlOf(settings.root, request);
      const init = initOf(request, settings, options.idempotencyKey);
      const identity = options.identity ?? givenBy(settings.identity);
      if (identity !== undefined) init.headers['x-assize-identity'] = await identity;
      const countsOnce = request.method === 'GET' || request.once === true;

      for (let attempt = 1; ; attempt++) {
        const failure = await attemptOnce<T>(settings, url, init, timeoutMs, signal);
        if (!(failure instanceof AssizeError)) return failure;
        if (attempt > retries || !mayRepeat(failure.status, countsOnce)) throw failure;
        const ms = pauseBefore(attempt, settings.retryDelayMs, failure.retryAfterSeconds);
        if (ms === null) throw failure;
        await pause(ms, signal);
      }
    },
  };
}

const givenBy = (identity: Settings['identity']): string | undefined | Promise<string> =>
  typeof identity === 'function' ? identity() : identity;

/** A path with encoded segments: path`/v1/reviews/${id}`. Throws TypeError for a value that would change the path. */
export const path = (parts: TemplateStringsArray, ...values: readonly string[]): string =>
  parts.reduce((before, part, at) => {
    const value = values[at - 1] ?? '';
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`${JSON.stringify(value)} is not an id`);
    return before + encodeURIComponent(value) + part;
  });

async function attemptOnce<T>(
  { fetch, parseJson }: Settings,
  url: string,
  init: Omit<FetchInit, 'signal'>,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<ApiResponse<T> | AssizeError> {
  signal?.throwIfAborted();
  const deadline = deadlineOf(timeoutMs, signal);
  try {
    const response = await deadline.ends(fetch(url, { ...init, signal: deadline.signal }));
    return readResponse<T>(response, await deadline.ends(response.text()), parseJson);
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof AssizeError) return cause;
    if (deadline.passed()) return new AssizeError('timeout', `no response within ${timeoutMs} ms`, { cause });
    return new AssizeError('network', `no response from ${new URL(url).origin}`, { cause });
  } finally {
    deadline.clear();
  }
}

function urlOf(root: string, { path, query = {} }: HttpRequest): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  const search = parameters.toString();
  return root + path + (search && `?${search}`);
}

function initOf(
  { method, json, text, once }: HttpRequest,
  settings: Settings,
  key: string | undefined,
): Omit<FetchInit, 'signal'> {
  const body = text?.content ?? (json === undefined ? undefined : JSON.stringify(json));
  return {
    method,
    // Following a redirect would send the body to an address that nobody configured.
    redirect: 'manual',
    headers: {
      ...settings.headers,
      ...(body !== undefined && { 'content-type': text?.mediaType ?? 'application/json' }),
      // The same for every attempt, so that they count once.
      ...(once && { 'idempotency-key': key ?? crypto.randomUUID() }),
    },
    ...(body !== undefined && { body }),
  };
}
