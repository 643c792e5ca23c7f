import type { Violation } from '../../schemas/decisions.ts';
import type { PageRequest } from '../../store/pages.ts';
import type { ViolationStatus } from './schema.ts';

export interface StoredViolation {
  /** As it was decided. */
  violation: Violation;
  evaluationRunId: string;
  integrationId: string;
  sessionId: string | null;
  entityId: string | null;
  tool: string;
  status: ViolationStatus;
  /** The type of a resolution, or the reason of a dismissal. */
  outcome: string | null;
  note: string | null;
  triagedBy: string | null;
  /** Null for an id that no operator has. */
  triagedByName: string | null;
  triagedAt: number | null;
  createdAt: number;
}

export interface ViolationFilter {
  status?: ViolationStatus;
  ruleId?: string;
  policyId?: string;
  severity?: Violation['severity'];
  integrationId?: string;
  sessionId?: string;
  entityId?: string;
  /** Made from this time on. */
  from?: number;
  /** Made before this time. */
  to?: number;
}

export interface Triage {
  status: Exclude<ViolationStatus, 'NEW'>;
  outcome: string | null;
  /** Undefined leaves the note that is there. */
  note: string | undefined;
  by: string;
  at: number;
}

export interface StoredRuleViolations {
  policyId: string;
  ruleId: string;
  acknowledgedCount: number;
  resolvedCount: number;
  dismissedCount: number;
  falsePositiveCount: number;
}

/** Violations of all integrations, recorded with their evaluations: NEW, ACKNOWLEDGED, then RESOLVED or DISMISSED for good. */
export interface ViolationStore {
  find(id: string): Promise<StoredViolation | null>;
  /** Newest first. `total` is counted up to `mostCounted`, and more than that when there are more. */
  list(
    filter: ViolationFilter,
    page: PageRequest,
    mostCounted: number,
  ): Promise<{ items: StoredViolation[]; total: number }>;
  /** Changes it when its status is among `from`; else returns it as it is, with `changed` false. Null when there is none. */
  triage(
    id: string,
    from: readonly ViolationStatus[],
    triage: Triage,
  ): Promise<{ changed: boolean; violation: StoredViolation } | null>;
  /** Of those that are not NEW, by rule: the most dismissed first, at most 200. */
  countByRule(filter: { from?: number; to?: number }): Promise<StoredRuleViolations[]>;
}
