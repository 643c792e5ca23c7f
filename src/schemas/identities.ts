import { type Static, Type } from '@sinclair/typebox';
import { JsonObject, KeptText, NameText, Nullable } from './values.ts';

/** Whom the token of a request speaks for, after its signature, issuer, audience and time were checked. */
export const VerifiedIdentity = Type.Object({
  issuer: Type.String(),
  subject: Type.String(),
  tokenId: Nullable(Type.String({ description: 'claim `jti`; the token itself is never kept' })),
  actors: Type.Array(Type.String(), {
    description:
      'subjects that act for `subject`, the one that sends the token first (claim `act`, RFC 8693); empty when it acts for itself',
  }),
  scopes: Type.Array(Type.String(), { description: 'claim `scope` or `scp`' }),
  claims: Type.Unsafe<JsonObject>({
    ...JsonObject,
    description: 'claims that the settings of the issuer keep (`keepClaims`)',
  }),
});
export type VerifiedIdentity = Static<typeof VerifiedIdentity>;

/** Why a token is not taken: the `reason` of the finding that blocks the action. */
export type IdentityRefusalReason =
  | 'identity_missing'
  | 'identity_malformed'
  | 'identity_unknown_issuer'
  | 'identity_wrong_audience'
  | 'identity_expired'
  | 'identity_not_yet_valid'
  | 'identity_unverified'
  | 'identity_keys_unavailable';

export interface IdentityRefusal {
  readonly refused: IdentityRefusalReason;
  /** For the caller: never a part of the token. */
  readonly message: string;
}

/** Algorithms of signatures that a token may have: RFC 7518, section 3.1, and RFC 8037. No symmetric one, whose key the agent might know, and never `none`. */
export const signatureAlgorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
] as const;
export type SignatureAlgorithm = (typeof signatureAlgorithms)[number];

const Url = (description: string) => KeptText(1_024, { minLength: 1, description });

export const IdentityIssuer = Type.Object(
  {
    issuer: Url(
      'claim `iss` of its tokens, to the letter; its keys are found by OpenID Connect discovery unless given',
    ),
    audiences: Type.Array(Type.String({ minLength: 1, maxLength: 1_024 }), {
      minItems: 1,
      maxItems: 20,
      uniqueItems: true,
      description: 'a token must be for one of these (claim `aud`)',
    }),
    jwksUri: Type.Optional(Url('where its keys are, in place of discovery')),
    jwks: Type.Optional(
      Type.Object(
        { keys: Type.Array(JsonObject, { minItems: 1, maxItems: 20 }) },
        {
          additionalProperties: false,
          description: 'its public keys (JWK Set, RFC 7517), in place of an address',
        },
      ),
    ),
    algorithms: Type.Optional(
      Type.Array(Type.Unsafe<SignatureAlgorithm>({ type: 'string', enum: [...signatureAlgorithms] }), {
        minItems: 1,
        maxItems: signatureAlgorithms.length,
        uniqueItems: true,
        default: ['RS256', 'PS256', 'ES256', 'EdDSA'],
      }),
    ),
    clockSkewSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 300,
        default: 30,
        description: 'allowed for `exp`, `nbf` and `iat`',
      }),
    ),
    keepClaims: Type.Optional(
      Type.Array(NameText(200), {
        maxItems: 20,
        uniqueItems: true,
        default: [],
        description:
          'claims that rules read as `identity.claims`, and that the record keeps; at most 4 KB together',
      }),
    ),
  },
  { additionalProperties: false },
);
export type IdentityIssuer = Static<typeof IdentityIssuer>;

/** Whose tokens an integration takes (`x-assize-identity`). */
export const IdentitySettings = Type.Object(
  {
    required: Type.Boolean({
      description:
        'BLOCKs what comes without a token; a token that cannot be verified is a BLOCK in any case',
    }),
    issuers: Type.Array(IdentityIssuer, { minItems: 1, maxItems: 10 }),
  },
  { additionalProperties: false },
);
export type IdentitySettings = Static<typeof IdentitySettings>;

/** Who acts in a test of a policy; what is left out is empty. */
export const TestIdentity = Type.Object(
  {
    issuer: Type.Optional(Type.String({ maxLength: 1_024 })),
    subject: Type.Optional(Type.String({ maxLength: 255 })),
    actors: Type.Optional(Type.Array(Type.String({ maxLength: 255 }), { maxItems: 10 })),
    scopes: Type.Optional(Type.Array(Type.String({ maxLength: 255 }), { maxItems: 200 })),
    claims: Type.Optional(JsonObject),
  },
  { additionalProperties: false, description: 'whom the token of the request proves; default: nobody' },
);
export type TestIdentity = Static<typeof TestIdentity>;

/** The identity that a test gives; null for nobody. */
export const givenIdentity = (given: TestIdentity | undefined): VerifiedIdentity | null =>
  given ? { issuer: '', subject: '', tokenId: null, actors: [], scopes: [], claims: {}, ...given } : null;
