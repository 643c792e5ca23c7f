import type { ReplayRange, ReplayRow, ReplaySessionChange, ReplaySource } from '../../store/replay.ts';
import { countersInTree } from './counters-in-trees.ts';
import { ReplayEvaluator, type Replayed } from './evaluator.ts';
import { PartialEvaluator } from './partial-evaluator.ts';
import type { PoliciesOfRecord } from './policies-of-record.ts';
import { ReplayedIntegrations } from './replayed-integrations.ts';
import { ReplayedSessions } from './replayed-sessions.ts';

interface ReplayedRow {
  row: ReplayRow;
  of: { integrationId: string; sessionId: string | null };
  result: Replayed;
}

/** A range of the record, replayed in its order. */
export class ReplayedRange {
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
