import { hash } from 'node:crypto';
import { canonicalJson } from '../../json/stringify.ts';
import { isoTime } from '../../services/times.ts';
import type { StoredEvent } from '../../store/store.ts';
import { version } from '../../version.ts';
import type { Event } from './schema.ts';

export const sequenceText = (sequence: number): string => String(sequence).padStart(16, '0');

/** The event in the form that every reader gets: structured CloudEvents 1.0 in JSON. */
export const cloudEvent = (event: StoredEvent, source: string): Event => ({
  specversion: '1.0',
  id: event.id,
  source,
  type: event.type,
  subject: event.subject,
  time: isoTime(event.at),
  datacontenttype: 'application/json',
  sequence: sequenceText(event.sequence),
  data: JSON.parse(event.data),
});

/** OCSF (https://schema.ocsf.io) from 1.1.0 on: the attributes used here are in every version since, `attestation` since 1.9.0. */
export const ocsfVersionPattern = '^1\\.[1-9][0-9]?\\.[0-9]{1,2}$';

const apiActivity = { category_uid: 6, class_uid: 6003 };
const create = { activity_id: 1, activity_name: 'Create' };
const update = { activity_id: 3, activity_name: 'Update' };
const remove = { activity_id: 4, activity_name: 'Delete' };

const severities: Readonly<Record<string, number>> = { LOW: 2, MEDIUM: 3, HIGH: 4, CRITICAL: 5 };
const severityNames = ['Unknown', 'Informational', 'Low', 'Medium', 'High', 'Critical'];

/** The dispositions of the security_control profile: the fate of the action. */
const dispositions: Readonly<Record<string, object>> = {
  'evaluation.warned': { action_id: 1, action: 'Allowed', disposition_id: 19, disposition: 'Alert' },
  'evaluation.held': { action_id: 2, action: 'Denied', disposition_id: 14, disposition: 'Delayed' },
  'evaluation.blocked': { action_id: 2, action: 'Denied', disposition_id: 2, disposition: 'Blocked' },
};

interface EventData {
  operation?: string;
  actor?: { kind: string; id: string; name: string };
  address?: string | null;
  requestId?: string;
  integrationId?: string;
  integrationName?: string;
  tool?: string | null;
  severity?: string | null;
  name?: string;
}

/** The event as OCSF API Activity (class 6003). Attributes of the event that OCSF has no place for are in `unmapped`. */
function ocsfEvent(
  event: StoredEvent,
  versions: { ocsf: string; product: string },
  isAttested: boolean,
): OcsfEvent {
  const data: EventData = JSON.parse(event.data);
  const disposition = dispositions[event.type];
  const severity = severities[data.severity ?? ''] ?? 1;
  const activity = activityOf(event.type);
  const [resource = '', uid] = event.subject.split('/');
  const profiles = [
    ...(disposition ? ['security_control'] : []),
    ...(isAttested ? ['record_integrity'] : []),
  ];
  return {
    ...apiActivity,
    ...activity,
    type_uid: apiActivity.class_uid * 100 + activity.activity_id,
    time: event.at,
    severity_id: severity,
    severity: severityNames[severity],
    status_id: 1,
    status: 'Success',
    message: event.type,
    metadata: {
      version: versions.ocsf,
      uid: event.id,
      sequence: event.sequence,
      event_code: event.type,
      product: { name: 'Assize', vendor_name: 'Assize', version: versions.product },
      ...(profiles.length > 0 && { profiles }),
    },
    actor: { user: userOf(data, event) },
    api: {
      operation: data.operation ?? (disposition ? 'evaluate' : event.type),
      service: { name: 'assize' },
      ...(data.requestId !== undefined && { request: { uid: data.requestId } }),
    },
    src_endpoint: data.address ? { ip: data.address } : { uid: userOf(data, event).uid },
    resources: [
      {
        type: resource,
        ...(uid !== undefined && { uid }),
        ...(data.name !== undefined && { name: data.name }),
      },
    ],
    ...disposition,
    unmapped: data,
  };
}

interface OcsfEvent {
  [attribute: string]: unknown;
  type_uid: number;
  metadata: { [attribute: string]: unknown; uid: string };
}

interface Fingerprint {
  algorithm: string;
  algorithm_id: number;
  value: string;
}

/**
 * The record_integrity profile: each line has the fingerprint of its content and that of the line before, so that a line that was
 * changed or left out is noticed. A chain is that of one process. OCSF has no place for the value of a signature; the record has
 * signed roots.
 */
export interface AttestedChain {
  uid: string;
  authority: string;
  previous: { uid: string; type_uid: number; fingerprint: Fingerprint } | null;
}

/** Adds the attestation, and makes the event the last one of the chain. The fingerprint covers all but itself, in the form of RFC 8785. */
function attest(event: OcsfEvent, chain: AttestedChain): object {
  const attestation = {
    authority_uid: chain.authority,
    chain_uid: chain.uid,
    ...(chain.previous && { prev_event: chain.previous }),
  };
  const value = hash('sha256', canonicalJson({ ...event, attestation }));
  const fingerprint = { algorithm: 'SHA-256', algorithm_id: 3, value };
  chain.previous = { uid: event.metadata.uid, type_uid: event.type_uid, fingerprint };
  return { ...event, attestation: { ...attestation, fingerprint } };
}

/** The chain of this process's lines; null when the version has no attestations. */
export const newChain = (ocsfVersion: string, uid: string, authority: string): AttestedChain | null =>
  Number(ocsfVersion.split('.')[1]) < 9 ? null : { uid, authority, previous: null };

function activityOf(type: string) {
  if (/\.(?:created|bound)$/.test(type) || type.startsWith('evaluation.')) return create;
  return /\.(?:deleted|unbound|revoked|removed)$/.test(type) ? remove : update;
}

function userOf({ actor, integrationId, integrationName }: EventData, event: StoredEvent) {
  if (actor?.kind === 'operator') {
    return { uid: actor.id, name: actor.name, type_id: 2, type: 'Admin' };
  }
  return {
    uid: actor?.id ?? integrationId ?? event.integrationId ?? 'assize',
    ...(integrationName !== undefined && { name: integrationName }),
    type_id: 99,
    type: 'Integration',
  };
}

export const eventLineForms = ['assize', 'ocsf', 'off'] as const;
export type EventLineForm = (typeof eventLineForms)[number];

interface EventLineOptions {
  form: EventLineForm;
  ocsfVersion: string;
  source: string;
  chain: AttestedChain | null;
}

/** Sessions, signed roots and what time does to reviews are neither a decision nor a management change. */
const unlogged = /^session\.|^record\.|^review\.(?:opened|consumed|expiring|expired)$/;

/**
 * The log line of an event, as an object; null for one that has none. The form `assize` wraps the event as every reader gets
 * it; `ocsf` is the event in the form of OCSF and nothing else.
 */
export function eventLine(
  event: StoredEvent,
  { form, ocsfVersion, source, chain }: EventLineOptions,
): object | null {
  if (form === 'off' || unlogged.test(event.type)) return null;
  if (form === 'ocsf') {
    const line = ocsfEvent(event, { ocsf: ocsfVersion, product: version }, chain !== null);
    return chain === null ? line : attest(line, chain);
  }
  return { event: cloudEvent(event, source) };
}
