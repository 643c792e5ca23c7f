import type { MemoryCounters } from '../../features/policies/policy-tests/memory-counters.ts';
import type { ReplayRow } from '../../store/replay.ts';
import type { ReplayEvaluator, Replayed } from './evaluator.ts';
import { judgeInPart } from './judge-in-part.ts';
import type { PoliciesOfRecord } from './policies-of-record.ts';
import type { CountedIn } from './replayed-counters.ts';
import type { ReplayedIntegration } from './replayed-integrations.ts';
import type { ReplayedSession, ReplayedSessions } from './replayed-sessions.ts';

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
    // What a review shows depends on all policies.
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
