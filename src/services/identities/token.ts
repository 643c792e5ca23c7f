import {
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  errors,
  type JSONWebKeySet,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  type JWTVerifyResult,
  jwtVerify,
} from 'jose';
import { v5 as uuidv5 } from 'uuid';
import type {
  IdentityIssuer,
  IdentityRefusal,
  IdentityRefusalReason,
  IdentitySettings,
  VerifiedIdentity,
} from '../../schemas/identities.ts';
import type { KeySets } from './key-sets.ts';

// Checks one token. Loaded with the first token, because of its library.

/** Who sends a request, proven by its token. */
export interface ProvenIdentity {
  readonly identity: VerifiedIdentity;
  /** The entity that stands for this subject of this issuer: its sessions are about it, and counters over `entity` count it. */
  readonly entityId: string;
}

export interface VerifiedToken extends ProvenIdentity {
  readonly verifiedAt: number;
  /** Epoch milliseconds, with the clock skew of its issuer. */
  readonly notBefore: number;
  readonly expiresAt: number;
}

/** UUID of version 5 (RFC 9562) of the JSON list of both, under the namespace for URLs. */
export const entityIdOf = (issuer: string, subject: string): string =>
  uuidv5(JSON.stringify([issuer, subject]), uuidv5.URL);

const longestText = 255;
const mostScopes = 200;
const mostActors = 10;
const mostClaimBytes = 4_096;
const defaultAlgorithms: readonly string[] = ['RS256', 'PS256', 'ES256', 'EdDSA'];
const defaultSkewSeconds = 30;

/**
 * Types of tokens that an issuer signs with the same keys and that say something else than who acts: messages to a client about an end of
 * a session, events, proofs of possession, answers about other tokens (RFC 8725, section 3.11).
 */
const otherTypes: ReadonlySet<string> = new Set([
  'logout+jwt',
  'secevent+jwt',
  'dpop+jwt',
  'token-introspection+jwt',
  'oauth-authz-req+jwt',
]);

const getters = new WeakMap<object, JWTVerifyGetKey>();

function getterOf(keys: JSONWebKeySet): JWTVerifyGetKey {
  let getter = getters.get(keys);
  if (!getter) {
    getter = createLocalJWKSet(keys);
    getters.set(keys, getter);
  }
  return getter;
}

