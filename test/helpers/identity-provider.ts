import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type KoaContextWithOIDC } from 'oidc-provider';
import type { Lifetime } from './app.ts';

/** What the provider says of the people who sign in there, by their login. */
type People = Record<string, { email?: string; email_verified?: boolean }>;

export interface LocalProvider {
  issuer: string;
  /** The settings with which a service uses it. */
  settings: Record<string, string>;
  /** Signs in there as a browser without a screen would. Resolves with the address that it sends the browser back to. */
  signIn(authorizationUrl: string, login: string): Promise<URL>;
  close(): Promise<void>;
}

const clientId = 'assize';
const clientSecret = 'a secret of the client, long enough to sign with';

/** A real OpenID provider on a loopback address, where everybody may sign in with any password. */
export async function startIdentityProvider(
  t: Lifetime,
  publicUrl: string,
  people: People,
): Promise<LocalProvider> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const callbackUrl = `${publicUrl}/console/oidc/callback`;
  const provider: Provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [callbackUrl],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    cookies: { keys: ['the key that signs the cookies of the provider'] },
    pkce: { required: () => true },
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ sub, ...people[sub] }) }),
    // Nobody is asked to agree: whoever runs the provider has agreed already.
    async loadExistingGrant({ oidc }: KoaContextWithOIDC) {
      const grant = new provider.Grant({ clientId, accountId: oidc.session?.accountId ?? '' });
      grant.addOIDCScope('openid email');
      await grant.save();
      return grant;
    },
  });
  server.on('request', provider.callback());
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  t.teardown(close);

  async function signIn(authorizationUrl: string, login: string): Promise<URL> {
    const cookies = new Map<string, string>();
    const send = async (url: string, form?: Record<string, string>): Promise<Response> => {
      const response = await fetch(url, {
        redirect: 'manual',
        headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
        ...(form && { method: 'POST', body: new URLSearchParams(form) }),
      });
      for (const cookie of response.headers.getSetCookie()) {
        const [name = '', value = ''] = cookie.split(';')[0]?.split('=') ?? [];
        cookies.set(name, value);
      }
      return response;
    };
    let url = authorizationUrl;
    for (let steps = 0; steps < 10; steps++) {
      if (url.startsWith(callbackUrl)) return new URL(url);
      const response = await send(url);
      const form = { prompt: 'login', login, password: 'any' };
      const next = response.headers.get('location') ?? (await send(url, form)).headers.get('location');
      if (next === null) break;
      url = new URL(next, url).href;
    }
    throw new Error(`the provider sent nobody back: ${url}`);
  }

  return {
    issuer,
    settings: {
      ASSIZE_PUBLIC_URL: publicUrl,
      ASSIZE_OIDC_ISSUER: issuer,
      ASSIZE_OIDC_CLIENT_ID: clientId,
      ASSIZE_OIDC_CLIENT_SECRET: clientSecret,
    },
    signIn,
    close,
  };
}
