import { isIP } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import type { OperatorCaller } from '../../services/authentication.ts';
import type { SignIns } from '../../services/sign-ins.ts';
import { headerValues } from '../header-values.ts';

/** Finds the operator of a request that carries the console's cookie instead of a key; null when it carries none in force. */
export type IdentifySignedIn = (
  request: FastifyRequest,
  options?: { background: boolean },
) => Promise<OperatorCaller | null>;

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
      throw new AppError('forbidden', 'confirm who you are: enter the operator key again');
    }
    return found.caller;
  };
}

/**
 * Refuses what another site may have caused (CSRF). Every current browser sends `Sec-Fetch-Site` to https and loopback
 * addresses, and no page can set it.
 */
export function assertFromConsole(request: FastifyRequest): void {
  const fromConsole = request.headers['sec-fetch-site'] === 'same-origin';
  if (fromConsole && (isRead(request) || request.headers[consoleHeader] !== undefined)) return;
  throw new AppError('forbidden', 'the cookie of the console is only for requests of the console');
}

/**
 * Browsers keep a `__Host-` cookie from https addresses only; some, such as Safari, count http on a loopback address as
 * insecure as well. There the cookie has a name of its own and is not `Secure`; it never leaves the machine.
 */
const isLoopback = ({ hostname, protocol }: FastifyRequest): boolean =>
  protocol === 'http' && /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);

const cookieName = (request: FastifyRequest): string =>
  isLoopback(request) ? 'assize-console' : '__Host-assize-console';

/** Null when there is none, or more than one, because choosing one would be a guess. */
export function signInToken(request: FastifyRequest): string | null {
  const start = `${cookieName(request)}=`;
  const [cookie, ...others] = headerValues(request, 'cookie')
    .flatMap((value) => value.split(';'))
    .map((part) => part.trim())
    .filter((part) => part.startsWith(start));
  if (cookie === undefined || others.length > 0) return null;
  return /^[A-Za-z0-9_-]{43}$/.exec(cookie.slice(start.length))?.[0] ?? null;
}

/** A null token deletes the cookie. It ends with the browser; when the sign-in ends is decided here. */
export function setSignInToken(request: FastifyRequest, reply: FastifyReply, token: string | null): void {
  const secure = isLoopback(request) ? '' : '; Secure';
  const age = token === null ? '; Max-Age=0' : '';
  reply.header(
    'set-cookie',
    `${cookieName(request)}=${token ?? ''}; Path=/; HttpOnly; SameSite=Strict${secure}${age}`,
  );
}

/** Whether a request arrived at the address that the console is bound to; empty is any. */
export function isAtAddress(host: string, { socket }: FastifyRequest): boolean {
  if (host === '') return true;
  const local = socket.localAddress ?? '';
  const plain = local.startsWith('::ffff:') ? local.slice('::ffff:'.length) : local;
  return isIP(plain) !== 0 && plain === host;
}
