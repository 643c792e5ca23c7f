import type { CounterStore } from '../evaluate/counters/counters.ts';
import type { SightingStore } from '../evaluate/sightings.ts';
import type { AuditStore } from '../features/audit/store.ts';
import type { EntityStore } from '../features/entities/store.ts';
import type { EventStore } from '../features/events/store.ts';
import type { IntegrationKeyStore, IntegrationStore } from '../features/integrations/store.ts';
import type { ListStore } from '../features/lists/store.ts';
import type { McpServerStore } from '../features/mcp-servers/store.ts';
import type { OperatorKeyStore, OperatorStore } from '../features/operators/store.ts';
import type { PolicyStore } from '../features/policies/store.ts';
import type { ProposalStore } from '../features/proposals/store.ts';
import type { CallbackStore } from '../features/reviews/store-callbacks.ts';
import type { SessionStore } from '../features/sessions/store.ts';
import type { SignInStore } from '../features/sign-in/store.ts';
import type { StatsStore } from '../features/stats/store.ts';
import type { ToolCatalogueStore } from '../features/tools/store.ts';
import type { ViolationStore } from '../features/violations/store.ts';
import type { WebhookStore } from '../features/webhooks/store.ts';
import type { ClockStore } from './clock.ts';
import type { EvaluationStore } from './evaluations.ts';
import type { RecordStore } from './record.ts';
import type { ReviewQueueStore, ReviewStore } from './reviews.ts';

export type * from '../evaluate/counters/counters.ts';
export type * from '../evaluate/evaluation.ts';
export type * from '../evaluate/idempotency.ts';
export type * from '../evaluate/port.ts';
export type * from '../evaluate/quotas.ts';
export type * from '../evaluate/session-places.ts';
export type * from '../evaluate/sightings.ts';
export type * from '../features/audit/store.ts';
export type * from '../features/entities/store.ts';
export type * from '../features/events/store.ts';
export type * from '../features/integrations/store.ts';
export type * from '../features/lists/store.ts';
export type * from '../features/mcp-servers/store.ts';
export type * from '../features/operators/store.ts';
export type * from '../features/policies/store.ts';
export type * from '../features/policies/store-bindings.ts';
export type * from '../features/policies/store-enforcement.ts';
export type * from '../features/policies/store-in-force.ts';
export type * from '../features/policies/store-rows.ts';
export type * from '../features/proposals/store.ts';
export type * from '../features/reviews/store-callbacks.ts';
export type * from '../features/sessions/store.ts';
export type * from '../features/sign-in/store.ts';
export type * from '../features/stats/store.ts';
export type * from '../features/violations/store.ts';
export type * from '../features/webhooks/store.ts';
export type {
  CountedRecord,
  CounterCell,
  CounterCells,
  CounterScope,
  CounterWrite,
  PlannedCounter,
} from '../schemas/counter-cells.ts';
export type { SessionAction, SessionContext } from '../schemas/session-context.ts';
export type * from './clock.ts';
export type * from './evaluations.ts';
export type * from './pages.ts';
export type * from './record.ts';
export type * from './reviews.ts';

/**
 * Persistence interface. The contract, for every backend:
 *
 * - A method that changes something is one atomic change, and resolves only when the change is durable.
 * - Expected misses are values (null, false, a `kind`); a method throws only when the store itself fails, and then
 *   with an `AppError` of code `unavailable`, having changed nothing.
 * - Every read and write of an integration's things takes that integration's id and never returns another's.
 * - Times are milliseconds since 1970 and come from the caller; ids are UUIDs and come from the caller.
 * - Text comes back as it was given, to the byte. Hashes are SHA-256 in lower-case hexadecimal.
 * - Two reads may be served from memory (open.ts): `integrationKeys.find` and `policies.findInForce`, which gives the
 *   same object again until something changed. A change by this process is seen by every read after it. One by another process
 *   on the same SQLite file is seen in the next turn of the event loop. What was read before is never recorded as if it were
 *   still so: `evaluations.record` compares the revision inside its step.
 */
export interface Store {
  readonly audit: AuditStore;
  readonly operators: OperatorStore;
  readonly operatorKeys: OperatorKeyStore;
  readonly signIns: SignInStore;
  readonly integrations: IntegrationStore;
  readonly integrationKeys: IntegrationKeyStore;
  readonly toolCatalogues: ToolCatalogueStore;
  readonly policies: PolicyStore;
  readonly lists: ListStore;
  readonly mcpServers: McpServerStore;
  readonly proposals: ProposalStore;
  readonly sessions: SessionStore;
  readonly evaluations: EvaluationStore;
  readonly events: EventStore;
  readonly reviews: ReviewStore;
  readonly violations: ViolationStore;
  readonly entities: EntityStore;
  readonly reviewQueue: ReviewQueueStore;
  readonly callbacks: CallbackStore;
  readonly webhooks: WebhookStore;
  readonly counters: CounterStore;
  readonly record: RecordStore;
  readonly sightings: SightingStore;
  readonly stats: StatsStore;
  readonly clock: ClockStore;

  /**
   * Random, and the same for ever in one database, whatever it is moved to: what is hashed of content is hashed with it before it is
   * stored, so that no table of hashes made in advance fits.
   */
  readonly salt: string;

  /**
   * Removes what was deleted from files that the database keeps beside its tables, as far as nobody reads it. Content that
   * retention deleted must not stay in a log that is not written any more.
   */
  overwriteDeleted(): Promise<void>;

  /** For monitoring; cheap on any amount of data. */
  figures(now: number): Promise<StoreFigures>;

  /** Rejects when the store cannot be written to. */
  ping(): Promise<void>;

  /** Finishes what was accepted, then releases everything. Never rejects because of an earlier failed change. */
  close(): Promise<void>;
}

/** The figures of the store that a monitoring system reads at one moment. */
export interface StoreFigures {
  pendingReviews: number;
  /** When the oldest of them was created; null when none is pending. */
  oldestPendingAt: number | null;
  /** Callbacks that are not delivered and not given up. */
  callbacksWaiting: number;
  /** Deliveries of webhooks that are not delivered and not given up. */
  deliveriesWaiting: number;
  /** Size of the log of changes that are not in the database file yet. */
  walBytes: number;
}

/** Told of the size and time of each commit, for metrics. Must return at once and must not throw. */
export interface CommitObserver {
  /** Changes that shared the transaction, and seconds until it was committed. */
  committed(changes: number, seconds: number): void;
  /** Seconds until what was committed was on disk. */
  synced(seconds: number): void;
}
