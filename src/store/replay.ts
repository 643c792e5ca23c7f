import type { CountedPlace } from '../evaluate/counters/counters.ts';
import type { NamedThen, PolicyTerms } from '../evaluate/evaluation.ts';
import type { NewSession } from '../evaluate/session-places.ts';
import type { IntegrationKind, IntegrationSettings } from '../features/integrations/schema.ts';
import type { CountedRecord } from '../schemas/counter-cells.ts';
import type { EnforcementAction, Outcome, Phase, ResultStatus, Severity } from '../schemas/decisions.ts';
import type { OpenGrant } from '../schemas/review-terms.ts';

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
  /** JSON text; null for none. */
  identity: string | null;
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

/** The columns of a session that both databases read alike. */
export interface SessionFields extends Omit<NewSession, 'endsWhenIdle' | 'continuesEnded' | 'place'> {
  parentId: string | null;
  place: string | null;
  lastRow: number;
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

/** A change of a session that is no evaluation. */
export interface ReplaySessionChange {
  sessionRow: number;
  kind: 'ENDED' | 'LABEL_REMOVED' | 'REJECTED';
  label: string | null;
  /** The review of a held action that a person rejected. */
  reviewId: string | null;
  at: number;
  afterRow: number;
}

/** Selects evaluations; every condition that is given must hold. */
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

/** The status that operators give to a violation. */
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
  /** For a scope of counters, the evaluations that were recorded after a row and before another one. */
  counted(place: CountedPlace, after: number, before: number): CountedRecord[];
  close(): void;
}

export type { NamedThen };

/** The reads with which a store says which rows a replay needs. Rows are numbered in the order of time. */
export interface RangeReads {
  /** How far from the order of time a row may be, in milliseconds. */
  slackMs: number;
  /** 0 when there is none. */
  lastRow(): number;
  /** The first row with this number or a higher one. */
  rowFrom(row: number): { row: number; at: number } | undefined;
  integrationRow(id: string): number | undefined;
  rootOf(sessionId: string): string | undefined;
  treeOf(rootId: string): { row: number; startedAt: number; last: number }[];
  /** Whether any session was delegated to another integration. */
  hasDelegates(): boolean;
  /** When the first of the trees began in which something was recorded from that row on; null when there is none. */
  firstStart(row: number): number | null;
}

/** Says which rows a replay has to read, so that it meets every selected evaluation with the state that it had. */
export function replayRange(reads: RangeReads, filter: ReplayFilter, isWide: boolean): ReplayRange | null {
  const { integrationId, sessionId, from, to } = filter;
  const { slackMs } = reads;
  const all = reads.lastRow();
  const rowAt = (time: number): number => firstRowAt(reads, time, all);
  const owner = integrationId === undefined ? null : reads.integrationRow(integrationId.toLowerCase());
  const root = sessionId === undefined ? null : reads.rootOf(sessionId.toLowerCase());
  if (owner === undefined || root === undefined) return null;
  const firstSelected = from === undefined ? 1 : rowAt(from - slackMs);
  const last = to === undefined ? all : rowAt(to + slackMs) - 1;
  const integrationRows = owner !== null && !reads.hasDelegates() ? [owner] : null;
  const range = { firstSelected, last, integrationRows, sessionRows: null, after: 0 };
  if (isWide) return range;
  if (root !== null) {
    const tree = reads.treeOf(root);
    const start = Math.min(...tree.map(({ startedAt }) => startedAt));
    return {
      ...range,
      last: Math.min(last, Math.max(...tree.map((session) => session.last))),
      after: rowAt(start - slackMs) - 1,
      integrationRows: null,
      sessionRows: tree.map(({ row }) => row),
    };
  }
  if (firstSelected === 1) return range;
  // The counts of the roots of the trees met stand for all of their sessions.
  const start = reads.firstStart(firstSelected);
  const after = start === null ? firstSelected : Math.min(firstSelected, rowAt(start - slackMs));
  return { ...range, after: after - 1 };
}

/** The first row made at that time or later, found by halves. */
function firstRowAt({ rowFrom }: RangeReads, time: number, last: number): number {
  let [low, high] = [1, last + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const found = rowFrom(middle);
    if (found && found.at < time) low = found.row + 1;
    else high = middle;
  }
  return low;
}