/** Whom a token proves at `at` (epoch milliseconds), or why it proves nobody. Never throws for what a caller sends. */
export async function verifyToken(
  keySets: KeySets,
  settings: IdentitySettings,
  token: string,
  at: number,
): Promise<VerifiedToken | IdentityRefusal> {
  let issuer: IdentityIssuer | undefined;
  try {
    const type = String(decodeProtectedHeader(token).typ ?? '')
      .toLowerCase()
      .replace(/^application\//, '');
    if (otherTypes.has(type))
      return refusal('identity_malformed', `a token of the type ${type} proves nobody`);
    const { iss } = decodeJwt(token);
    issuer = settings.issuers.find((one) => one.issuer === iss);
  } catch {
    return refusal('identity_malformed', 'the token is no JSON Web Token');
  }
  if (!issuer)
    return refusal('identity_unknown_issuer', 'the integration takes no tokens of the issuer of this token');
  try {
    const claims = await checked(keySets, token, issuer, at);
    if (claims === null)
      return refusal('identity_keys_unavailable', `the keys of ${issuer.issuer} cannot be read now`);
    return readClaims(claims, issuer, at);
  } catch (error) {
    if (error instanceof errors.JWTExpired) return refusal('identity_expired', 'the token has expired');
    if (error instanceof errors.JWTClaimValidationFailed) return claimRefusal(error, issuer);
    if (error instanceof errors.JWKSNoMatchingKey)
      return refusal('identity_unverified', `${issuer.issuer} has no key that verifies the token`);
    if (error instanceof errors.JOSEAlgNotAllowed)
      return refusal('identity_unverified', 'the algorithm of the token is not one that its issuer may use');
    return refusal('identity_unverified', 'the signature of the token is not right');
  }
}

/** The claims of a token whose signature, issuer, audience and times are right; else an error of the library. */
async function checked(
  keySets: KeySets,
  token: string,
  issuer: IdentityIssuer,
  at: number,
): Promise<JWTPayload | null> {
  const options: JWTVerifyOptions = {
    issuer: issuer.issuer,
    audience: issuer.audiences,
    algorithms: [...(issuer.algorithms ?? defaultAlgorithms)],
    clockTolerance: issuer.clockSkewSeconds ?? defaultSkewSeconds,
    currentDate: new Date(at),
    requiredClaims: ['sub', 'exp'],
  };
  let found = await keySets.of(issuer);
  while (found) {
    try {
      return (await verifyWith(token, getterOf(found.keys), options)).payload;
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      const newer = await keySets.of(issuer, found.generation);
      if (!newer) throw error;
      found = newer;
    }
  }
  return null;
}

/** With each of several keys that fit, where the token names none. */
async function verifyWith(
  token: string,
  getter: JWTVerifyGetKey,
  options: JWTVerifyOptions,
): Promise<JWTVerifyResult> {
  try {
    return await jwtVerify(token, getter, options);
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    for await (const key of error) {
      try {
        return await jwtVerify(token, key, options);
      } catch (other) {
        if (!(other instanceof errors.JWSSignatureVerificationFailed)) throw other;
      }
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
}

const refusal = (refused: IdentityRefusalReason, message: string): IdentityRefusal => ({ refused, message });

function claimRefusal(
  { claim, reason }: { claim: string; reason: string },
  { issuer }: IdentityIssuer,
): IdentityRefusal {
  if (reason === 'missing') return refusal('identity_malformed', `the token lacks the claim ${claim}`);
  if (claim === 'aud')
    return refusal('identity_wrong_audience', `the token of ${issuer} is for another audience`);
  if (claim === 'nbf') return refusal('identity_not_yet_valid', 'the token is not valid yet');
  return refusal('identity_malformed', `the claim ${claim} of the token is not right`);
}

/** Tells a text that people can read and that can be compared: no control character, and not longer than a line. */
const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= longestText && !/\p{Cc}/u.test(value);

function readClaims(claims: JWTPayload, issuer: IdentityIssuer, at: number): VerifiedToken | IdentityRefusal {
  const malformed = (message: string) => refusal('identity_malformed', message);
  const { sub, jti, exp = 0, nbf, scope, scp, act } = claims;
  if (!isText(sub)) return malformed('the claim sub of the token is no short text');
  if (jti !== undefined && !isText(jti)) return malformed('the claim jti of the token is no short text');
  const scopes = readScopes(scope ?? scp);
  if (scopes === null) return malformed('the claim scope of the token is no list of scopes');
  const actors = readActors(act);
  if (actors === null) return malformed('the claim act of the token is no chain of actors (RFC 8693)');
  const kept = Object.fromEntries(
    (issuer.keepClaims ?? []).flatMap((name) => (Object.hasOwn(claims, name) ? [[name, claims[name]]] : [])),
  );
  if (Buffer.byteLength(JSON.stringify(kept)) > mostClaimBytes)
    return malformed(`the kept claims of the token have more than ${mostClaimBytes} bytes`);
  const skewMs = (issuer.clockSkewSeconds ?? defaultSkewSeconds) * 1_000;
  return {
    identity: { issuer: issuer.issuer, subject: sub, tokenId: jti ?? null, actors, scopes, claims: kept },
    entityId: entityIdOf(issuer.issuer, sub),
    verifiedAt: at,
    notBefore: nbf === undefined ? Number.NEGATIVE_INFINITY : nbf * 1_000 - skewMs,
    expiresAt: exp * 1_000 + skewMs,
  };
}

/** `scope`: texts between spaces (RFC 8693, section 4.2); `scp`: a list of them, as some issuers have it. Null for anything else. */
function readScopes(value: unknown): string[] | null {
  if (value === undefined) return [];
  const scopes = typeof value === 'string' ? value.split(' ').filter((one) => one !== '') : value;
  const isList = Array.isArray(scopes) && scopes.length <= mostScopes && scopes.every(isText);
  return isList ? scopes : null;
}

/** The subjects of `act`, the present actor first. Null when it is no such chain. */
function readActors(act: unknown): string[] | null {
  const actors: string[] = [];
  for (let one = act; one !== undefined; ) {
    if (typeof one !== 'object' || one === null || actors.length === mostActors) return null;
    const { sub, act: before } = one as { sub?: unknown; act?: unknown };
    if (!isText(sub)) return null;
    actors.push(sub);
    one = before;
  }
  return actors;
}
