import { isIP } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import type { SignIns } from '../../features/sign-in/service.ts';
import type { OperatorCaller } from '../../services/access/authentication.ts';
import { headerValues } from '../headers.ts';

/** Finds the operator of a request that carries the console's cookie instead of a key; null when it carries none in force. */
export type IdentifySignedIn = (
  request: FastifyRequest,
  options?: { background: boolean },
) => Promise<OperatorCaller | null>;

const signInCookie = 'assize-console';
/** The console sends it on writes: a form or a link of another page cannot. */
const consoleHeader = 'x-assize-console';
/** The console sends it on requests that no person caused: they do not keep a sign-in alive. */
const backgroundHeader = 'x-assize-background';

/** Changes of these need a recent proof of who the operator is. Bindings do not: they are part of a policy's life. */
const confirmedRoutes = /^\/v1\/(?:operators|operator-keys|integrations)(?:\/:id(?:\/(?!policies).*)?)?$/;

const isRead = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD';

export function createIdentifySignedIn(
  signIns: SignIns,
  isReachable: (request: FastifyRequest) => boolean,
): IdentifySignedIn {
  return async (request, { background } = { background: false }) => {
    const token = signInToken(request);
    if (token === null || !isReachable(request)) return null;
    assertFromConsole(request);
    const isActive = !background && request.headers[backgroundHeader] === undefined;
    const found = await signIns.identify(token, request.ip, isActive);
    if (!found) return null;
    const isChange = !isRead(request) && confirmedRoutes.test(request.routeOptions.url ?? '');
    if (isChange && !found.state.isConfirmed) {
      const how =
        found.caller.keyId === null
          ? 'sign in at the identity provider again'
          : 'enter the operator key again';
      throw new AppError('forbidden', `confirm who you are: ${how}`);
    }
    return found.caller;
  };
}

/** Whether a page of this service sent it: a fetch, or a link in it. */
export const fromConsole = (request: FastifyRequest): boolean =>
  request.headers['sec-fetch-site'] === 'same-origin';

/**
 * Refuses what another site may have caused (CSRF). Every current browser sends `Sec-Fetch-Site` to https and loopback
 * addresses, and no page can set it.
 */
export function assertFromConsole(request: FastifyRequest): void {
  if (fromConsole(request) && (isRead(request) || request.headers[consoleHeader] !== undefined)) return;
  throw new AppError('forbidden', 'the cookie of the console is only for requests of the console');
}

/** Null when nobody can be signed in by it. */
export const signInToken = (request: FastifyRequest): string | null =>
  /^[A-Za-z0-9_-]{43}$/.exec(readCookie(request, signInCookie) ?? '')?.[0] ?? null;

/** A null token deletes the cookie. It ends with the browser; when the sign-in ends is decided here. */
export function setSignInToken(request: FastifyRequest, reply: FastifyReply, token: string | null): void {
  setCookie(request, reply, { name: signInCookie, value: token, sameSite: 'Strict' });
}

/** Whether a request arrived at the address that the console is bound to; empty is any. */
export function isAtAddress(host: string, { socket }: FastifyRequest): boolean {
  if (host === '') return true;
  const local = socket.localAddress ?? '';
  const plain = local.startsWith('::ffff:') ? local.slice('::ffff:'.length) : local;
  return isIP(plain) !== 0 && plain === host;
}

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
