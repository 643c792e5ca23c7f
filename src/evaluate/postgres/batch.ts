import type { ClientBase, QueryConfig } from 'pg';
import type { NewEvent } from '../../features/events/store.ts';
import { BatchCancellations } from '../../store/postgres/review-cancellations.ts';
import { type BatchLocks, KnownSessions } from './batch-locks.ts';
import { BatchCounters, KnownSets } from './counters.ts';
import { EvaluationWrites } from './evaluation-rows.ts';
import { BatchKeys } from './idempotency.ts';
import { BatchUsage } from './integration-usage.ts';
import { BatchNames } from './named-sessions.ts';
import { BatchPolicySets, KnownPolicySets } from './policy-sets.ts';
import { BatchChains } from './record-chains.ts';
import { HeldActions } from './review-rows.ts';
import { Rows, together } from './rows.ts';
import { SessionStates } from './session-states.ts';
import { SessionTrees } from './session-trees.ts';
import { BatchSightings } from './sightings.ts';

/** Facts that stay true from one batch to the next. */
export class Known {
  readonly sessions = new KnownSessions();
  readonly counterSets: KnownSets;
  readonly policySets = new KnownPolicySets();

  constructor(salt: string) {
    this.counterSets = new KnownSets(salt);
  }
}

/**
 * The reads and writes of one transaction for many jobs: evaluations, new sessions and ends of sessions. They are done one after
 * another, each on what those before it made of the rows; all is written once, at the end.
 */
export class Batch {
  readonly known: Known;
  readonly locks: BatchLocks;
  /** The revision of what decides for an integration, and what its counters are, as of the locks. */
  readonly integrations = new Rows<{ revision: number; counterSet: string | null }>({
    name: 'integrations',
    parts: 1,
    text: `SELECT i.id::text AS k0, i.revision, c.data AS "counterSet"
      FROM integrations i LEFT JOIN counter_sets c ON c.integration_id = i.id WHERE i.id = ANY($1::uuid[])`,
  });
  /** Evaluations that may have a result. */
  readonly actions = new Rows<{ integrationId: string; hasResult: boolean }>({
    name: 'actions',
    parts: 1,
    text: `SELECT e.id::text AS k0, e.integration_id::text AS "integrationId",
        EXISTS (SELECT 1 FROM evaluations r WHERE r.result_of = e.id) AS "hasResult"
      FROM evaluations e WHERE e.id = ANY($1::uuid[])`,
  });
  /** Ids of actions that got their result in this batch. */
  readonly withResult = new Set<string>();
  readonly sessions: SessionStates;
  readonly sightings = new BatchSightings();
  readonly trees: SessionTrees;
  readonly counters: BatchCounters;
  readonly held = new HeldActions();
  readonly cancellations = new BatchCancellations();
  readonly keys: BatchKeys;
  readonly names: BatchNames;
  readonly usage: BatchUsage;
  readonly chains: BatchChains;
  readonly policySets: BatchPolicySets;
  readonly evaluations: EvaluationWrites;
  readonly events: NewEvent[] = [];

  constructor(known: Known, locks: BatchLocks) {
    this.known = known;
    this.locks = locks;
    this.sessions = new SessionStates(locks);
    this.trees = new SessionTrees(this.sessions, this.sightings);
    this.counters = new BatchCounters(locks, known.counterSets, this.integrations);
    this.keys = new BatchKeys(locks, this.sessions);
    this.names = new BatchNames(locks, this.sessions);
    this.usage = new BatchUsage(locks);
    this.chains = new BatchChains(locks);
    this.policySets = new BatchPolicySets(known.policySets);
    this.evaluations = new EvaluationWrites(this.chains);
  }

  get #rows(): Rows<unknown>[] {
    const { integrations, actions, sessions, sightings, trees, counters, held, keys, names } = this;
    const { usage, chains, policySets } = this;
    return [
      ...[integrations, actions, sessions.rows, sessions.actions, sightings.rows, sightings.ofSession],
      ...[trees.counts, trees.children, counters.scopes, counters.cells, counters.entities.rows],
      ...[
        held.named,
        held.ofAction,
        held.rejections,
        held.rejectionsWithoutSession,
        held.pendingOfTree,
        held.grants,
        keys.rows,
        names.named,
        names.external,
      ],
      ...[usage.reviews, usage.sessions, usage.bytes, chains.heads, policySets.policies],
    ] as Rows<unknown>[];
  }
  /** Takes its locks, and reads the sessions that it locks. */
  async lock(client: ClientBase): Promise<void> {
    this.sessions.rows.keep(await this.locks.take(client));
  }
  get isWanting(): boolean {
    return this.#rows.some(({ isWanted }) => isWanted);
  }
  /** Reads what is wanted, in one round trip. */
  async load(client: ClientBase): Promise<void> {
    await Promise.all(this.#rows.filter(({ isWanted }) => isWanted).map((rows) => rows.load(client)));
  }

  get statements(): QueryConfig[] {
    const { sessions, held, counters } = this;
    const counted = counters.statements(sessions.writes.changed);
    return [
      ...this.policySets.statements,
      ...sessions.writes.statements,
      together(sessions.writes.stateStatement, this.evaluations.statement),
      this.evaluations.violationStatement,
      ...counted,
      this.trees.statement,
      this.sightings.statement,
      this.chains.statement,
      ...held.statements,
      ...this.cancellations.statements,
      this.usage.statement,
      ...this.names.statements,
      ...this.keys.statements,
    ].filter((statement) => statement !== null);
  }
}
