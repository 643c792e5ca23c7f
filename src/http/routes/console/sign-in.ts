import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../../errors.ts';
import { errorResponses, responseOf } from '../../../schemas/envelopes.ts';
import { ConfirmSignIn, SignedIn, SignIn, SignInMethods } from '../../../schemas/sign-ins.ts';
import type { Audit } from '../../../services/audit.ts';
import type { SignIns } from '../../../services/sign-ins.ts';
import { assertFromConsole, setSignInToken, signInToken } from '../../plugins/console-requests.ts';
import { noBody } from '../../plugins/validation.ts';
import { envelope } from '../../responses.ts';
import type { Scope } from '../../scope.ts';
import { recordSignIn } from './sign-in-audit.ts';

/** Not in the API's description: they are of no use to a script, which sends its key. */
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
