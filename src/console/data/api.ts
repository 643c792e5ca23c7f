import type { Pagination } from '../../client/index.ts';
import { noteServerTime } from './clock.ts';

export interface ApiProblem {
  code: string;
  message: string;
  path?: string;
  line?: number;
  column?: number;
  hint?: string;
}

/** A refusal of the service, or `status` 0 when it cannot be reached. */
export class ApiError extends Error {
  readonly status: number;
  readonly problems: readonly ApiProblem[];
  constructor(status: number, problems: readonly ApiProblem[]) {
    super(problems[0]?.message ?? '');
    this.status = status;
    this.problems = problems;
  }
}

/** The error of a call; anything but an ApiError counts as a service that cannot be reached. */
export const apiErrorOf = (failure: unknown): ApiError =>
  failure instanceof ApiError ? failure : new ApiError(0, []);

export interface Response<T> {
  data: T;
  pagination: Pagination;
}

interface Call {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  query?: Record<string, string | number | boolean | undefined>;
  json?: unknown;
  yaml?: string;
  /** Refused unless this is still the current revision. */
  revision?: number;
  /** The key of an integration, instead of the operator who is signed in. */
  key?: string;
  /** No person caused it: it must not keep the sign-in alive. */
  background?: boolean;
  signal?: AbortSignal | undefined;
}

/** Longest wait for a response, in milliseconds. */
const timeoutMs = 20_000;

let onSignedOut = (): void => undefined;
/** Called when the service no longer knows the sign-in. */
export function whenSignedOut(call: () => void): void {
  onSignedOut = call;
}

/** Calls the public API as the operator who is signed in. Throws ApiError. */
export async function call<T>(path: string, options: Call = {}): Promise<Response<T>> {
  const response = await send(path, options);
  noteServerTime(response.headers.get('date'));
  const body = await readBody(response);
  if (response.ok) {
    const { data, pagination } = body as unknown as Response<T>;
    return { data, pagination: pagination ?? { total: 0, page: 1, size: 1 } };
  }
  // A wrong key in the form that confirms a sign-in does not end it.
  if (response.status === 401 && options.key === undefined && path.startsWith('/v1/')) onSignedOut();
  throw new ApiError(response.status, problemsIn(body));
}

/** A public file of the service, which is JSON as a whole. Throws ApiError. */
export async function readFile<T>(path: string, signal: AbortSignal): Promise<T> {
  const response = await send(path, { signal });
  if (response.ok) return (await readBody(response)) as T;
  throw new ApiError(response.status, []);
}

/** As many entries as the service lists at once: what operators set up is searched whole. */
export const mostListed = 200;

/** All pages of a list, for what must be shown whole. */
export async function callAll<T>(path: string, { query, ...options }: Call = {}): Promise<T[]> {
  const found: T[] = [];
  for (let page = 1; ; page++) {
    const asked = { ...query, page, size: mostListed };
    const { data, pagination } = await call<T[]>(path, { ...options, query: asked });
    found.push(...data);
    if (data.length === 0 || found.length >= pagination.total) return found;
  }
}

const problemsIn = ({ errors }: Record<string, unknown>): ApiProblem[] =>
  Array.isArray(errors) ? (errors as ApiProblem[]) : [];

interface StreamOptions {
  accept: 'text/event-stream' | 'application/x-ndjson';
  /** Sends it, as POST. */
  json?: unknown;
  lastEventId?: string | null;
  background?: boolean;
  signal: AbortSignal;
}

/** A response that is read as it comes, for as long as it comes. Throws ApiError. */
export async function openStream(
  path: string,
  { accept, json, lastEventId = null, background = false, signal }: StreamOptions,
): Promise<ReadableStreamDefaultReader<string>> {
  const response = await fetch(path, {
    method: json === undefined ? 'GET' : 'POST',
    headers: {
      ...headersOf({ json, background }),
      accept,
      ...(lastEventId !== null && { 'last-event-id': lastEventId }),
    },
    redirect: 'error',
    signal,
    ...bodyOf({ json }),
  });
  if (response.ok && response.body) return response.body.pipeThrough(new TextDecoderStream()).getReader();
  if (response.status === 401) onSignedOut();
  throw new ApiError(response.status, problemsIn(await readBody(response)));
}

async function send(path: string, { method = 'GET', query = {}, signal, ...rest }: Call) {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') parameters.set(name, String(value));
  }
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    return await fetch(parameters.size === 0 ? path : `${path}?${parameters}`, {
      method,
      headers: headersOf(rest),
      // With a key, the cookie must not decide who calls.
      credentials: rest.key === undefined ? 'same-origin' : 'omit',
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      ...bodyOf(rest),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(0, []);
  }
}

function headersOf({ json, yaml, key, background, revision }: Call): Record<string, string> {
  return {
    accept: 'application/json',
    'x-assize-console': '1',
    ...(background && { 'x-assize-background': '1' }),
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
    ...(json !== undefined && { 'content-type': 'application/json' }),
    ...(revision !== undefined && { 'if-match': `"${revision}"` }),
    ...(yaml !== undefined && { 'content-type': 'application/yaml' }),
  };
}

function bodyOf({ json, yaml }: Call): { body?: string } {
  if (yaml !== undefined) return { body: yaml };
  return json === undefined ? {} : { body: JSON.stringify(json) };
}

async function readBody(response: globalThis.Response): Promise<Record<string, unknown>> {
  try {
    return response.status === 204 ? {} : (parseExactly(await response.text()) as Record<string, unknown>);
  } catch {
    throw new ApiError(response.ok ? 0 : response.status, []);
  }
}

/** ECMAScript 2026 has these; browsers that do not have them yet round. */
interface ExactJson {
  rawJSON?(text: string): unknown;
  isRawJSON?(value: unknown): boolean;
}
const exact = JSON as JSON & ExactJson;

/** Digits that a double always holds. */
const safeDigits = 15;

/** Whether a value stands for a number that a double cannot hold. `JSON.stringify` writes it as it was sent. */
export const isExactNumber = (value: unknown): boolean => exact.isRawJSON?.(value) ?? false;

/** Parses JSON without rounding numbers: people decide by what they read, and the agent acts by what was sent. */
export function parseExactly(text: string): unknown {
  if (!exact.rawJSON || !/\d[\d.]{15}/.test(text)) return JSON.parse(text);
  const keep = (_: string, value: unknown, context?: { source?: string }): unknown => {
    const source = context?.source;
    if (typeof value !== 'number' || source === undefined || source.length <= safeDigits) return value;
    return String(value) === source ? value : exact.rawJSON?.(source);
  };
  return JSON.parse(text, keep);
}
