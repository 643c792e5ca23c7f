import { type Static, Type } from '@sinclair/typebox';
import { OperatorKey } from './operator-keys.ts';
import { EmailAddress, NameText, Nullable, NullableText, Timestamp, Uuid } from './values.ts';

const operatorRoles = ['OWNER', 'POLICY_EDITOR', 'REVIEWER', 'AUDITOR', 'READ_ONLY'] as const;
export const OperatorRole = Type.Unsafe<(typeof operatorRoles)[number]>({
  type: 'string',
  enum: [...operatorRoles],
});
export type OperatorRole = Static<typeof OperatorRole>;

const operatorStatuses = ['ACTIVE', 'DISABLED'] as const;
export const OperatorStatus = Type.Unsafe<(typeof operatorStatuses)[number]>({
  type: 'string',
  enum: [...operatorStatuses],
});
export type OperatorStatus = Static<typeof OperatorStatus>;

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
