import type { AuditStore } from './audit.ts';
import type { CallbackStore } from './callbacks.ts';
import type { ClockStore } from './clock.ts';
import type { CounterStore } from './counters.ts';
import type { SessionStore } from './evaluation-sessions.ts';
import type { EvaluationStore } from './evaluations.ts';
import type { StoreFigures } from './figures.ts';
import type { IntegrationStore } from './integrations.ts';
import type { OperatorKeyStore } from './operator-keys.ts';
import type { OperatorStore } from './operators.ts';
import type { PolicyStore } from './policies.ts';
import type { ReviewStore } from './reviews.ts';
import type { SignInStore } from './sign-ins.ts';

export type { CounterRows, CounterWrite } from '../schemas/counter-rows.ts';
export type { SessionAction, SessionContext } from '../schemas/session-context.ts';
export type * from './audit.ts';
export type * from './callbacks.ts';
export type * from './clock.ts';
export type * from './counters.ts';
export type * from './evaluation-sessions.ts';
export type * from './evaluations.ts';
export type * from './figures.ts';
export type * from './idempotency.ts';
export type * from './integrations.ts';
export type * from './operator-keys.ts';
export type * from './operators.ts';
export type * from './pages.ts';
export type * from './policies.ts';
export type * from './reviews.ts';
export type * from './sign-ins.ts';

/**
 * What the services need kept. The contract, for every backend:
 *
 * - A method that changes something is one atomic change, and resolves only when the change is durable.
 * - Expected misses are values (null, false, a `kind`); a method throws only when the store itself fails, and then
 *   with an `AppError` of code `unavailable`, having changed nothing.
 * - Every read and write of an integration's things takes that integration's id and never answers another's.
 * - Times are milliseconds since 1970 and come from the caller; ids are UUIDs and come from the caller.
 * - Text comes back as it was given, to the byte. Hashes are SHA-256 in lower-case hexadecimal.
 * - Two reads may be answered from memory (cached.ts): `integrations.findByKey` and `policies.findInForce`, which gives the
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
  readonly policies: PolicyStore;
  readonly sessions: SessionStore;
  readonly evaluations: EvaluationStore;
  readonly reviews: ReviewStore;
  readonly callbacks: CallbackStore;
  readonly counters: CounterStore;
  readonly clock: ClockStore;

  /** For monitoring; cheap on any amount of data. */
  figures(now: number): Promise<StoreFigures>;

  /** Rejects when the store cannot be written to. */
  ping(): Promise<void>;

  /** Finishes what was accepted, then releases everything. Never rejects because of an earlier failed change. */
  close(): Promise<void>;
}
