import type {
  CountedRecord,
  CounterCell,
  CounterScope,
  CounterWrite,
  PlannedCounter,
} from '../../schemas/counter-cells.ts';
import type { SessionContext } from '../../schemas/session-context.ts';
import { lateResultMs, type SessionProgress } from '../session.ts';
import type { Deciders } from './sets.ts';

/** The cells of one scope. */
export interface ScopeCells {
  find(counter: string, name: string): CounterCell | null;
}

/**
 * The scope of an evaluation, within its integration; of a tree, within that of its root. All that has no entity shares one,
 * so that leaving the entity out lifts no limit.
 */
export function scopeName(
  scope: Exclude<CounterScope, 'session'>,
  { entityId, rootId }: Pick<SessionContext, 'entityId' | 'rootId'>,
): string {
  if (scope === 'tree') return `tree ${rootId}`;
  return scope === 'integration' ? 'integration' : entityId === null ? 'entity' : `entity ${entityId}`;
}

export function placeOf(
  scope: CounterScope,
  integrationId: string,
  { id, rootId, entityId }: Pick<SessionContext, 'id' | 'rootId' | 'entityId'>,
): CountedPlace {
  if (scope === 'tree') return { integrationId, scope, rootId };
  if (scope === 'session') return { integrationId, scope, sessionId: id };
  return scope === 'entity' ? { integrationId, scope, entityId } : { integrationId, scope };
}

/** A session's cells say nothing any more once it has expired, and takes no results either. */
export function endInSession(endsAt: number | null, expiresAt: number): number {
  const last = expiresAt + lateResultMs;
  return Math.min(endsAt ?? last, last);
}

/**
 * Whether nothing is ever recorded again in the tree of a session that has ended. A root that did not end as TERMINATED can be
 * continued, and its limits hold then: what counters keep of its tree is kept like that of an entity.
 */
export const endsTree = ({ place, status }: Pick<SessionProgress, 'place' | 'status'>): boolean =>
  place === null && status === 'TERMINATED';

/** One scope of an integration: a session, the tree of a root, an entity (null: all that has none), or the integration. */
export type CountedPlace = { readonly integrationId: string } & (
  | { readonly scope: 'session'; readonly sessionId: string }
  | { readonly scope: 'tree'; readonly rootId: string }
  | { readonly scope: 'entity'; readonly entityId: string | null }
  | { readonly scope: 'integration' }
);

/** A scope whose record was made before it had these counters: it has to be counted first. */
export interface UncountedScope {
  readonly place: CountedPlace;
  readonly counters: readonly string[];
}

/** The counters that an evaluation has, those who delegated its session, and the revision of what decides it. */
export interface CountedUpTo {
  readonly planned: readonly PlannedCounter[];
  readonly delegators: Deciders['delegators'];
  readonly revision: number;
}

/** The cells that counters keep in one scope, as operators see them. */
export interface ScopeReadings {
  /** The cell of the counter itself; for a counter split by a value, the cell that counts its values. */
  find(counter: string): CounterCell | null;
  /** False until the next evaluation in the scope when the counter is younger than the last one. */
  isCounted(counter: string): boolean;
}

/** The cells that the counters of one integration keep of an entity. */
export interface EntityCells extends ScopeReadings {
  readonly integrationId: string;
}

export interface CounterStore {
  /** In each integration in which something is counted of the entity. */
  ofEntity(entityId: string): Promise<EntityCells[]>;
  /** The counts in each scope of a session; null where its integration, or that of its root, has no counter. */
  ofSession(
    session: Pick<SessionContext, 'id' | 'rootId' | 'entityId'>,
  ): Promise<Readonly<Record<CounterScope, ScopeReadings | null>>>;
  /**
   * Deletes some of what counters keep that ended before `before`, little enough not to hold up others. False when nothing
   * is left.
   */
  forgetEnded(before: number): Promise<boolean>;
  /**
   * The evaluations that were recorded in a scope from `since` on, or a little earlier, in their order: numbers for
   * `readRecords`. `last`: whatever is recorded from now on has a greater one. In small steps, between which other requests
   * are served.
   */
  listRecords(place: CountedPlace, since: number): Promise<{ rows: number[]; last: number }>;
  /** `withInput`: false leaves the input out. */
  readRecords(rows: readonly number[], withInput: boolean): Promise<CountedRecord[]>;
  /**
   * Says that the scope has counted for all of its counters, and keeps what `count` writes: it gets what was recorded in the
   * scope after row `after`. It must be pure, and may be called again. Does nothing when the scope has counted for them already,
   * and when `revision` is not that of what decides now.
   */
  catchUp(
    place: CountedPlace,
    upTo: CountedUpTo,
    after: number,
    at: number,
    count: (records: readonly CountedRecord[]) => readonly CounterWrite[],
  ): Promise<void>;
}
