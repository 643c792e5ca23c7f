import { readFileSync } from 'node:fs';
import { Type } from '@sinclair/typebox';
import type { IdentityProviderOptions } from '../features/sign-in/identity-provider.ts';

/** Settings of the identity provider at which operators may sign in to the console. */
export const oidcSettings = {
  ASSIZE_OIDC_ISSUER: Type.Optional(
    Type.String({
      pattern: '^https?://[^\\s/@?#]+(?:/[^\\s?#]*)?$',
      maxLength: 500,
      description:
        'URL of an OpenID provider at which operators may sign in to the console, such as `https://login.example.com`; https, or http on a loopback address',
    }),
  ),
  ASSIZE_OIDC_CLIENT_ID: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'id under which it knows this service' }),
  ),
  ASSIZE_OIDC_CLIENT_SECRET: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1_000,
      description: 'secret of this client (`client_secret_post`); not needed when the provider asks for none',
    }),
  ),
  ASSIZE_OIDC_CLIENT_SECRET_FILE: Type.Optional(
    Type.String({ minLength: 1, description: 'file with this secret instead' }),
  ),
};

interface Given {
  ASSIZE_OIDC_ISSUER?: string;
  ASSIZE_OIDC_CLIENT_ID?: string;
  ASSIZE_OIDC_CLIENT_SECRET?: string;
  ASSIZE_OIDC_CLIENT_SECRET_FILE?: string;
  ASSIZE_PUBLIC_URL?: string;
}

/** Null without one. Adds to `mistakes` what is wrong. */
export function readIdentityProvider(given: Given, mistakes: string[]): IdentityProviderOptions | null {
  const { ASSIZE_OIDC_ISSUER: issuer, ASSIZE_OIDC_CLIENT_ID: clientId, ASSIZE_PUBLIC_URL: publicUrl } = given;
  const clientSecret = readSecret(given, mistakes);
  if (issuer === undefined) {
    for (const name of Object.keys(oidcSettings) as (keyof typeof oidcSettings)[]) {
      if (given[name] !== undefined) mistakes.push(`${name}: needs ASSIZE_OIDC_ISSUER`);
    }
    return null;
  }
  if (!isSafe(issuer)) {
    mistakes.push('ASSIZE_OIDC_ISSUER: must be an https URL, or an http URL of a loopback address');
  }
  if (clientId === undefined) {
    mistakes.push('ASSIZE_OIDC_CLIENT_ID: must be set together with ASSIZE_OIDC_ISSUER');
  }
  if (publicUrl === undefined) {
    mistakes.push(
      'ASSIZE_PUBLIC_URL: must be set together with ASSIZE_OIDC_ISSUER, which sends people back to it',
    );
  }
  const callbackUrl = `${publicUrl?.replace(/\/+$/, '')}/console/oidc/callback`;
  return { issuer, clientId: clientId ?? '', clientSecret, callbackUrl };
}

function readSecret(given: Given, mistakes: string[]): string | null {
  const { ASSIZE_OIDC_CLIENT_SECRET: secret, ASSIZE_OIDC_CLIENT_SECRET_FILE: file } = given;
  if (file === undefined) return secret ?? null;
  if (secret !== undefined) {
    mistakes.push('ASSIZE_OIDC_CLIENT_SECRET_FILE: must not be set together with ASSIZE_OIDC_CLIENT_SECRET');
    return null;
  }
  try {
    const text = readFileSync(file, 'utf8').trim();
    if (text === '') mistakes.push('ASSIZE_OIDC_CLIENT_SECRET_FILE: must name a file with a secret in it');
    return text;
  } catch (error) {
    mistakes.push(`ASSIZE_OIDC_CLIENT_SECRET_FILE: cannot be read: ${(error as Error).message}`);
    return null;
  }
}

/** Codes and tokens over plain HTTP must not leave the machine. */
function isSafe(issuer: string): boolean {
  if (!URL.canParse(issuer)) return false;
  const { protocol, hostname } = new URL(issuer);
  return protocol === 'https:' || /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}
