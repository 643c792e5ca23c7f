import { createEntryWriter, type EntryLink } from './entries.ts';

/** A management call as its entry covers it. */
export interface RecordedCall {
  id: string;
  at: number;
  actorKind: string;
  actorId: string;
  actorName: string;
  /** The id of the operator key; null for an integration. */
  keyId: string | null;
  /** The operationId of the route. */
  action: string;
  /** The kind of the resource, as in paths: `policies`; null when the route names none. */
  resource: string | null;
  resourceId: string | null;
  method: string;
  path: string;
  /** Null when it is not known. */
  address: string | null;
  requestId: string;
  outcome: string;
  statusCode: number;
  message: string | null;
  /** JSON texts: a number in them is covered digit for digit. */
  before: string | null;
  after: string | null;
}

const write = createEntryWriter([
  'action',
  'actorId',
  'actorKind',
  'actorName',
  'address',
  'after',
  'at',
  'before',
  'id',
  'keyId',
  'kind',
  'message',
  'method',
  'outcome',
  'path',
  'requestId',
  'resource',
  'resourceId',
  'statusCode',
]);

export const managementEntry = (link: EntryLink, call: RecordedCall): string =>
  write(link, {
    kind: 'management',
    id: call.id,
    at: new Date(call.at).toISOString(),
    actorKind: call.actorKind,
    actorId: call.actorId,
    actorName: call.actorName,
    keyId: call.keyId,
    action: call.action,
    resource: call.resource,
    resourceId: call.resourceId,
    method: call.method,
    path: call.path,
    address: call.address,
    requestId: call.requestId,
    outcome: call.outcome,
    statusCode: call.statusCode,
    message: call.message,
    before: call.before,
    after: call.after,
  });
