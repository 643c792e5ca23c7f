import type { FastifyRequest } from 'fastify';
import type { Audit } from '../../../services/audit.ts';
import type { OperatorCaller } from '../../../services/authentication.ts';

/** Resolves once the entry is durable. */
export function recordSignIn(
  audit: Audit,
  request: FastifyRequest,
  { operator, keyId }: OperatorCaller,
  action: 'signIn' | 'signOut',
  statusCode: number,
): Promise<void> {
  const call = {
    actorKind: 'operator',
    actorId: operator.id,
    actorName: operator.name,
    keyId,
    action,
    resource: null,
    resourceId: null,
    method: request.method,
    path: request.routeOptions.url ?? '',
    address: request.ip,
    requestId: String(request.id),
  } as const;
  return audit.record(call, statusCode);
}
