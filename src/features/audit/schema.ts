import { type Static, Type } from '@sinclair/typebox';
import { JsonObject, Nullable, Omitted, Timestamp, Uuid } from '../../schemas/values.ts';
import {
  type AuditActorKind,
  auditActorKinds,
  auditOutcomes,
  type AuditOutcome as Outcome,
} from './words.ts';

export const AuditOutcome = Type.Unsafe<Outcome>({ type: 'string', enum: [...auditOutcomes] });
export type AuditOutcome = Outcome;

export const AuditEntry = Type.Object({
  id: Uuid,
  at: Timestamp,
  actor: Type.Object({
    kind: Type.Unsafe<AuditActorKind>({ type: 'string', enum: [...auditActorKinds] }),
    id: Type.String({ description: '`local` on the command line of the database file' }),
    name: Type.String({ description: 'name at the time of the call' }),
    keyId: Nullable(Type.String()),
  }),
  action: Type.String({ description: 'the `operationId` of the route' }),
  resource: Nullable(Type.String({ description: 'the kind of the resource, as in paths: `policies`' })),
  resourceId: Nullable(Type.String()),
  outcome: AuditOutcome,
  statusCode: Type.Integer(),
  message: Nullable(Type.String({ description: 'why it was refused' })),
  method: Type.String(),
  path: Type.String({
    description: 'without the query, and without path segments that should be ids but are not',
  }),
  address: Nullable(Type.String()),
  requestId: Type.String(),
  before: Nullable(JsonObject),
  after: Nullable(JsonObject),
});
export type AuditEntry = Static<typeof AuditEntry>;

export const ListedAuditEntry = Type.Object({ ...AuditEntry.properties, omitted: Omitted });
export type ListedAuditEntry = Static<typeof ListedAuditEntry>;
