import type { ErrorCode } from '../errors.ts';
import { AssizeError, type AssizeErrorDetail } from './error.ts';
import type { FetchResponse } from './options.ts';
import { retryAfterOf } from './retry.ts';

export interface Pagination {
  total: number;
  page: number;
  size: number;
}

/** A successful response. */
export interface ApiResponse<T> {
  status: number;
  data: T;
  /** The pagination of lists; null elsewhere. */
  pagination: Pagination | null;
}

/** For responses without an error code: those of a proxy, and a redirect that must not be followed. */
const codeOfStatus: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'unavailable',
  409: 'conflict',
  413: 'too_large',
  415: 'invalid',
  429: 'rate_limited',
  500: 'internal',
  502: 'unavailable',
  503: 'unavailable',
  504: 'unavailable',
};
const codes = new Set<string>(Object.values(codeOfStatus));

/** Reads the envelope. Throws AssizeError for an error, and for a response that is not from this service. */
export function readResponse<T>(
  response: FetchResponse,
  text: string,
  parseJson: (text: string) => unknown,
): ApiResponse<T> {
  const body = parse(text, parseJson);
  if (response.ok && body?.success === true && 'data' in body) {
    return {
      status: response.status,
      data: body.data as T,
      pagination: (body.pagination as Pagination | undefined) ?? null,
    };
  }
  throw errorOf(response, body);
}

function errorOf(response: FetchResponse, body: Record<string, unknown> | null): AssizeError {
  const errors = Array.isArray(body?.errors) ? body.errors.filter(isDetail) : [];
  const [first] = errors;
  const { status } = response;
  const known = first && codes.has(first.code) ? (first.code as ErrorCode) : codeOfStatus[status];
  const code = response.ok ? 'unexpected_response' : (known ?? 'unexpected_response');
  return new AssizeError(code, first?.message ?? `the response (HTTP ${status}) is not from this service`, {
    status,
    errors,
    requestId: response.headers.get('x-request-id'),
    retryAfterSeconds: retryAfterOf(response.headers.get('retry-after')),
  });
}

function parse(text: string, parseJson: (text: string) => unknown): Record<string, unknown> | null {
  try {
    const value = parseJson(text);
    return typeof value === 'object' ? (value as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}

function isDetail(value: unknown): value is AssizeErrorDetail {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as Partial<AssizeErrorDetail>).message === 'string' &&
    typeof (value as Partial<AssizeErrorDetail>).code === 'string'
  );
}

export interface PageRequest {
  /** From 1; default 1. */
  page?: number;
  /** 1 to 200; default 50. */
  size?: number;
}

export interface Page<T> {
  data: T[];
  pagination: Pagination;
}

export function pageOf<T>({ data, pagination }: ApiResponse<T[]>): Page<T> {
  return { data, pagination: pagination ?? { total: data.length, page: 1, size: data.length } };
}
