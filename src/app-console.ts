import type { FastifyInstance } from 'fastify';
import type { Config } from './config/config.ts';
import { AppError } from './errors.ts';
import type { IdentityProvider } from './features/sign-in/identity-provider.ts';
import { oidcRoutes, signInRoutes } from './features/sign-in/routes.ts';
import { shipped } from './files.ts';
import type { Credentials } from './http/plugins/authenticate.ts';
import { serveConsoleFiles } from './http/plugins/console-files.ts';
import { createIdentifySignedIn, isAtAddress } from './http/plugins/console-requests.ts';
import { noSuchPath } from './http/plugins/unknown-routes.ts';
import type { Scope } from './http/scope.ts';
import type { Services } from './services/services.ts';

/** Finds callers by their keys and, with the console, by their sign-ins. */
export const credentialsOf = (config: Config, { authentication, signIns }: Services): Credentials => ({
  authentication,
  identifySignedIn: config.console
    ? createIdentifySignedIn(signIns, (request) => isAtAddress(config.consoleHost, request))
    : null,
});

/** The operators' console: its files, its sign-in, and the way to it from `/`. */
export async function serveConsole(
  http: FastifyInstance,
  config: Config,
  { signIns, audit }: Services,
  now: () => number,
): Promise<void> {
  if (!config.console) return;
  const oidc = await openIdentityProvider(config, now);
  await http.register(async (scope) => {
    scope.addHook('onRequest', async (request, reply) => {
      if (isAtAddress(config.consoleHost, request)) return;
      await http.limitAddress(request, reply);
      throw new AppError('not_found', noSuchPath);
    });
    scope.get('/', { schema: { hide: true } }, (_request, reply) => reply.redirect('/console/'));
    await scope.register(
      async (inner) => {
        serveConsoleFiles(inner, { folder: () => shipped('dist/console') });
        const methods = { identityProvider: oidc?.identityProvider.host ?? null };
        await inner.register(async (plain) =>
          signInRoutes(plain as unknown as Scope, { signIns, audit, methods }),
        );
        if (oidc) {
          await inner.register(
            async (plain) => oidcRoutes(plain as unknown as Scope, { ...oidc, signIns, audit }),
            { prefix: '/oidc' },
          );
        }
      },
      { prefix: '/console' },
    );
  });
}

/** Null without an identity provider. `publicHost` is the host that it sends people back to. */
async function openIdentityProvider(
  { identityProvider: options }: Config,
  now: () => number,
): Promise<{ identityProvider: IdentityProvider; publicHost: string } | null> {
  if (!options) return null;
  // Loaded only when it is asked for: it costs memory, and time to start.
  const { createIdentityProvider } = await import('./features/sign-in/identity-provider.ts');
  return {
    identityProvider: createIdentityProvider(options, now),
    publicHost: new URL(options.callbackUrl).host,
  };
}
