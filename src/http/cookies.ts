import type { FastifyReply, FastifyRequest } from 'fastify';
import { headerValues } from './headers.ts';

/**
 * Browsers keep a `__Host-` cookie from https addresses only; some, such as Safari, count http on a loopback address as
 * insecure as well. There the cookie has a name of its own and is not `Secure`; it never leaves the machine.
 */
const isLoopback = ({ hostname, protocol }: FastifyRequest): boolean =>
  protocol === 'http' && /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);

const fullName = (request: FastifyRequest, name: string): string =>
  isLoopback(request) ? name : `__Host-${name}`;

/** Null when there is none, or more than one, because choosing one would be a guess. */
export function readCookie(request: FastifyRequest, name: string): string | null {
  const start = `${fullName(request, name)}=`;
  const [cookie, ...others] = headerValues(request, 'cookie')
    .flatMap((value) => value.split(';'))
    .map((part) => part.trim())
    .filter((part) => part.startsWith(start));
  return cookie === undefined || others.length > 0 ? null : cookie.slice(start.length);
}

export interface Cookie {
  name: string;
  /** Null deletes it. */
  value: string | null;
  sameSite: 'Strict' | 'Lax';
  /** Until the browser ends when absent. */
  seconds?: number;
}

export function setCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, value, sameSite, seconds }: Cookie,
): void {
  const secure = isLoopback(request) ? '' : '; Secure';
  const maxAge = value === null ? 0 : seconds;
  const age = maxAge === undefined ? '' : `; Max-Age=${maxAge}`;
  // Fastify sends each value in a header of its own.
  reply.header(
    'set-cookie',
    `${fullName(request, name)}=${value ?? ''}; Path=/; HttpOnly; SameSite=${sameSite}${secure}${age}`,
  );
}
