import { hash } from 'node:crypto';
import type { Awaitable } from '../../awaitable.ts';
import { AppError } from '../../errors.ts';
import { minuteMs } from '../../schemas/durations.ts';
import type { IdentityIssuer, IdentityRefusal, IdentitySettings } from '../../schemas/identities.ts';
import type { KeySets } from './key-sets.ts';
import type { ProvenIdentity, VerifiedToken } from './token.ts';

export interface Identities {
  /**
   * Checks the token of a request at `at` (epoch milliseconds). Null: the integration takes no tokens, or none was sent and none is
   * required. Never throws for what a caller sends.
   */
  verify(
    settings: IdentitySettings | null,
    token: string | null,
    at: number,
  ): Awaitable<ProvenIdentity | IdentityRefusal | null>;
}

const longestToken = 16_384;
/** A token that was verified is taken again for so long: keys that an issuer withdraws verify nothing new after it. */
const verifiedMs = minuteMs;
const mostVerified = 2_000;

export function createIdentities({ keySets }: { keySets: KeySets }): Identities {
  /** By the SHA-256 of the token, for the settings that it was verified under. */
  const verified = new WeakMap<IdentitySettings, Map<string, VerifiedToken>>();

  async function verifyAnew(settings: IdentitySettings, token: string, at: number) {
    const { verifyToken } = await import('./token.ts');
    return verifyToken(keySets, settings, token, at);
  }

  return {
    verify(settings, token, at) {
      if (settings === null) return null;
      if (token === null)
        return settings.required
          ? refusal(
              'identity_missing',
              'the integration requires a token that says who acts: send it in x-assize-identity',
            )
          : null;
      if (token.length > longestToken)
        return refusal('identity_malformed', `a token may have ${longestToken} characters`);
      let known = verified.get(settings);
      if (!known) {
        known = new Map();
        verified.set(settings, known);
      }
      const key = hash('sha256', token);
      const before = known.get(key);
      if (
        before &&
        Math.abs(at - before.verifiedAt) < verifiedMs &&
        at >= before.notBefore &&
        at < before.expiresAt
      )
        return before;
      return verifyAnew(settings, token, at).then((result) => {
        if ('refused' in result) return result;
        if (known.size >= mostVerified) known.clear();
        known.set(key, result);
        return result;
      });
    },
  };
}

const refusal = (refused: IdentityRefusal['refused'], message: string): IdentityRefusal => ({
  refused,
  message,
});

/** Settings are read with their integration in every list. */
const mostBytes = 16_384;
const publicTypes: readonly unknown[] = ['RSA', 'EC', 'OKP'];
/** Members of a JSON Web Key that hold a private or a symmetric key (RFC 7518, section 6). */
const secretMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'] as const;

/** Throws for settings under which a token could not be checked. `path`: JSON Pointer to them. */
export function checkIdentitySettings(settings: IdentitySettings, path: string): void {
  if (Buffer.byteLength(JSON.stringify(settings)) > mostBytes)
    throw new AppError(
      'invalid',
      `must be at most ${mostBytes} bytes of JSON: name jwksUri in place of jwks`,
      { path },
    );
  const seen = new Set<string>();
  for (const [index, issuer] of settings.issuers.entries()) {
    const at = `${path}/issuers/${index}`;
    if (seen.has(issuer.issuer))
      throw new AppError('invalid', 'names an issuer twice: give its audiences in one place', {
        path: `${at}/issuer`,
      });
    seen.add(issuer.issuer);
    checkAddress(issuer.issuer, `${at}/issuer`);
    if (issuer.jwksUri !== undefined) checkAddress(issuer.jwksUri, `${at}/jwksUri`);
    if (issuer.jwksUri !== undefined && issuer.jwks)
      throw new AppError('invalid', 'the keys are given in two places: leave out this or jwksUri', {
        path: `${at}/jwks`,
      });
    checkKeys(issuer, `${at}/jwks/keys`);
  }
}

function checkAddress(text: string, path: string): void {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    url.username !== '' ||
    url.password !== '' ||
    url.hash !== ''
  )
    throw new AppError('invalid', 'must be an http or https URL without credentials and fragment', { path });
}

function checkKeys({ jwks }: IdentityIssuer, path: string): void {
  for (const [index, key] of (jwks?.keys ?? []).entries()) {
    if (!publicTypes.includes(key.kty))
      throw new AppError('invalid', 'must be a public key of kty RSA, EC or OKP', {
        path: `${path}/${index}/kty`,
      });
    const secret = secretMembers.find((member) => Object.hasOwn(key, member));
    if (secret !== undefined)
      throw new AppError('invalid', 'is a private key: give the public one, without this member', {
        path: `${path}/${index}/${secret}`,
      });
  }
}
