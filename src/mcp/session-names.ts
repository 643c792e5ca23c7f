import { hash } from 'node:crypto';
import { isIP } from 'node:net';
import { TRACEPARENT_META_KEY } from '@modelcontextprotocol/server';
import { AppError } from '../errors.ts';
import type { SessionScope } from '../features/integrations/words.ts';
import { Uuid } from '../schemas/values.ts';

/** The `_meta` key for the session id, for clients that cannot change a tool's arguments. */
const sessionIdKey = 'dev.assize/sessionId';

type Meta = Readonly<Record<string, unknown>>;

const uuid = new RegExp(Uuid.pattern ?? '');
export const isUuid = (value: unknown): value is string => typeof value === 'string' && uuid.test(value);

/** The session id in `_meta`; null when absent. Throws for a value that is not a UUID. */
export function sessionIdIn(meta: Meta): string | null {
  const id = meta[sessionIdKey];
  if (id === undefined) return null;
  if (!isUuid(id))
    throw new AppError('invalid', 'must be a UUID', { path: `/_meta/${sessionIdKey.replace('/', '~1')}` });
  return id.toLowerCase();
}

/** The `_meta` key for the token that says who acts, for clients that cannot set a header for each call. */
const identityKey = 'dev.assize/identity';

/** The token in `_meta` or in the header; null when neither has one. Throws when they differ. */
export function identityTokenIn(meta: Meta, header: string | null): string | null {
  const token = meta[identityKey] ?? header;
  const path = `/_meta/${identityKey.replace('/', '~1')}`;
  if (token !== null && typeof token !== 'string') throw new AppError('invalid', 'must be a text', { path });
  if (header !== null && token !== header)
    throw new AppError('invalid', 'is another token than that of the header', { path });
  return token;
}

/** W3C Trace Context: version, trace id, parent id, flags. Version ff and the trace id of zeros are not valid. */
const traceparent = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/;

/**
 * The name of the session that a call joins when it names none.
 *
 * Only the scope `trace` uses a value that the caller sends. The name in `clientInfo` is never used: a caller that
 * renames itself on every call would start with an empty history each time. Calls of different people never share a session. The HTTP header `traceparent` is not used
 * either: proxies start a new trace for each request.
 */
export function sessionNameOf(
  scope: SessionScope,
  meta: Meta,
  { address, entityId }: { address: string; entityId: string | null },
): string {
  const name = sharedName(scope, meta, address);
  return entityId === null ? name : `${name} entity:${entityId}`;
}

function sharedName(scope: SessionScope, meta: Meta, address: string): string {
  if (scope === 'integration') return 'integration';
  if (scope === 'trace') {
    const trace = meta[TRACEPARENT_META_KEY];
    const [, traceId] = (typeof trace === 'string' && traceparent.exec(trace)) || [];
    if (traceId !== undefined) return `trace:${traceId}`;
  }
  return `client:${networkOf(address)}`;
}

/** The `externalSessionId` of a connection's own session. It only helps an operator to recognise the client. */
export function connectionName(client: string): string {
  return `connection:${/^[\x20-\x7e]{0,200}$/.test(client) ? client : hash('sha256', client)}`;
}

/**
 * The part of an IP address that its owner cannot change at will: all loopback addresses are one network, an IPv6
 * address counts as its /64, which is the smallest block that a host is given.
 */
function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (plain === '::1' || plain.startsWith('127.')) return 'loopback';
  // A misconfigured proxy may forward text of the caller's own.
  if (isIP(plain) === 0) return 'unknown';
  if (!plain.includes(':')) return plain;
  const [head = '', tail] = plain.split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : 8 - first.length - last.length;
  const groups = [...first, ...Array<string>(Math.max(0, zeros)).fill('0'), ...last].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
