import type { NewEvent } from '../../store/events.ts';
import type { Page, PageRequest } from '../../store/pages.ts';
import type { AuditActorKind, AuditOutcome } from './words.ts';

/** A management call, as far as it is known before anything is done. */
export interface AuditedCall {
  at: number;
  actorKind: AuditActorKind;
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
  /** Details that the change itself adds: a text for its entry, and fields for its event. */
  told?: ToldChange;
}

export interface ToldChange {
  message: string | null;
  data: object;
}

export interface NewAuditEntry extends AuditedCall {
  id: string;
  outcome: AuditOutcome;
  statusCode: number;
  message: string | null;
}

export interface StoredAuditEntry extends NewAuditEntry {
  /** JSON texts of the resource, without secrets, before and after the change; null where it did not exist, or nothing changed. */
  before: string | null;
  after: string | null;
}

/** In a list, wide texts are left out. */
export interface ListedAuditEntry extends StoredAuditEntry {
  /** Names of the fields that were left out. */
  omitted: string[];
}

export interface AuditFilter {
  actorId?: string;
  action?: string;
  resource?: string;
  resourceId?: string;
  outcome?: AuditOutcome;
  /** From this time on. */
  from?: number;
  /** Before this time. */
  to?: number;
  /** Entries that a list shows after the entry with this id. */
  before?: string;
}

/** A change that a call made, as its entry records it. */
export interface AuditedChange {
  call: AuditedCall;
  auditId: string;
  resourceId: string | null;
  before: string | null;
  after: string | null;
}

/** Needed to record a call, besides the call. */
export interface AuditedBy {
  newId: () => string;
  statusCode: number;
  /** Called once an entry is durable. */
  recorded: () => void;
  /** Makes the event that is written with a change; null writes none. Must be pure. */
  event: (change: AuditedChange) => NewEvent | null;
}

/** Entries are never changed and never deleted. List order: by time, then by order of recording. */
export interface AuditStore {
  /**
   * Runs `work`, and records in the transaction of each change that it and what it starts makes to what operators manage: the
   * call, and the resource before and after. A change, its entry and its event are kept together or not at all.
   */
  during<T>(call: AuditedCall, by: AuditedBy, work: () => T): T;
  /** Inside of `during`: runs `work`, whose changes are recorded under this name and resource instead of those of the call. */
  within<T>(named: Pick<AuditedCall, 'action' | 'resource' | 'resourceId'>, work: () => T): T;
  /** Inside of `during`: runs `work`, and adds `told` to its entries and events. */
  telling<T>(told: ToldChange, work: () => T): T;
  /**
   * Records each policy, list, integration and house policy as it is, unless an entry names one already: once in a database, at its
   * first start.
   */
  recordInForce(
    entry: Omit<NewAuditEntry, 'id' | 'resource' | 'resourceId'>,
    newId: () => string,
  ): Promise<void>;
  /** For a call that changed nothing. */
  record(entry: NewAuditEntry): Promise<void>;
  find(id: string): Promise<StoredAuditEntry | null>;
  /** Newest first. Wider texts are left out without being read. With a filter, `total` is counted up to `mostCounted`. */
  list(filter: AuditFilter, page: PageRequest, mostBytes: number): Promise<Page<ListedAuditEntry>>;
  /** Oldest first, after the entry with this id; from the first entry on for null. */
  listAfter(filter: AuditFilter, after: string | null, size: number): Promise<StoredAuditEntry[]>;
}
