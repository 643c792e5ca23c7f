import { at, ids, later } from '../../http/openapi/example-story.ts';

const operatorKey = {
  id: ids.operatorKey,
  operatorId: ids.operator,
  name: 'laptop',
  lastFour: 'k3Qw',
  current: true,
  createdAt: at,
  lastUsedAt: later,
  expiresAt: null,
  ipRanges: ['203.0.113.0/24'],
  revokedAt: null,
};

export const operator = {
  id: ids.operator,
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  status: 'ACTIVE',
  roles: ['REVIEWER'],
  groups: ['payments'],
  entityId: null,
  createdAt: at,
  updatedAt: at,
};

export const operatorExamples: Readonly<Record<string, unknown>> = {
  ChangeOperator: { roles: ['REVIEWER', 'POLICY_EDITOR'] },
  CreateOperator: {
    name: operator.name,
    email: operator.email,
    roles: operator.roles,
    groups: operator.groups,
  },
  CreateOperatorKey: { operatorId: ids.operator, name: operatorKey.name, ipRanges: operatorKey.ipRanges },
  CurrentOperator: {
    id: operator.id,
    name: operator.name,
    roles: operator.roles,
    groups: operator.groups,
    keyId: ids.operatorKey,
    permissions: ['self:read', 'reviews:read', 'reviews:decide'],
    fourEyes: ['policies'],
  },
  CreatedOperatorKey: { ...operatorKey, current: false, key: `asz_admin_${'0'.repeat(43)}` },
  ListedOperator: { ...operator, keyCount: 1 },
  Operator: { ...operator, keys: [operatorKey] },
  OperatorKey: operatorKey,
};
