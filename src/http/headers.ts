import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { Type } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import type { TraceParent } from '../evaluate/evaluate.ts';
import type { IdempotencyKey } from '../evaluate/idempotency.ts';
import { type HashedKey, hashedKey } from '../services/access/keys.ts';

/**
 * Every value of a header, as it was sent; `name` is lower case. Node keeps the first of some repeated headers and
 * joins others, so a header that must not be repeated has to be counted here.
 */
export function headerValues(request: FastifyRequest, name: string): string[] {
  const { rawHeaders } = request.raw;
  const values: string[] = [];
  for (let at = nextHeader(rawHeaders, name, 0); at >= 0; at = nextHeader(rawHeaders, name, at + 2))
    values.push(rawHeaders[at + 1] as string);
  return values;
}

/** The value of a header; null when it was sent not at all or more than once, because choosing one would be a guess. */
function onlyValue({ raw: { rawHeaders } }: FastifyRequest, name: string): string | null {
  const at = nextHeader(rawHeaders, name, 0);
  return at < 0 || nextHeader(rawHeaders, name, at + 2) >= 0 ? null : (rawHeaders[at + 1] as string);
}

export function isRepeated({ raw: { rawHeaders } }: FastifyRequest, name: string): boolean {
  const at = nextHeader(rawHeaders, name, 0);
  return at >= 0 && nextHeader(rawHeaders, name, at + 2) >= 0;
}

/** The place of the next header of this name from `from` on; -1 for none. */
function nextHeader(rawHeaders: readonly string[], name: string, from: number): number {
  for (let at = from; at < rawHeaders.length; at += 2) {
    const sent = rawHeaders[at] as string;
    if (sent.length === name.length && (sent === name || sent.toLowerCase() === name)) return at;
  }
  return -1;
}

// https://www.w3.org/TR/trace-context/#traceparent-header: a later version may add fields after those of version 00.
const traceparentForm = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const onlyZeros = /^0+$/;

/** The span of the caller; null when it sent none, or one that the specification says to ignore. */
export function traceParentOf({ traceparent }: IncomingHttpHeaders): TraceParent | null {
  if (typeof traceparent !== 'string') return null;
  const [, version, traceId = '', spanId = '', flags = '', more] = traceparentForm.exec(traceparent) ?? [];
  if (version === undefined || (version === '00' && more !== undefined)) return null;
  if (onlyZeros.test(traceId) || onlyZeros.test(spanId)) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** The header of the Idempotency-Key draft of the IETF HTTP API working group. */
const idempotencyKey = 'idempotency-key';
const longestKey = 255;

/** For the description of a route that takes it. */
export const IdempotencyKeyHeader = Type.Object({
  [idempotencyKey]: Type.Optional(
    Type.String({
      description: `1 to ${longestKey} characters of the caller's own: the same request under the same key counts once, and gets the stored response`,
    }),
  ),
});

/** The key that the request was sent with; null for none. Keys of operators never meet those of integrations, or of each other. */
export function idempotencyKeyOf(request: FastifyRequest): IdempotencyKey | null {
  if (request.headers[idempotencyKey] === undefined) return null;
  const [key = '', ...others] = headerValues(request, idempotencyKey);
  if (others.length > 0) throw new AppError('invalid', 'the Idempotency-Key header must be sent once');
  if (key.length < 1 || key.length > longestKey) {
    throw new AppError('invalid', `the Idempotency-Key header must have 1 to ${longestKey} characters`);
  }
  const { caller } = request;
  // No header has a line feed.
  const own = caller?.kind === 'operator' ? `${caller.operator.id}\n${key}` : key;
  return {
    key: hash('sha256', own),
    requestHash: hash('sha256', `${request.method}\n${request.url}\n${request.bodyText}`),
  };
}

/** For the description of a route that takes it. */
export const IfMatch = Type.Object({
  'if-match': Type.Optional(
    Type.String({ description: 'the `ETag` of what is changed: 412 when it was changed since' }),
  ),
});

const entityTag = /^\s*(W\/)?"([\x21\x23-\x7e]*)"\s*$/;

/**
 * The versions that the caller of a change expects (RFC 9110, section 13.1.1); null when any will do. A weak tag, and one
 * that is no number, is that of no version.
 */
export function expectedVersions({ headers }: FastifyRequest): ReadonlySet<number> | null {
  const text = headers['if-match'];
  if (text === undefined || text.trim() === '*') return null;
  return new Set(
    text.split(',').flatMap((one) => {
      const [, weak, tag = ''] = entityTag.exec(one) ?? malformed();
      return weak === undefined && /^\d{1,15}$/.test(tag) ? [Number(tag)] : [];
    }),
  );
}

function malformed(): never {
  throw new AppError('invalid', 'If-Match must be the ETag of an earlier response, or *');
}

export const withETag = (reply: FastifyReply, version: number): FastifyReply =>
  reply.header('etag', `"${version}"`);

interface Sent {
  header: string;
  key: HashedKey;
}

/** The header of the last request on each connection: clients that keep one open send the same header again and again. */
const lastSent = new WeakMap<Socket, Sent>();

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The key may be in a header of its own, because Authorization belongs to somebody else. */
    takesKeyHeader?: boolean;
  }
}

/** The header of the key where Authorization belongs to somebody else. */
const keyHeader = 'x-assize-key';

/** The key in its header; null when there is none or more than one. */
export function sentKey(request: FastifyRequest): HashedKey | null {
  const isApart =
    request.routeOptions.config.takesKeyHeader === true && request.headers[keyHeader] !== undefined;
  const header = onlyValue(request, isApart ? keyHeader : 'authorization');
  if (header === null) return null;
  if (isApart) return /^[\x21-\x7e]{1,200}$/.test(header) ? hashedKey(header) : null;
  const { socket } = request.raw;
  const before = lastSent.get(socket);
  if (before?.header === header) return before.key;
  // The scheme is case-insensitive (RFC 9110, section 11.1).
  const text = /^bearer +([\x21-\x7e]{1,200})$/i.exec(header)?.[1];
  if (text === undefined) return null;
  const key = hashedKey(text);
  lastSent.set(socket, { header, key });
  return key;
}

const identityHeader = 'x-assize-identity';

/** For the description of a route that takes it. */
export const IdentityHeader = Type.Object({
  [identityHeader]: Type.Optional(
    Type.String({
      description:
        'JSON Web Token of the person or agent that acts, of an issuer that the integration names (`settings.identity`)',
    }),
  ),
});

/** The token that says who acts, as it was sent, with or without `Bearer`; null when none was. */
export function identityTokenOf(request: FastifyRequest): string | null {
  if (request.headers[identityHeader] === undefined) return null;
  const [token = '', ...others] = headerValues(request, identityHeader);
  if (others.length > 0) throw new AppError('invalid', `the ${identityHeader} header must be sent once`);
  return token.replace(/^bearer +/i, '');
}
