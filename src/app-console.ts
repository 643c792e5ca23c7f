import type { FastifyInstance } from 'fastify';
import type { Config } from './config/config.ts';
import { shipped } from './files.ts';
import type { Credentials } from './http/plugins/authenticate.ts';
import { createIdentifySignedIn, isAtAddress } from './http/plugins/console-requests.ts';
import { type ConsoleOptions, consoleRoutes } from './http/routes/console.ts';
import type { Services } from './services/services.ts';

/** What callers are known by: keys and, with the console, its sign-ins. */
export const credentialsOf = (config: Config, { authentication, signIns }: Services): Credentials => ({
  authentication,
  identifySignedIn: config.console
    ? createIdentifySignedIn(signIns, (request) => isAtAddress(config.consoleHost, request))
    : null,
});

export async function serveConsole(
  http: FastifyInstance,
  config: Config,
  { signIns, audit }: Services,
  now: () => number,
): Promise<void> {
  if (!config.console) return;
  const oidc = await openIdentityProvider(config, now);
  const folder = () => shipped('dist/console');
  await consoleRoutes(http, { host: config.consoleHost, folder, signIns, audit, oidc });
}

async function openIdentityProvider(
  { identityProvider: options }: Config,
  now: () => number,
): Promise<ConsoleOptions['oidc']> {
  if (!options) return null;
  // Loaded only when it is asked for: it costs memory, and time to start.
  const { createIdentityProvider } = await import('./services/identity-provider.ts');
  return {
    identityProvider: createIdentityProvider(options, now),
    publicHost: new URL(options.callbackUrl).host,
  };
}
