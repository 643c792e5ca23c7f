import type { NewOperator, OperatorChange, StoredOperator, StoredOperatorKey } from './operators.ts';
import { parseList } from './parse-list.ts';

// How operators and their keys stand in a row: their lists as JSON text.

type OperatorRow = Omit<StoredOperator, 'roles' | 'groups'> & { roles: string; groups: string };
type KeyRow = Omit<StoredOperatorKey, 'ipRanges'> & { ipRanges: string };

export const toOperator = (row: OperatorRow): StoredOperator => ({
  ...row,
  roles: parseList(row.roles),
  groups: parseList(row.groups),
});

export const toOperatorKey = (row: KeyRow): StoredOperatorKey => ({
  ...row,
  ipRanges: parseList(row.ipRanges),
});

/** Without the id, which each backend names itself. */
export const newOperatorColumns = ({ name, email, roles, groups, entityId, createdAt }: NewOperator) => ({
  name,
  status: 'ACTIVE' as const,
  ...emailColumns(email),
  roles: JSON.stringify(roles),
  groups: JSON.stringify(groups),
  entityId,
  createdAt,
  updatedAt: createdAt,
});

export const changedOperatorColumns = ({ email, roles, groups, ...plain }: OperatorChange) => ({
  ...plain,
  ...(email !== undefined && emailColumns(email)),
  ...(roles && { roles: JSON.stringify(roles) }),
  ...(groups && { groups: JSON.stringify(groups) }),
});

const emailColumns = (email: string | null) => ({ email, emailKey: email?.toLowerCase() ?? null });

export const isOwner = ({ status, roles }: StoredOperator): boolean =>
  status === 'ACTIVE' && roles.includes('OWNER');
