import { type Static, Type } from '@sinclair/typebox';
import {
  EmailAddress,
  KeptText,
  NameText,
  Nullable,
  NullableText,
  Timestamp,
  Uuid,
} from '../../schemas/values.ts';
import {
  type OperatorRole as OperatorRoles,
  type OperatorStatus as OperatorStatuses,
  operatorRoles,
  operatorStatuses,
} from './words.ts';

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

export const OperatorRole = Type.Unsafe<OperatorRoles>({ type: 'string', enum: [...operatorRoles] });
export type OperatorRole = OperatorRoles;

export const OperatorStatus = Type.Unsafe<OperatorStatuses>({ type: 'string', enum: [...operatorStatuses] });
export type OperatorStatus = OperatorStatuses;

export const GroupName = Type.String({
  pattern: '^[a-z0-9][a-z0-9._-]{0,63}$',
  description: 'lower-case letters, digits, `.`, `_` and `-`; at most 64',
});

/** Who it is and what it may do, whatever its keys. */
const account = {
  id: Type.String({ description: '`local` on the command line of the database file' }),
  name: Type.String(),
  email: Nullable(Type.String()),
  status: OperatorStatus,
  roles: Type.Array(OperatorRole),
  groups: Type.Array(Type.String()),
  entityId: Nullable(Uuid),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

export const Operator = Type.Object({
  ...account,
  keys: Type.Array(OperatorKey, { description: 'those that are not revoked, newest first' }),
});
export type Operator = Static<typeof Operator>;

export const ListedOperator = Type.Object({
  ...account,
  keyCount: Type.Integer({ minimum: 0, description: 'keys that are not revoked' }),
});
export type ListedOperator = Static<typeof ListedOperator>;

export const CurrentOperator = Type.Object({
  id: account.id,
  name: account.name,
  roles: account.roles,
  groups: account.groups,
  keyId: NullableText(
    Type.String({
      description: 'key used for this request; null for a sign-in at an identity provider',
    }),
  ),
  permissions: Type.Array(Type.String()),
  fourEyes: Type.Array(
    Type.Unsafe<'policies' | 'reviews'>({ type: 'string', enum: ['policies', 'reviews'] }),
    {
      description:
        'what takes two operators here (`ASSIZE_FOUR_EYES`): with `policies`, changes of what decides are proposed',
    },
  ),
});
export type CurrentOperator = Static<typeof CurrentOperator>;

const name = NameText(200);
const email = NullableText(
  Type.String({ ...EmailAddress, description: 'unique among operators, ignoring case' }),
);
const roles = Type.Array(OperatorRole, { minItems: 1, uniqueItems: true, maxItems: operatorRoles.length });
const groups = Type.Array(GroupName, { uniqueItems: true, maxItems: 20 });
const entityId = Type.Unsafe<string | null>({
  ...Uuid,
  type: ['string', 'null'],
  description: '`entityId` under which agents act for this person',
});

export const CreateOperator = Type.Object(
  {
    name,
    email: Type.Optional(email),
    roles,
    groups: Type.Optional(groups),
    entityId: Type.Optional(entityId),
  },
  { additionalProperties: false },
);
export type CreateOperator = Static<typeof CreateOperator>;

export const ChangeOperator = Type.Object(
  {
    name: Type.Optional(name),
    email: Type.Optional(email),
    status: Type.Optional(OperatorStatus),
    roles: Type.Optional(roles),
    groups: Type.Optional(groups),
    entityId: Type.Optional(entityId),
  },
  { additionalProperties: false, minProperties: 1 },
);
export type ChangeOperator = Static<typeof ChangeOperator>;
