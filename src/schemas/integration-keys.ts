import { type Static, Type } from '@sinclair/typebox';
import { NameText, Nullable, NullableText, Timestamp, Uuid } from './values.ts';

/** What a key of an integration may be used for. */
export const keyScopes = ['evaluate', 'sessions:open', 'sessions:end', 'read'] as const;
export type KeyScope = (typeof keyScopes)[number];

const Scopes = (description: string) =>
  Type.Array(Type.Unsafe<KeyScope>({ type: 'string', enum: [...keyScopes] }), {
    minItems: 1,
    maxItems: keyScopes.length,
    uniqueItems: true,
    description,
  });

const Name = NameText(200, { description: 'what it is for; `key` when absent' });

export const IntegrationKey = Type.Object({
  id: Uuid,
  integrationId: Uuid,
  name: Type.String(),
  lastFour: Nullable(Type.String({ description: 'its last four characters; null for keys of old versions' })),
  scopes: Scopes('what it may be used for'),
  createdAt: Timestamp,
  lastUsedAt: Nullable(
    Type.String({ ...Timestamp, description: 'to the minute: written once a minute at most' }),
  ),
  expiresAt: Nullable(Timestamp),
  revokedAt: Nullable(Timestamp),
});
export type IntegrationKey = Static<typeof IntegrationKey>;

const apiKey = Type.String({
  description: 'shown only in this response: `asz_live_` and 43 base64url characters',
});

export const CreatedIntegrationKey = Type.Object({ ...IntegrationKey.properties, apiKey });
export type CreatedIntegrationKey = Static<typeof CreatedIntegrationKey>;

export const RotatedIntegrationKey = Type.Object({
  ...IntegrationKey.properties,
  apiKey,
  replaces: Type.Unsafe<IntegrationKey>({
    ...IntegrationKey,
    description: 'the key that was rotated; it works until its `expiresAt`',
  }),
});
export type RotatedIntegrationKey = Static<typeof RotatedIntegrationKey>;

export const CreateIntegrationKey = Type.Object(
  {
    name: Type.Optional(Name),
    scopes: Type.Optional(Scopes('what it may be used for; everything when absent')),
    expiresAt: Type.Optional(NullableText(Timestamp)),
  },
  { additionalProperties: false },
);
export type CreateIntegrationKey = Static<typeof CreateIntegrationKey>;

export const RotateIntegrationKey = Type.Object(
  {
    overlapHours: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 168,
        default: 24,
        description: 'for how long the key that is rotated goes on working, unless it expires earlier',
      }),
    ),
    expiresAt: Type.Optional(NullableText({ ...Timestamp, description: 'of the new key' })),
  },
  { additionalProperties: false },
);
export type RotateIntegrationKey = Static<typeof RotateIntegrationKey>;
