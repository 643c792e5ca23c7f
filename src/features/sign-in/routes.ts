import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import {
  assertFromConsole,
  fromConsole,
  readCookie,
  setCookie,
  setSignInToken,
  signInToken,
} from '../../http/plugins/console-requests.ts';
import { noBody } from '../../http/plugins/schema-compilers.ts';
import { envelope } from '../../http/responses.ts';
import type { Scope } from '../../http/scope.ts';
import { errorResponses, responseOf } from '../../schemas/envelopes.ts';
import type { OperatorCaller } from '../../services/access/authentication.ts';
import { hashKey } from '../../services/access/keys.ts';
import type { Audit } from '../audit/service.ts';
import type { IdentityProvider, SignInAttempt } from './identity-provider.ts';
import {
  ConfirmSignIn,
  type IdentityProviderFailureReason,
  SignedIn,
  SignIn,
  SignInMethods,
} from './schema.ts';
import type { SignIns } from './service.ts';

/** Resolves once the entry is durable. */
function recordSignIn(
  audit: Audit,
  request: FastifyRequest,
  { operator, keyId }: OperatorCaller,
  action: 'signIn' | 'signOut',
  statusCode: number,
): Promise<void> {
  const call = {
    actorKind: 'operator',
    actorId: operator.id,
    actorName: operator.name,
    keyId,
    action,
    resource: null,
    resourceId: null,
    method: request.method,
    path: request.routeOptions.url ?? '',
    address: request.ip,
    requestId: String(request.id),
  } as const;
  return audit.record(call, statusCode);
}

/** These routes are not in the API's description: a script sends its key instead. */
const response = { 200: responseOf(SignedIn), ...errorResponses };

/** Signing in to the console, and out. Everything else the console does is the public API. */
export function signInRoutes(
  app: Scope,
  { signIns, audit, methods }: { signIns: SignIns; audit: Audit; methods: SignInMethods },
): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    assertFromConsole(request);
  });

  async function refuse(request: FastifyRequest, reply: FastifyReply, message: string): Promise<never> {
    await request.server.limitAddress(request, reply);
    throw new AppError('unauthenticated', message);
  }

  const methodsResponse = { 200: responseOf(SignInMethods), ...errorResponses };
  app.get('/sign-in', { schema: { hide: true, response: methodsResponse } }, () => envelope(200, methods));

  app.post('/sign-in', { schema: { hide: true, body: SignIn, response } }, async (request, reply) => {
    const { key, link } = request.body;
    const opened =
      link === undefined
        ? await signIns.signIn(key ?? '', request.ip)
        : await signIns.signInByLink(link, request.ip);
    if (!opened) {
      const message =
        link === undefined
          ? 'this is not an operator key in force'
          : 'the link was used or has expired: sign in with an operator key';
      return refuse(request, reply, message);
    }
    const before = signInToken(request);
    if (before !== null) await signIns.signOut(before);
    await recordSignIn(audit, request, opened.caller, 'signIn', 200);
    setSignInToken(request, reply, opened.token);
    return envelope(200, opened.state);
  });

  app.get('/signed-in', { schema: { hide: true, response } }, async (request, reply) => {
    const token = signInToken(request);
    const found = token === null ? null : await signIns.identify(token, request.ip, false);
    if (!found) throw new AppError('unauthenticated', 'nobody is signed in');
    reply.header('vary', 'cookie');
    return envelope(200, found.state);
  });

  app.post('/confirm', { schema: { hide: true, body: ConfirmSignIn, response } }, async (request, reply) => {
    const token = signInToken(request);
    const state = token === null ? null : await signIns.confirm(token, request.body.key, request.ip);
    return state
      ? envelope(200, state)
      : refuse(request, reply, 'this is not the key that you signed in with');
  });

  app.post('/sign-out', { schema: { hide: true, body: noBody } }, async (request, reply) => {
    const token = signInToken(request);
    const found = token === null ? null : await signIns.identify(token, request.ip, false);
    if (token !== null) await signIns.signOut(token);
    if (found) await recordSignIn(audit, request, found.caller, 'signOut', 204);
    setSignInToken(request, reply, null);
    return reply.code(204).send();
  });
}

interface OidcOptions {
  identityProvider: IdentityProvider;
  /** The host of the public URL, with its port: the provider sends people back there. */
  publicHost: string;
  signIns: SignIns;
  audit: Audit;
}

