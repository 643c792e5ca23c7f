/** The parts of `fetch` and of its response that the client uses. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;
export interface FetchInit {
  method: string;
  headers: Record<string, string>;
  body?: string;
  redirect: 'manual';
  signal: AbortSignal;
}
export interface FetchResponse {
  ok: boolean;
  status: number;
  headers: { get(name: string): string | null };
  text(): Promise<string>;
  /** The body from a platform that gives it piece by piece. */
  body?: AsyncIterable<Uint8Array> | object | null;
}

/** Defaults for all calls. */
export interface ClientOptions {
  /** The service's URL, with or without `/v1`: `https://assize.example.com`. */
  url: string;
  /** `asz_live_…`, or `asz_admin_…` for operators. */
  apiKey: string;
  /** Time limit of one attempt, in milliseconds; default 10,000. */
  timeoutMs?: number;
  /** Attempts after the first, where a retry is safe; default 2. */
  retries?: number;
  /** Milliseconds before the second attempt; each further delay is twice as long. Default 200. */
  retryDelayMs?: number;
  /**
   * JSON Web Token of the person or agent that acts, for integrations that take one (docs/identity.md). A function is asked
   * before each request, so that it can renew the token.
   */
  identity?: string | (() => string | Promise<string>);
  /** Headers for every request, for a proxy that needs them. */
  headers?: Readonly<Record<string, string>>;
  /** Default: the platform's own. */
  fetch?: Fetch;
  /** Reads the JSON of responses; default `JSON.parse`, which rounds integers beyond 2^53. */
  parseJson?: (text: string) => unknown;
}

/** Options of one call. */
export interface CallOptions {
  /** In place of that of the client. */
  identity?: string | undefined;
  /** Ends the call and all its retries, and rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
  retries?: number | undefined;
}

/** Options of calls that count once however often they are sent. */
export interface OnceOptions extends CallOptions {
  /** Default: a new UUID for each call. Give your own to make a call that you repeat count once. */
  idempotencyKey?: string | undefined;
}

/** `ClientOptions`, validated and with defaults. */
export interface Settings {
  root: string;
  headers: Readonly<Record<string, string>>;
  timeoutMs: number;
  retries: number;
  retryDelayMs: number;
  fetch: Fetch;
  parseJson: (text: string) => unknown;
  identity: ClientOptions['identity'];
}

/** Throws TypeError for options that cannot work, without quoting the key. */
export function settingsOf(options: ClientOptions): Settings {
  const { timeoutMs = 10_000, retries = 2, retryDelayMs = 200 } = options;
  // A header that cannot be sent makes fetch throw an error that quotes it.
  if (!/^[\x21-\x7e]+$/.test(options.apiKey)) {
    throw new TypeError('apiKey must be an API key: printable ASCII without spaces');
  }
  // In lower case: a header under two spellings would be sent twice.
  const more = Object.entries(options.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    root: rootOf(options.url),
    headers: {
      ...Object.fromEntries(more),
      accept: 'application/json',
      authorization: `Bearer ${options.apiKey}`,
    },
    timeoutMs: atLeast(1, timeoutMs, 'timeoutMs'),
    retries: atLeast(0, retries, 'retries'),
    retryDelayMs: atLeast(0, retryDelayMs, 'retryDelayMs'),
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    parseJson: options.parseJson ?? JSON.parse,
    identity: options.identity,
  };
}

export function atLeast(least: number, value: number, name: string): number {
  if (!(Number.isFinite(value) && value >= least)) {
    throw new TypeError(`${name} must be a number of at least ${least}`);
  }
  return value;
}

function rootOf(url: string): string {
  const refusal = 'url must be an http or https URL without user name, query and fragment';
  if (!URL.canParse(url)) throw new TypeError(refusal);
  const { protocol, username, password, search, hash, origin, pathname } = new URL(url);
  if (!/^https?:$/.test(protocol) || username || password || search || hash) throw new TypeError(refusal);
  return origin + pathname.replace(/\/+$/, '').replace(/\/v1$/, '');
}
