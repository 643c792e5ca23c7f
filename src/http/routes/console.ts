import type { FastifyInstance } from 'fastify';
import { AppError } from '../../errors.ts';
import type { Audit } from '../../services/audit.ts';
import type { IdentityProvider } from '../../services/identity-provider.ts';
import type { SignIns } from '../../services/sign-ins.ts';
import { serveConsoleFiles } from '../plugins/console-files.ts';
import { isAtAddress } from '../plugins/console-requests.ts';
import type { Scope } from '../scope.ts';
import { oidcRoutes } from './console/oidc.ts';
import { signInRoutes } from './console/sign-in.ts';

export interface ConsoleOptions {
  /** The only address it is served at; empty is any that the service listens on. */
  host: string;
  folder: () => string;
  signIns: SignIns;
  audit: Audit;
  /** Where operators may sign in besides, and the host that it sends them back to; null without one. */
  oidc: { identityProvider: IdentityProvider; publicHost: string } | null;
}

/** The operators' console: its files, its sign-in, and the way to it from `/`. */
export async function consoleRoutes(app: FastifyInstance, options: ConsoleOptions): Promise<void> {
  const { host, folder, signIns, audit, oidc } = options;
  await app.register(async (scope) => {
    scope.addHook('onRequest', async (request, reply) => {
      if (isAtAddress(host, request)) return;
      await app.limitAddress(request, reply);
      throw new AppError('not_found', 'there is no such path');
    });
    scope.get('/', { schema: { hide: true } }, (_request, reply) => reply.redirect('/console/'));
    await scope.register(
      async (inner) => {
        serveConsoleFiles(inner, { folder });
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
