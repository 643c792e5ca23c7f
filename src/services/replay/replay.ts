import { sightingOf, subjectOf } from '../../evaluate/judge.ts';
import { advance, newContext } from '../../evaluate/session.ts';
import { sessionless } from '../../evaluate/settle.ts';
import { sightingWrites } from '../../evaluate/sightings.ts';
import type { MemoryCounters } from '../../features/policies/policy-tests/memory-counters.ts';
import { counterWrites } from '../../policy/counters/count.ts';
import { decide } from '../../policy/decide.ts';
import { letsThrough } from '../../schemas/decisions.ts';
import type { SimulationLine } from '../../schemas/replays.ts';
import type {
  ReplayFilter,
  ReplayRange,
  ReplayRow,
  ReplaySessionChange,
  ReplaySource,
  TriagedStatus,
} from '../../store/replay.ts';
import { Comparison, type Triaged } from './comparison.ts';
import { ReplayEvaluator, type Replayed } from './evaluator.ts';
import { knownContent } from './known-content.ts';
import {
  changesNothing,
  type PartOnTrial,
  PoliciesOfRecord,
  type ReplayChange,
} from './policies-of-record.ts';
import { recordedVerdict } from './recorded-verdict.ts';
import {
  type CountedIn,
  cataloguedFor,
  cellsOf,
  countersInTree,
  knownSubject,
  loadCounters,
  markHidden,
  newEvaluation,
  provenanceOf,
  type ReplayedOf,
  repeatsBefore,
  unknownsOf,
} from './replayed-evaluation.ts';
import {
  type ReplayedIntegration,
  ReplayedIntegrations,
  type ReplayedSession,
  ReplayedSessions,
} from './replayed-state.ts';

export interface ReplayOptions {
  change: ReplayChange;
  filter: ReplayFilter;
  /** How many of the evaluations that change are named. */
  differences: number;
  mostToolNames: number;
}

/** Rows between two pauses, read at once: some milliseconds of work, and a megabyte at most, unless contents are large. */
const rowsPerPage = 250;
/** Pages between two sweeps of sessions that are over. */
const pagesPerSweep = 200;
const progressEveryMs = 250;

/** Replays the record, and tells of it line by line. `goOn` is called after each page: the replay ends early when it says no. */
export async function replay(
  source: ReplaySource,
  { change, filter, differences, mostToolNames }: ReplayOptions,
  tell: (line: SimulationLine) => void,
  goOn: () => Promise<boolean>,
): Promise<void> {
  const beganAt = performance.now();
  const policies = new PoliciesOfRecord(source, change, mostToolNames);
  const isWide = policies.countAcrossSessions();
  const range = source.range(filter, isWide);
  const comparison = new Comparison();
  let shown = 0;
  if (range) {
    const inPart = !isWide && !changesNothing(change);
    const replayed = new ReplayedRange(source, policies, range, inPart);
    const isSelected = selector(source, filter, range);
    const total = Math.max(0, range.last - range.after);
    let toldAt = beganAt;
    function* differencesIn(after: number, upTo: number) {
      const triaged = triagedIn(source, after, upTo);
      for (const { row, of, result } of replayed.rows(after, upTo)) {
        const difference =
          isSelected(row, of.integrationId) && comparison.add(row, of, result, triaged.get(row.row));
        if (difference) yield difference;
      }
    }

    for (let after = range.after, pages = 1; after < range.last; after += rowsPerPage, pages++) {
      const upTo = Math.min(after + rowsPerPage, range.last);
      for (const difference of differencesIn(after, upTo)) {
        if (shown >= differences) continue;
        shown++;
        tell(difference);
      }
      if (pages % pagesPerSweep === 0) replayed.sweep();
      if (performance.now() - toldAt > progressEveryMs) {
        toldAt = performance.now();
        tell({ type: 'progress', evaluations: upTo - range.after, total });
      }
      if (!(await goOn())) return;
    }
    tell({ type: 'progress', evaluations: total, total });
  }
  tell(comparison.result(shown, (performance.now() - beganAt) / 1_000));
}

function triagedIn(source: ReplaySource, after: number, upTo: number): ReadonlyMap<number, Triaged> {
  const triaged = new Map<number, Map<number, TriagedStatus>>();
  for (const { row, place, status } of source.triaged(after, upTo))
    triaged.set(row, (triaged.get(row) ?? new Map()).set(place, status));
  return triaged;
}

