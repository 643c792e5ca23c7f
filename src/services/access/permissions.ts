import { AppError } from '../../errors.ts';
import type { OperatorRole } from '../../features/operators/schema.ts';

const everyone = ['OWNER', 'POLICY_EDITOR', 'REVIEWER', 'AUDITOR', 'READ_ONLY'] as const;

/** The roles that each permission is given to: the one place that says who may do what. Every management route names one of them. */
export const permissions = {
  'self:read': everyone,
  'integrations:read': everyone,
  'integrations:write': ['OWNER'],
  'policies:read': everyone,
  'policies:write': ['OWNER', 'POLICY_EDITOR'],
  'policies:simulate': ['OWNER', 'POLICY_EDITOR', 'AUDITOR'],
  'lists:read': everyone,
  'lists:write': ['OWNER', 'POLICY_EDITOR'],
  'bindings:read': everyone,
  'bindings:write': ['OWNER', 'POLICY_EDITOR'],
  'house-policies:write': ['OWNER', 'POLICY_EDITOR'],
  'proposals:read': everyone,
  'proposals:write': ['OWNER', 'POLICY_EDITOR'],
  'sessions:read': everyone,
  'sessions:write': ['OWNER', 'REVIEWER'],
  'evaluations:read': everyone,
  'violations:read': everyone,
  'violations:triage': ['OWNER', 'POLICY_EDITOR', 'REVIEWER'],
  'entities:read': everyone,
  'entities:write': ['OWNER', 'POLICY_EDITOR'],
  'reviews:read': everyone,
  'reviews:decide': ['OWNER', 'REVIEWER'],
  'events:read': everyone,
  'webhooks:read': ['OWNER', 'AUDITOR'],
  'webhooks:write': ['OWNER'],
  'audit:read': ['OWNER', 'AUDITOR'],
  'operators:read': ['OWNER', 'AUDITOR'],
  'operators:write': ['OWNER'],
} as const satisfies Record<string, readonly OperatorRole[]>;

export type Permission = keyof typeof permissions;

export const mayDo = (roles: readonly OperatorRole[], permission: Permission): boolean => {
  const given: readonly OperatorRole[] = permissions[permission];
  return roles.some((role) => given.includes(role));
};

export const permissionsOf = (roles: readonly OperatorRole[]): Permission[] =>
  (Object.keys(permissions) as Permission[]).filter((permission) => mayDo(roles, permission));

/** Names the missing permission, and the roles that have it. */
export function assertMay(roles: readonly OperatorRole[], permission: Permission): void {
  if (mayDo(roles, permission)) return;
  const given = permissions[permission].join(' or ');
  throw new AppError('forbidden', `this needs the permission ${permission}, which the role ${given} has`);
}

export const fourEyesKinds = ['policies', 'reviews'] as const;
/** The kinds of decisions that take two operators. */
export type FourEyes = (typeof fourEyesKinds)[number];

export const ownVersion = (): AppError =>
  new AppError(
    'forbidden',
    'four-eyes control: the author of a version cannot activate it; another operator must',
  );

export const needsProposal = (): AppError =>
  new AppError(
    'forbidden',
    'four-eyes control: propose this change (POST /v1/proposals); another operator must activate it',
  );

export const ownProposal = (): AppError =>
  new AppError(
    'forbidden',
    'four-eyes control: the author of a proposal cannot activate it; another operator must',
  );

export const ownRequest = (): AppError =>
  new AppError(
    'forbidden',
    'four-eyes control: who made a key of the integration, or is the entity of the session, cannot approve its actions or remove their labels',
  );
