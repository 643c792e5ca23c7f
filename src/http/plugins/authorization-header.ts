import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { type HashedKey, hashedKey } from '../../services/keys.ts';
import { headerValues } from '../header-values.ts';

interface Sent {
  header: string;
  key: HashedKey | null;
}

/** Of the last request on each connection: clients that keep one open send the same header again and again. */
const last = new WeakMap<Socket, Sent>();

/** The key in the Authorization header; null when there is none or more than one, because choosing one would be a guess. */
export function sentKey(request: FastifyRequest): HashedKey | null {
  const [header, ...others] = headerValues(request, 'authorization');
  if (header === undefined || others.length > 0) return null;
  const { socket } = request.raw;
  const before = last.get(socket);
  if (before?.header === header) return before.key;
  // The scheme is case-insensitive (RFC 9110, section 11.1).
  const text = /^bearer +([\x21-\x7e]{1,200})$/i.exec(header)?.[1];
  const key = text === undefined ? null : hashedKey(text);
  last.set(socket, { header, key });
  return key;
}
