import { mayDo, type Permission } from '../../services/access/permissions.ts';
import type { OperatorRole } from '../operators/schema.ts';

/** Every type of event, by what an operator needs to see it. */
const typesByPermission = {
  'evaluations:read': ['evaluation.warned', 'evaluation.held', 'evaluation.blocked'],
  'sessions:read': ['session.opened', 'session.ended', 'label.removed', 'grant.removed'],
  'reviews:read': [
    'review.opened',
    'review.limit-reached',
    'review.claimed',
    'review.released',
    'review.commented',
    'review.extended',
    'review.expiring',
    'review.expired',
    'review.cancelled',
    'review.approved',
    'review.rejected',
    'review.consumed',
  ],
  'policies:read': [
    'policy.created',
    'policy.updated',
    'policy.activated',
    'policy.rolled-back',
    'policy.scheduled',
    'policy.unscheduled',
    'policy.deprecated',
    'policy.deleted',
    'policy.bound',
    'policy.unbound',
    'house-policy.bound',
    'house-policy.unbound',
  ],
  'lists:read': ['list.created', 'list.updated', 'list.deleted'],
  'proposals:read': ['proposal.created', 'proposal.activated', 'proposal.rejected'],
  'violations:read': ['violation.acknowledged', 'violation.resolved', 'violation.dismissed'],
  'entities:read': ['entity.created', 'entity.updated', 'entity.deleted'],
  'integrations:read': [
    'integration.created',
    'integration.updated',
    'integration.deleted',
    'integration.unprotected',
    'tools.changed',
    'tool.undescribed',
    'mcp-server.created',
    'mcp-server.updated',
    'mcp-server.deleted',
  ],
  'operators:read': [
    'operator.created',
    'operator.updated',
    'key.created',
    'key.rotated',
    'key.revoked',
    'secret.rotated',
  ],
  'webhooks:read': ['webhook.created', 'webhook.updated', 'webhook.deleted'],
  'audit:read': ['management.changed', 'record.root'],
} as const satisfies Partial<Record<Permission, readonly string[]>>;

export type EventType = (typeof typesByPermission)[keyof typeof typesByPermission][number];

const permissionByType = new Map<string, Permission>(
  Object.entries(typesByPermission).flatMap(([permission, types]) =>
    types.map((type) => [type, permission as Permission] as const),
  ),
);

export const eventTypes = [...permissionByType.keys()] as EventType[];

/** An unknown type, as of a newer version that wrote to the same file, is for who may read everything. */
export const mayRead = (roles: readonly OperatorRole[], type: string): boolean =>
  mayDo(roles, permissionByType.get(type) ?? 'audit:read');

/** The types that a filter names: a type, or the start of one with `*` in place of the rest. Null when it names none. */
export function typesNamed(filter: string): EventType[] | null {
  const found = eventTypes.filter((type) =>
    filter.endsWith('.*') ? type.startsWith(filter.slice(0, -1)) : type === filter,
  );
  return filter === '*' ? eventTypes : found.length > 0 ? found : null;
}
