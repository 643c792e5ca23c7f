import type { CountedPlace } from '../evaluate/counters/counters.ts';
import type { NamedThen, PolicyTerms } from '../evaluate/evaluation.ts';
import type { NewSession } from '../evaluate/session-places.ts';
import type { IntegrationKind, IntegrationSettings } from '../features/integrations/schema.ts';
import type { CountedRecord } from '../schemas/counter-cells.ts';
import type { EnforcementAction, Outcome, Phase, ResultStatus, Severity } from '../schemas/decisions.ts';
import type { OpenGrant } from '../schemas/grants.ts';

/** A recorded evaluation as a replay reads it. Numbers of rows stand for what they are of; texts that are JSON are as they are kept. */
export interface ReplayRow {
  row: number;
  id: string;
  integrationRow: number;
  /** Null without a session. */
  sessionRow: number | null;
  phase: Phase;
  resultOf: string | null;
  resultStatus: ResultStatus | null;
  cost: string | null;
  transport: 'REST' | 'MCP';
  tool: string;
  targetKey: string | null;
  outcome: Outcome;
  enforcementAction: EnforcementAction;
  severity: Severity | null;
  enforcedSeverity: Severity | null;
  violations: string | null;
  dataTags: string | null;
  detections: string | null;
  labels: string | null;
  repeats: number | null;
  policySetRow: number;
  input: string | null;
  targetMetadata: string | null;
  reviewId: string | null;
  named: string | null;
  createdAt: number;
}

export interface ReplaySession {
  row: number;
  integrationRow: number;
  opened: NewSession;
  /** The last evaluation of it; 0 for none. */
  lastRow: number;
  hasChildren: boolean;
}

export interface ReplayIntegration {
  id: string;
  name: string;
  kind: IntegrationKind;
  settings: IntegrationSettings;
  /** JSON text; null without a catalogue. */
  tools: string | null;
  /** When the catalogue was changed last. */
  toolsChangedAt: number;
}

/** What changed a session besides evaluations. */
export interface ReplaySessionChange {
  sessionRow: number;
  kind: 'ENDED' | 'LABEL_REMOVED' | 'REJECTED';
  label: string | null;
  /** Of a held action that a person rejected. */
  reviewId: string | null;
  at: number;
  afterRow: number;
}

/** What evaluations are selected by; all of what is given must hold. */
export interface ReplayFilter {
  integrationId?: string;
  sessionId?: string;
  tool?: string;
  /** Made from this time on, and before that one. */
  from?: number;
  to?: number;
}

/** Which rows have to be read. */
export interface ReplayRange {
  /** Rows after this one, up to and including that one. */
  after: number;
  last: number;
  /** The first row that can be selected. */
  firstSelected: number;
  /** Sessions and integrations that the rows are of; null for all. */
  sessionRows: readonly number[] | null;
  integrationRows: readonly number[] | null;
}

/** What operators made of a violation, and how many there are. */
export type TriagedStatus = 'NEW' | 'ACKNOWLEDGED' | 'RESOLVED' | 'DISMISSED';

/** The record as a replay reads it, and nothing else: on a connection of its own that cannot write. Synchronous: it has a thread to itself. */
export interface ReplaySource {
  /** `wide`: what counts across sessions needs all that was recorded. Null when the filter names an integration or session that there is not. */
  range(filter: ReplayFilter, isWide: boolean): ReplayRange | null;
  /** Rows of the range after one, up to another one, in their order. */
  rows(range: ReplayRange, after: number, upTo: number): ReplayRow[];
  /** These rows, in their order. */
  rowsAt(rows: readonly number[]): ReplayRow[];
  changes(after: number, upTo: number): ReplaySessionChange[];
  session(row: number): ReplaySession;
  /** The row of a session. */
  sessionRow(id: string): number;
  integration(row: number): ReplayIntegration;
  /** The policies that decided together. */
  policySet(row: number): PolicyTerms[];
  /** Rows of the sets of which the range has evaluations, or may have. */
  policySetRows(): number[];
  document(policyId: string, version: number): string | null;
  /** The entries of a shared list, as that version had them; null when that is not known. */
  listEntries(id: string, version: number): string[] | null;
  /** The grants that let an action through, as they were. */
  grantsUsed(row: number): OpenGrant[];
  /** The violations of rows after one, up to another one, that operators have triaged: their places among those of the row. */
  triaged(after: number, upTo: number): { row: number; place: number; status: TriagedStatus }[];
  /** Of a scope of counters, what was recorded after a row and before another one. */
  counted(place: CountedPlace, after: number, before: number): CountedRecord[];
  close(): void;
}

export type { NamedThen };
