import { sightingOf, subjectOf } from '../../evaluate/judge.ts';
import { advance, newContext } from '../../evaluate/session.ts';
import { sessionless } from '../../evaluate/settle.ts';
import { sightingWrites } from '../../evaluate/sightings.ts';
import type { MemoryCounters } from '../../features/policies/policy-tests/memory-counters.ts';
import { counterWrites } from '../../policy/counters/count.ts';
import { decide } from '../../policy/decide.ts';
import { letsThrough } from '../../schemas/decisions.ts';
import type { ReplayRow } from '../../store/replay.ts';
import type { ReplayEvaluator, Replayed } from './evaluator.ts';
import { knownContent } from './known-content.ts';
import type { PartOnTrial, PoliciesOfRecord } from './policies-of-record.ts';
import { recordedVerdict } from './recorded-verdict.ts';
import {
  type CountedIn,
  cataloguedFor,
  cellsOf,
  knownSubject,
  loadCounters,
  markHidden,
  newEvaluation,
  provenanceOf,
  type ReplayedOf,
  repeatsBefore,
  unknownsOf,
} from './replayed-evaluation.ts';
import type { ReplayedIntegration, ReplayedSession, ReplayedSessions } from './replayed-state.ts';

const rowsAtOnce = 1_000;

/**
 * Judges the evaluations of a session by the policies on trial alone, for as long as they find what was found then. From the first
 * one on for which they do not, all policies judge it: the session is replayed from its beginning, for what they remember.
 * Only where no counter counts across sessions.
 */
export class PartialEvaluator {
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
  const provenance = then.needs.sightings ? provenanceOf(row, content) : null;
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
