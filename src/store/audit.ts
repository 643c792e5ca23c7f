import type { AuditOutcome } from '../schemas/audit.ts';
import type { Page, PageRequest } from './pages.ts';

/** Who calls what, as it is known before anything is done. */
export interface AuditedCall {
  at: number;
  actorKind: 'operator' | 'integration';
  actorId: string;
  actorName: string;
  /** Of the operator key; null for an integration. */
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
}

export interface NewAuditEntry extends AuditedCall {
  id: string;
  outcome: AuditOutcome;
  statusCode: number;
  message: string | null;
}

export interface StoredAuditEntry extends NewAuditEntry {
  /** JSON texts of the resource, without secrets, before and after the change; null where it was not there, or nothing changed. */
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
  /** Recorded before the entry with this id. */
  before?: string;
}

/** Entries are never changed and never deleted; they stand in the order in which they were recorded. */
export interface AuditStore {
  /**
   * Runs `work`, and records in the transaction of each change that it and what it starts makes to what operators manage: the
   * call, and the resource before and after. A change and its entry are kept together or not at all. `created` makes what an
   * entry needs besides; `recorded` is called once an entry is durable.
   */
  during<T>(
    call: AuditedCall,
    entry: { newId: () => string; statusCode: number; recorded: () => void },
    work: () => T,
  ): T;
  /** For a call that changed nothing. */
  record(entry: NewAuditEntry): Promise<void>;
  find(id: string): Promise<StoredAuditEntry | null>;
  /** Newest first. Wider texts are left out without being read. */
  list(filter: AuditFilter, page: PageRequest, mostBytes: number): Promise<Page<ListedAuditEntry>>;
  /** Oldest first, those recorded after the entry with this id; from the first one on for null. */
  listAfter(filter: AuditFilter, after: string | null, size: number): Promise<StoredAuditEntry[]>;
}
