import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IdentityProviderFailureReason } from '../../../schemas/sign-ins.ts';
import type { Audit } from '../../../services/audit.ts';
import type { IdentityProvider, SignInAttempt } from '../../../services/identity-provider.ts';
import { hashKey } from '../../../services/keys.ts';
import type { SignIns } from '../../../services/sign-ins.ts';
import { readCookie, setCookie } from '../../cookies.ts';
import { fromConsole, setSignInToken, signInToken } from '../../plugins/console-requests.ts';
import type { Scope } from '../../scope.ts';
import { recordSignIn } from './sign-in-audit.ts';

export interface OidcOptions {
  identityProvider: IdentityProvider;
  /** The host of the public URL, with its port: the provider sends people back there. */
  publicHost: string;
  signIns: SignIns;
  audit: Audit;
}

/** What the browser that began an attempt must bring back with the provider's response. */
interface BegunAttempt extends SignInAttempt {
  /** The hash of the token of who was signed in; null when nobody was. */
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
