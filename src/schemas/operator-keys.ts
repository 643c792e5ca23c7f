import { type Static, Type } from '@sinclair/typebox';
import { KeptText, NameText, Nullable, NullableText, Timestamp, Uuid } from './values.ts';

export const OperatorKey = Type.Object({
  id: Uuid,
  operatorId: Uuid,
  name: Type.String(),
  lastFour: Nullable(Type.String({ description: 'its last four characters; null for keys of old versions' })),
  current: Type.Boolean({ description: 'whether this request was made with it' }),
  createdAt: Timestamp,
  lastUsedAt: Nullable(Type.String({ ...Timestamp, description: 'to the minute' })),
  expiresAt: Nullable(Timestamp),
  ipRanges: Type.Array(Type.String(), {
    description: 'addresses from which it may be used; empty means any',
  }),
  revokedAt: Nullable(Timestamp),
});
export type OperatorKey = Static<typeof OperatorKey>;

export const CreatedOperatorKey = Type.Object({
  ...OperatorKey.properties,
  key: Type.String({ description: 'shown only in this response: `asz_admin_` and 43 base64url characters' }),
});
export type CreatedOperatorKey = Static<typeof CreatedOperatorKey>;

export const CreateOperatorKey = Type.Object(
  {
    operatorId: Type.Optional(
      Type.String({ ...Uuid, description: 'owner of the key; by default the caller' }),
    ),
    name: Type.Optional(NameText(200, { description: 'what the key is for; default: `key`' })),
    expiresAt: Type.Optional(NullableText(Timestamp)),
    ipRanges: Type.Optional(
      Type.Array(KeptText(64), {
        maxItems: 20,
        uniqueItems: true,
        description: 'IP addresses and CIDR ranges from which it may be used',
      }),
    ),
  },
  { additionalProperties: false },
);
export type CreateOperatorKey = Static<typeof CreateOperatorKey>;
