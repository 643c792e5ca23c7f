import type { AuditedChange, NewEvent, StoredPolicy } from '../../store/store.ts';
import type { EventType } from './event-types.ts';

/** The event type of each operation that changes something; `management.changed` for those not named here. */
const typesByOperation: Readonly<Record<string, EventType | null>> = {
  createOperator: 'operator.created',
  changeOperator: 'operator.updated',
  createOperatorKey: 'key.created',
  revokeOperatorKey: 'key.revoked',
  regenerateKey: 'key.rotated',
  createIntegrationKey: 'key.created',
  rotateIntegrationKey: 'key.rotated',
  revokeIntegrationKey: 'key.revoked',
  regenerateWebhookSecret: 'secret.rotated',
  createIntegration: 'integration.created',
  changeIntegration: 'integration.updated',
  deleteIntegration: 'integration.deleted',
  replaceToolCatalogue: 'tools.changed',
  importTools: 'tools.changed',
  acceptTools: 'tools.changed',
  seeTools: 'tools.changed',
  createMcpServer: 'mcp-server.created',
  changeMcpServer: 'mcp-server.updated',
  deleteMcpServer: 'mcp-server.deleted',
  bindPolicy: 'policy.bound',
  unbindPolicy: 'policy.unbound',
  createPolicy: 'policy.created',
  updatePolicy: 'policy.updated',
  activatePolicy: 'policy.activated',
  rollBackPolicy: 'policy.rolled-back',
  schedulePolicy: 'policy.scheduled',
  unschedulePolicy: 'policy.unscheduled',
  deprecatePolicy: 'policy.deprecated',
  deletePolicy: 'policy.deleted',
  bindHousePolicy: 'house-policy.bound',
  unbindHousePolicy: 'house-policy.unbound',
  createList: 'list.created',
  changeList: 'list.updated',
  deleteList: 'list.deleted',
  proposeChange: 'proposal.created',
  activateProposal: 'proposal.activated',
  rejectProposal: 'proposal.rejected',
  acknowledgeViolation: 'violation.acknowledged',
  resolveViolation: 'violation.resolved',
  dismissViolation: 'violation.dismissed',
  registerEntity: 'entity.created',
  changeEntity: 'entity.updated',
  deleteEntity: 'entity.deleted',
  removeLabel: 'label.removed',
  removeGrant: 'grant.removed',
  createWebhook: 'webhook.created',
  changeWebhook: 'webhook.updated',
  deleteWebhook: 'webhook.deleted',
  rotateWebhookSecret: 'secret.rotated',
  // These write events of their own, which say more.
  endEvaluationSession: null,
  approveReview: null,
  rejectReview: null,
  decideReviews: null,
  claimReview: null,
  releaseReview: null,
  extendReview: null,
  commentReview: null,
};

/** Fields of a resource that an event repeats: they say which it is, and in which state. */
const shownFields = ['name', 'status', 'version'] as const;

type Resource = Record<string, unknown>;
const parsed = (text: string | null): Resource => (text === null ? {} : JSON.parse(text));

/** The event of a management change; null where the change writes its own. It names what changed, and no values but its name. */
export function managementEvent(change: AuditedChange, newId: () => string): NewEvent | null {
  const { call, auditId, resourceId } = change;
  const type = Object.hasOwn(typesByOperation, call.action)
    ? typesByOperation[call.action]
    : 'management.changed';
  if (type === null || type === undefined) return null;
  const [before, after] = [parsed(change.before), parsed(change.after)];
  const now = change.after === null ? before : after;
  const integrationId =
    call.resource === 'integrations' ? resourceId : ((now.integrationId as string | undefined) ?? null);
  const fields = Object.keys({ ...before, ...after });
  return {
    id: newId(),
    type,
    at: call.at,
    integrationId,
    subject: [call.resource, resourceId].filter(Boolean).join('/'),
    data: JSON.stringify({
      operation: call.action,
      auditId,
      actor: { kind: call.actorKind, id: call.actorId, name: call.actorName, keyId: call.keyId },
      address: call.address,
      requestId: call.requestId,
      resource: call.resource,
      resourceId,
      ...call.told?.data,
      ...(integrationId !== null && { integrationId }),
      ...Object.fromEntries(shownFields.flatMap((field) => (field in now ? [[field, now[field]]] : []))),
      changed: fields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field])),
    }),
  };
}

/** The event of a version that became the current one at its time: nobody called. */
export const scheduledActivation =
  (newId: () => string) =>
  ({ id, name, status, version, updatedAt }: StoredPolicy): NewEvent => {
    const type: EventType = 'policy.activated';
    const data = { resource: 'policies', resourceId: id, name, status, version };
    return {
      id: newId(),
      type,
      at: updatedAt,
      integrationId: null,
      subject: `policies/${id}`,
      data: JSON.stringify(data),
    };
  };