/** Whether the filter selects a row. */
function selector(source: ReplaySource, filter: ReplayFilter, { firstSelected }: ReplayRange) {
  const { from = 0, to = Number.POSITIVE_INFINITY, tool, sessionId } = filter;
  const session = sessionId === undefined ? null : source.sessionRow(sessionId.toLowerCase());
  const owner = filter.integrationId?.toLowerCase();
  return (row: ReplayRow, integrationId: string): boolean =>
    row.row >= firstSelected &&
    row.createdAt >= from &&
    row.createdAt < to &&
    (tool === undefined || row.tool === tool) &&
    (session === null || row.sessionRow === session) &&
    (owner === undefined || integrationId === owner);
}

interface ReplayedRow {
  row: ReplayRow;
  of: { integrationId: string; sessionId: string | null };
  result: Replayed;
}

/** A range of the record, replayed in its order. */
class ReplayedRange {
  readonly #source: ReplaySource;
  readonly #range: ReplayRange;
  readonly #integrations: ReplayedIntegrations;
  readonly #sessions: ReplayedSessions;
  readonly #all: ReplayEvaluator;
  readonly #inPart: PartialEvaluator | null;
  /** When the last row was made. */
  #at = 0;

  /** `inPart`: what the change does not touch is taken from the record. */
  constructor(source: ReplaySource, policies: PoliciesOfRecord, range: ReplayRange, inPart: boolean) {
    const { after } = range;
    this.#source = source;
    this.#range = range;
    this.#integrations = new ReplayedIntegrations(source);
    this.#sessions = new ReplayedSessions(source, policies.readRecentActions());
    this.#all = new ReplayEvaluator(source, policies, after);
    this.#inPart = inPart
      ? new PartialEvaluator(this.#all, this.#sessions, policies, { source, after })
      : null;
  }

  /** Rows after one, up to another one. All must be taken before the next ones are asked for. */
  *rows(after: number, upTo: number): Generator<ReplayedRow> {
    const changes = new PendingChanges(this.#source.changes(after, upTo), this.#sessions);
    for (const row of this.#source.rows(this.#range, after, upTo)) {
      changes.applyBefore(row.row);
      yield this.#replay(row);
      this.#at = row.createdAt;
    }
    changes.applyBefore(Number.POSITIVE_INFINITY);
  }

  /** Forgets the sessions that are over. */
  sweep(): void {
    this.#sessions.sweep(this.#at);
  }

  #replay(row: ReplayRow): ReplayedRow {
    const integration = this.#integrations.of(row.integrationRow);
    const session = row.sessionRow === null ? null : this.#sessions.of(row.sessionRow);
    const rootOwner = session ? this.#integrations.of(session.rootIntegrationRow) : integration;
    const result = this.#inPart
      ? this.#inPart.evaluate(row, integration, session, integration.counters)
      : this.#all.evaluate(
          row,
          integration,
          session,
          countersInTree(integration.counters, rootOwner.counters),
        );
    if (session) this.#sessions.passed(session, row.row);
    return {
      row,
      of: { integrationId: integration.stored.id, sessionId: session?.id ?? null },
      result,
    };
  }
}

/** Changes of sessions by others than evaluations, in the order of the record. */
class PendingChanges {
  readonly #changes: readonly ReplaySessionChange[];
  readonly #sessions: ReplayedSessions;
  #next = 0;

  constructor(changes: readonly ReplaySessionChange[], sessions: ReplayedSessions) {
    this.#changes = changes;
    this.#sessions = sessions;
  }

  /** Makes those that came before this row. */
  applyBefore(row: number): void {
    for (let one = this.#changes[this.#next]; one && one.afterRow < row; one = this.#changes[++this.#next])
      this.#sessions.change(one);
  }
}

const rowsAtOnce = 1_000;

/**
 * Judges the evaluations of a session by the policies on trial alone, for as long as they find what was found then. From the first
 * one on for which they do not, all policies judge it: the session is replayed from its beginning, for what they remember.
 * Only where no counter counts across sessions.
 */
class PartialEvaluator {
  readonly #all: ReplayEvaluator;
  readonly #sessions: ReplayedSessions;
  readonly #policies: PoliciesOfRecord;
  readonly #from: Pick<CountedIn, 'source' | 'after'>;

  constructor(
    all: ReplayEvaluator,
    sessions: ReplayedSessions,
    policies: PoliciesOfRecord,
    from: Pick<CountedIn, 'source' | 'after'>,
  ) {
    this.#all = all;
    this.#sessions = sessions;
    this.#policies = policies;
    this.#from = from;
  }