/** The content of the cookie that the browser must bring back with the provider's response. */
interface BegunAttempt extends SignInAttempt {
  /** The hash of the token of the sign-in before; null when nobody was signed in. */
  before: string | null;
  /** The page of the console that is opened afterwards. */
  page: string;
}

const cookieName = 'assize-oidc';
const longestAttemptSeconds = 600;
const longestPage = 1_000;

/**
 * Signing in at an identity provider: the browser goes there from `start` and comes back to `callback`. Only the console can
 * begin an attempt, and only the browser that began it can end it: otherwise a page could sign somebody in as somebody else.
 */
export function oidcRoutes(app: Scope, { identityProvider, publicHost, signIns, audit }: OidcOptions): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
  });

  async function refuse(
    request: FastifyRequest,
    reply: FastifyReply,
    reason: IdentityProviderFailureReason,
    message: string,
  ): Promise<FastifyReply> {
    await request.server.limitAddress(request, reply);
    request.log.warn({ reason, detail: message }, 'nobody was signed in by the identity provider');
    return reply.redirect(`/console/#sign-in-failed=${reason}`, 303);
  }

  const refuseFor = (request: FastifyRequest, reply: FastifyReply, error: unknown) => {
    if (!isFailure(error)) throw error;
    return refuse(request, reply, error.reason, error.message);
  };

  app.get('/start', { schema: { hide: true } }, async (request, reply) => {
    if (!fromConsole(request)) return reply.redirect('/console/', 303);
    if (request.host !== publicHost) {
      return refuse(request, reply, 'elsewhere', `opened at ${request.host}`);
    }
    const { page, again } = request.query as { page?: unknown; again?: unknown };
    try {
      const { url, attempt } = await identityProvider.begin({ again: again !== undefined });
      const token = signInToken(request);
      const before = token === null ? null : hashKey(token);
      const value = written({ ...attempt, before, page: consolePage(page) });
      setCookie(request, reply, {
        name: cookieName,
        value,
        sameSite: 'Lax',
        seconds: longestAttemptSeconds,
      });
      return reply.redirect(url, 303);
    } catch (error) {
      return refuseFor(request, reply, error);
    }
  });

  app.get('/callback', { schema: { hide: true } }, async (request, reply) => {
    const attempt = read(readCookie(request, cookieName));
    // An attempt ends with its first response, whatever that is.
    setCookie(request, reply, { name: cookieName, value: null, sameSite: 'Lax' });
    if (!attempt) return refuse(request, reply, 'restart', 'the browser began no attempt');
    try {
      const search = request.url.slice(request.url.indexOf('?') + 1);
      const { email, authenticatedAt } = await identityProvider.finish(search, attempt);
      if (email === null) return refuse(request, reply, 'unverified', 'no verified e-mail address');
      const { before, page } = attempt;
      const opened = await signIns.signInByEmail(email, request.ip, { authenticatedAt, before });
      if (!opened) return refuse(request, reply, 'unknown', 'no active operator has this e-mail address');
      await recordSignIn(audit, request, opened.caller, 'signIn', 303);
      if (opened.token !== null) setSignInToken(request, reply, opened.token);
      return reply.redirect(page, 303);
    } catch (error) {
      return refuseFor(request, reply, error);
    }
  });
}

/** The module with the class is loaded only when a provider is set. */
const isFailure = (error: unknown): error is Error & { reason: IdentityProviderFailureReason } =>
  error instanceof Error && error.name === 'IdentityProviderFailure';

/** A path of the console and nothing else: anything else would redirect to another site. */
function consolePage(asked: unknown): string {
  const own = 'http://own.invalid';
  if (typeof asked !== 'string' || asked.length > longestPage || !URL.canParse(asked, own))
    return '/console/';
  const { origin, pathname, search } = new URL(asked, own);
  return origin === own && pathname.startsWith('/console/') ? pathname + search : '/console/';
}

const written = ({ state, nonce, verifier, before, page }: BegunAttempt): string =>
  [state, nonce, verifier, before ?? '', Buffer.from(page).toString('base64url')].join('.');

function read(cookie: string | null): BegunAttempt | null {
  const parts = /^([\w-]{43})\.([\w-]{43})\.([\w-]{43})\.((?:[0-9a-f]{64})?)\.([\w-]{1,2000})$/.exec(
    cookie ?? '',
  );
  if (!parts) return null;
  const [, state = '', nonce = '', verifier = '', before = '', page = ''] = parts;
  const decoded = Buffer.from(page, 'base64url').toString('latin1');
  return { state, nonce, verifier, before: before || null, page: consolePage(decoded) };
}
