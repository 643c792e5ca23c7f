import type { JSONWebKeySet } from 'jose';
import { minuteMs } from '../../schemas/durations.ts';
import type { IdentityIssuer } from '../../schemas/identities.ts';
import type { AddressPolicy } from '../callbacks/address-policy.ts';
import { fetchJson } from '../node-http.ts';

/** Older keys are read again beside the requests that they still verify. */
const freshMs = 10 * minuteMs;
/** Older keys verify nothing: an issuer may have withdrawn them since. */
const usableMs = 60 * minuteMs;
/** Keys that the issuer does not have are asked for once in this time, however many tokens name one. */
const missingMs = minuteMs / 2;
/** An issuer that cannot be reached is asked once in this time. */
const failedMs = 5_000;
/** A token that names no key is tried with each of an issuer. */
const mostKeys = 100;
/** Addresses of issuers whose keys are kept; all of them belong to integrations. */
const mostSets = 1_000;

interface KeySet {
  keys: JSONWebKeySet | null;
  /** Counts the readings, so that what was made of older keys is not used. */
  generation: number;
  readAt: number;
  failedAt: number;
  missedAt: number;
  reading: Promise<void> | null;
}

/** The public keys of issuers, read once for all requests. */
export interface KeySets {
  /**
   * The keys of the issuer. `missing`: a token names a key that those of this generation do not have, so they are read again, at most
   * once in 30 seconds. Null when there are none that are younger than an hour and none can be read.
   */
  of(issuer: IdentityIssuer, missing?: number): Promise<{ keys: JSONWebKeySet; generation: number } | null>;
}

/** `now`: milliseconds of a clock that nobody sets, such as `performance.now`. */
export function createKeySets(deps: {
  policy: AddressPolicy;
  now: () => number;
  onError: (error: unknown) => void;
}): KeySets {
  const { policy, now, onError } = deps;
  const sets = new Map<string, KeySet>();

  async function read(set: KeySet, issuer: IdentityIssuer): Promise<void> {
    try {
      const keys = await fetchJson(issuer.jwksUri ?? (await discover(issuer.issuer)), policy);
      if (!Array.isArray(keys.keys)) throw new Error(`${issuer.issuer} has no JSON Web Key Set`);
      if (keys.keys.length > mostKeys) throw new Error(`${issuer.issuer} has more than ${mostKeys} keys`);
      set.keys = { keys: keys.keys };
      set.readAt = now();
      set.generation++;
    } catch (error) {
      set.failedAt = now();
      onError(new Error(`the keys of the identity issuer ${issuer.issuer} cannot be read`, { cause: error }));
    } finally {
      set.reading = null;
    }
  }

  /** OpenID Connect Discovery 1.0, section 4: the document must name the very issuer that was asked. */
  async function discover(issuer: string): Promise<string> {
    const document = await fetchJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, policy);
    if (document.issuer !== issuer) throw new Error('the discovery document is of another issuer');
    const { jwks_uri: uri } = document;
    if (typeof uri !== 'string' || !/^https?:\/\//.test(uri))
      throw new Error('the discovery document names no jwks_uri');
    return uri;
  }

  function setOf(issuer: IdentityIssuer): KeySet {
    const name = JSON.stringify([issuer.issuer, issuer.jwksUri]);
    let set = sets.get(name);
    if (!set) {
      if (sets.size >= mostSets) sets.delete(sets.keys().next().value as string);
      set = {
        keys: null,
        generation: 0,
        readAt: Number.NEGATIVE_INFINITY,
        failedAt: Number.NEGATIVE_INFINITY,
        missedAt: Number.NEGATIVE_INFINITY,
        reading: null,
      };
      sets.set(name, set);
    }
    return set;
  }

  return {
    async of(issuer, missing) {
      if (issuer.jwks)
        return missing === undefined
          ? { keys: issuer.jwks as unknown as JSONWebKeySet, generation: 0 }
          : null;
      const set = setOf(issuer);
      const at = now();
      const isUsable = () => set.keys !== null && now() - set.readAt < usableMs;
      const lacksKey = missing !== undefined && set.generation === missing;
      const asksForKey = lacksKey && at - set.missedAt >= missingMs;
      if ((at - set.readAt >= freshMs || asksForKey) && at - set.failedAt >= failedMs) {
        if (asksForKey) set.missedAt = at;
        set.reading ??= read(set, issuer);
      }
      if (!isUsable() || lacksKey) await set.reading;
      if (!isUsable() || set.generation === missing) return null;
      return { keys: set.keys as JSONWebKeySet, generation: set.generation };
    },
  };
}