  evaluate(
    row: ReplayRow,
    integration: ReplayedIntegration,
    session: ReplayedSession | null,
    ofIntegration: MemoryCounters,
  ): Replayed {
    const counters = session?.counters ?? ofIntegration;
    if (session?.inPart === null) return this.#all.evaluate(row, integration, session, counters);
    const replayed = this.#inPart(row, integration, session, counters);
    if (replayed) {
      session?.inPart?.rows.push(row.row);
      return replayed;
    }
    const again = session && this.#replayAgain(session, integration);
    return this.#all.evaluate(row, integration, again, again?.counters ?? counters);
  }

  #inPart(
    row: ReplayRow,
    integration: ReplayedIntegration,
    session: ReplayedSession | null,
    counters: MemoryCounters,
  ): Replayed | null {
    const { part } = this.#policies.of(row.policySetRow, row.integrationRow, integration.stored.id);
    // The violations that a review shows depend on all policies.
    if (part === null || row.reviewId !== null || row.named !== null) return null;
    if (session && session.toolNameCount >= part.policies.toolNames.most) return null;
    return judgeInPart(row, part, { ...this.#from, integration, session, counters });
  }

  #replayAgain(session: ReplayedSession, integration: ReplayedIntegration): ReplayedSession {
    const { rows, changes } = session.inPart ?? { rows: [], changes: [] };
    if (rows.length === 0) {
      session.inPart = null;
      return session;
    }
    const again = this.#sessions.fromItsBeginning(session);
    let nextChange = 0;
    const changeUpTo = (row: number): void => {
      for (let one = changes[nextChange]; one && one.afterRow < row; one = changes[++nextChange])
        this.#sessions.change(one);
    };
    for (let first = 0; first < rows.length; first += rowsAtOnce) {
      for (const row of this.#from.source.rowsAt(rows.slice(first, first + rowsAtOnce))) {
        changeUpTo(row.row);
        this.#all.evaluate(row, integration, again, again.counters);
      }
    }
    changeUpTo(Number.MAX_SAFE_INTEGER);
    return again;
  }
}

/**
 * Judges an evaluation by the policies on trial alone. They find what they found then, and the verdict is the recorded one; else null,
 * and nothing is kept. Of no session of a tree, and nothing that names a review, was held or used a grant.
 */
function judgeInPart(
  row: ReplayRow,
  { policies: then, agrees }: PartOnTrial,
  of: ReplayedOf & CountedIn,
): Replayed | null {
  const { integration, session, counters } = of;
  if (row.resultOf !== null && (session ?? integration).stopped.has(row.resultOf)) return null;
  const recorded = recordedVerdict(row);
  const content = knownContent(row, then.inputPaths);
  const unknowns = unknownsOf(row, then, content, { integration, session, isScanned: false });
  const evaluation = newEvaluation(row, then, recorded.dataTags, {
    integration,
    session,
    content,
    named: null,
  });
  const cells = cellsOf(loadCounters(row, then, evaluation, of));
  const sightings = session?.sightingRows([]) ?? null;
  const repeats = repeatsBefore(row, evaluation, then, of);
  const provenance = then.needs.sightings ? provenanceOf(row, content, integration, unknowns) : null;
  const context = session ?? newContext(sessionless(row.createdAt));
  const subject = subjectOf(
    {
      integration: integration.stored,
      evaluation,
      request: { input: content.input, ...(row.targetKey !== null && { targetKey: row.targetKey }) },
      detections: content.detections,
      catalogued: then.readsCatalogue ? cataloguedFor(row, content, integration) : null,
      provenance,
    },
    {
      session: context,
      repeats,
      grants: none,
      counters: cells,
      sightings,
    },
  );
  const decision = decide(then.policies, knownSubject(subject, evaluation, unknowns, { ...of, context }));
  if (!agrees(decision, recorded)) return null;
  const { enforcementAction } = recorded;
  const writes = counterWrites(decision.counted, enforcementAction, cells, row.createdAt, evaluation);
  if (session) {
    if (provenance && sightings && letsThrough(enforcementAction))
      session.keepSightings(
        sightingWrites(provenance.mentioned, sightingOf(session, evaluation, recorded), sightings),
      );
    session.keepLabels(row, recorded.labels);
    session.repeats.add(row, evaluation);
    advance(session, evaluation, {
      ...recorded,
      enforcedSeverity: row.enforcedSeverity,
      monitoredLabels: none,
      repeats: row.repeats,
    });
    markHidden(session, then, content, unknowns);
  }
  counters.write(evaluation, session, writes);
  const { tried, isOnTrial } = then;
  return { verdict: recorded, recorded, unevaluated: none, isAssumed: false, tried, isOnTrial };
}

const none: readonly never[] = [];
