import { hash } from 'node:crypto';
import type { Awaitable } from '../../awaitable.ts';
import { minuteMs } from '../../schemas/durations.ts';
import type { IdentityRefusal, IdentitySettings } from '../../schemas/identities.ts';
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
