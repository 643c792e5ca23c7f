import { hash } from 'node:crypto';
import { CLIENT_INFO_META_KEY, TRACEPARENT_META_KEY } from '@modelcontextprotocol/server';
import { AppError } from '../errors.ts';
import { Uuid } from '../schemas/values.ts';

/** Where a client that cannot change a tool's arguments says which session its calls belong to. */
export const sessionIdKey = 'dev.assize/sessionId';

type Meta = Readonly<Record<string, unknown>>;

const uuid = new RegExp(Uuid.pattern ?? '');
export const isUuid = (value: unknown): value is string => typeof value === 'string' && uuid.test(value);

/** The session that `_meta` names; null when it names none. Throws when it names what can be no session. */
export function sessionIdIn(meta: Meta): string | null {
  const id = meta[sessionIdKey];
  if (id === undefined) return null;
  if (!isUuid(id))
    throw new AppError('invalid', 'must be a UUID', { path: `/_meta/${sessionIdKey.replace('/', '~1')}` });
  return id.toLowerCase();
}

/** W3C Trace Context: version, trace id, parent id, flags. Version ff and the trace id of zeros are not valid. */
const traceparent = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/;

/**
 * The name of the session that a call joins when nothing says which: its trace, else its client. Only `_meta` counts:
 * proxies start a trace for every request they pass on and say so in the HTTP header, which would split the session.
 */
export function sessionNameIn(meta: Meta): string {
  const trace = meta[TRACEPARENT_META_KEY];
  const [, traceId] = (typeof trace === 'string' && traceparent.exec(trace)) || [];
  if (traceId !== undefined) return `trace:${traceId}`;
  const client = meta[CLIENT_INFO_META_KEY] as { name?: unknown } | undefined;
  return clientSessionName(client?.name);
}

/** The clients of one integration that give no name share a session: leaving the name out must not lift a limit. */
export function clientSessionName(client: unknown): string {
  const name = typeof client === 'string' ? client : '';
  return `client:${/^[\x20-\x7e]{0,200}$/.test(name) ? name : hash('sha256', name)}`;
}
