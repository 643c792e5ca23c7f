import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import { hourMs } from '../../schemas/durations.ts';
import type { IdentityProviderFailureReason } from './schema.ts';

export interface IdentityProviderOptions {
  issuer: string;
  clientId: string;
  /** Null for a client without a secret: only PKCE then proves that the same client finishes an attempt. */
  clientSecret: string | null;
  /** Where the provider sends people back to. */
  callbackUrl: string;
}

/** The values that the response to an attempt must match. The browser that began it keeps them, so that nobody can finish the attempt of another. */
export interface SignInAttempt {
  state: string;
  nonce: string;
  verifier: string;
}

export interface ProvenIdentity {
  /** Null unless the provider says that it was verified. */
  email: string | null;
  /** When the person last signed in at the provider; null when the provider does not say. */
  authenticatedAt: number | null;
}

/** Recognised by its name, where this module is not loaded. `message` is for the log: it holds neither codes nor tokens. */
class IdentityProviderFailure extends Error {
  readonly reason: IdentityProviderFailureReason;
  constructor(reason: IdentityProviderFailureReason, message: string) {
    super(message);
    this.name = 'IdentityProviderFailure';
    this.reason = reason;
  }
}

/** An OpenID provider, by the authorization code flow with PKCE. Both calls throw IdentityProviderFailure. */
export interface IdentityProvider {
  /** For people to recognise it by. */
  readonly host: string;
  /** `again`: asks for the password again instead of using the provider's own sign-in. */
  begin(options: { again: boolean }): Promise<{ url: string; attempt: SignInAttempt }>;
  /** `search` is the query that the provider sent the browser back with. */
  finish(search: string, attempt: SignInAttempt): Promise<ProvenIdentity>;
}

const timeoutSeconds = 10;
/** How long the provider's metadata is used before it is read again. */
const discoveredMs = hourMs;
const scope = 'openid email';

export function createIdentityProvider(
  { issuer, clientId, clientSecret, callbackUrl }: IdentityProviderOptions,
  now: () => number,
): IdentityProvider {
  const server = new URL(issuer);
  let known: { at: number; configuration: Promise<Configuration> } | null = null;

  function discover(): Promise<Configuration> {
    if (known && now() - known.at < discoveredMs) return known.configuration;
    const client = clientSecret === null ? None() : ClientSecretPost(clientSecret);
    // The settings allow plain HTTP on a loopback address only.
    const insecure = server.protocol === 'http:' ? [allowInsecureRequests] : [];
    const configuration = discovery(server, clientId, undefined, client, {
      execute: [enableNonRepudiationChecks, ...insecure],
      timeout: timeoutSeconds,
    });
    const discovered = { at: now(), configuration };
    known = discovered;
    configuration.catch(() => {
      if (known === discovered) known = null;
    });
    return configuration;
  }

  return {
    host: server.host,

    async begin({ again }) {
      const configuration = await discover().catch((error: unknown) => {
        throw new IdentityProviderFailure('unreachable', described(error));
      });
      const attempt = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
      const url = buildAuthorizationUrl(configuration, {
        redirect_uri: callbackUrl,
        scope,
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await calculatePKCECodeChallenge(attempt.verifier),
        code_challenge_method: 'S256',
        // The provider must then say when the person last proved who it is.
        ...(again && { prompt: 'login', max_age: '0' }),
      });
      return { url: url.href, attempt };
    },

    async finish(search, { state, nonce, verifier }) {
      const url = new URL(callbackUrl);
      url.search = search;
      if (url.searchParams.get('state') !== state) {
        throw new IdentityProviderFailure('restart', 'the response is of another attempt');
      }
      try {
        const configuration = await discover();
        const tokens = await authorizationCodeGrant(configuration, url, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (!claims) throw new IdentityProviderFailure('failed', 'the response holds no ID token');
        const { auth_time: authTime } = claims;
        const { email, email_verified: isVerified } =
          claims.email === undefined
            ? // Providers may keep it out of the token, for who asks with the access token.
              await fetchUserInfo(configuration, tokens.access_token, claims.sub)
            : claims;
        return {
          email: typeof email === 'string' && isVerified === true ? email : null,
          authenticatedAt: typeof authTime === 'number' ? authTime * 1_000 : null,
        };
      } catch (error) {
        if (error instanceof IdentityProviderFailure) throw error;
        const isRefused = error instanceof AuthorizationResponseError && error.error === 'access_denied';
        throw new IdentityProviderFailure(isRefused ? 'refused' : 'failed', described(error));
      }
    },
  };
}

/** The message and codes of an error. Its cause is left out: it may hold what the provider sent. */
function described(error: unknown): string {
  const { message, code, error: oauthError } = error as { message?: string; code?: string; error?: string };
  return [message, code, oauthError].filter((part) => typeof part === 'string').join(', ');
}
