import {
  type CounterCell,
  type CounterScope,
  type CounterWrite,
  counterScopes as counterScopeNames,
  type PlannedCounter,
} from '../../schemas/counter-cells.ts';
import { endInSession, type ScopeCells, scopeName } from '../counters/counters.ts';
import { CountedScope } from '../counters/scope.ts';
import type { CounterSet, Deciders } from '../counters/sets.ts';
import { type BatchCounters, type KeptScope, sessionScope } from './counters.ts';
import { orElse } from './rows.ts';
import type { SessionState } from './session-state.ts';
import type { SessionStates } from './session-states.ts';
import type { CountedRoot } from './session-trees.ts';

/** Whose counters an evaluation reads and changes. */
export interface CountedEvaluation {
  readonly integrationId: string;
  /** Null when it has none, or one that it opens. */
  readonly session: SessionState | null;
  readonly entityId: string | null;
  /** Null without a session, and when no counter counts over trees in a session that nobody delegated. */
  readonly root: CountedRoot | null;
}

/** The cells of counters for one evaluation, in each scope that it has. Evaluations without counters are noted as well: counters that their policies had before miss them. */
export class LoadedScopes {
  readonly #counters: BatchCounters;
  readonly #sessions: SessionStates;
  readonly #set: CounterSet;
  /** The set that counts in a tree is that of its root's integration: all sessions of the tree have the same. */
  readonly #treeSet: CounterSet | null;
  readonly #of: CountedEvaluation;
  readonly #planned: readonly PlannedCounter[];

  constructor(
    counters: BatchCounters,
    sessions: SessionStates,
    of: CountedEvaluation,
    planned: readonly PlannedCounter[],
    /** Null for what was held earlier, with the counters that there are now. */
    deciders: Deciders | null,
  ) {
    const { integrationId, root } = of;
    this.#counters = counters;
    this.#sessions = sessions;
    this.#of = of;
    this.#planned = planned;
    const setOf = (id: string, ...scopes: [] | [CounterScope[]]): CounterSet =>
      deciders ? counters.setOf(id, planned, deciders, ...scopes) : counters.knownSetOf(id);
    this.#set = setOf(integrationId);
    this.#treeSet =
      root === null || root.integrationId === integrationId
        ? root && this.#set
        : setOf(root.integrationId, ['tree']);
  }

  #setOf(scope: CounterScope): CounterSet | null {
    return scope === 'tree' ? this.#treeSet : this.#set;
  }
  /** Whether the integration still has a counter. */
  has(counter: string, scope: CounterScope): boolean {
    return this.#setOf(scope)?.idOf(counter) !== undefined;
  }
  of(scope: CounterScope): ScopeCells | null {
    const cells = this.#scopeOf(scope);
    return cells && { find: (counter, name) => orElse(() => cells.find(counter, name), null) };
  }
  /** The same for one cell. Throws `NotLoaded`. */
  read(counter: string, scope: CounterScope, name: string): CounterCell | null {
    return this.#scopeOf(scope)?.find(counter, name) ?? null;
  }
  #scopeOf(scope: CounterScope): CountedScope | null {
    const { session } = this.#of;
    if (scope === 'session') return session && this.#ofSession(session, this.#set);
    return this.#keptOf(scope)?.scope ?? null;
  }
  #ofSession(session: SessionState, set: CounterSet): CountedScope {
    const { counters } = session;
    if (counters?.set === set) return counters;
    if (counters) this.#counters.keepCells(session.row.integrationId, sessionScope(session.id), counters);
    const bytes = session.counterBytes && Buffer.from(session.counterBytes);
    const cells = this.#counters.cellsOf(session.row.integrationId, sessionScope(session.id));
    session.counters = new CountedScope(set, cells, bytes);
    return session.counters;
  }
  #keptOf(scope: Exclude<CounterScope, 'session'>): KeptScope | null {
    const { entityId, root } = this.#of;
    const set = this.#setOf(scope);
    const integrationId = scope === 'tree' ? root?.integrationId : this.#of.integrationId;
    if (set === null || integrationId === undefined) return null;
    return this.#counters.find(integrationId, scopeName(scope, { entityId, rootId: root?.id ?? '' }), set);
  }
  /** Whether nothing is recorded in the session or tree, so that there is nothing to count. */
  #isEmpty(scope: CounterScope): boolean {
    const { session, root } = this.#of;
    if (scope === 'tree') return root?.isEmpty ?? true;
    return scope === 'session' && session?.recordCount === 0;
  }

  /** Whether the tree counts from this evaluation on. */
  get #beginsTree(): boolean {
    return this.#isEmpty('tree') && this.#treeSet?.isCountedAt('tree', 0) === false;
  }
  /** Whether nothing was recorded of the entity. What it has counted says so at once, of all that were evaluated before. */
  get #isNewEntity(): boolean {
    const { integrationId, entityId } = this.#of;
    if (entityId === null || this.#set.isCountedAt('entity', 0)) return false;
    const cells = this.#scopeOf('entity');
    if (cells === null || cells.uncounted('entity', this.#planned).length === 0) return false;
    return this.#counters.entities.isNew(integrationId, entityId);
  }

  /** The scopes that were there before some counters of the set, and these. */
  get uncounted(): readonly { readonly scope: CounterScope; readonly counters: readonly string[] }[] {
    return counterScopeNames.flatMap((scope) => {
      const set = this.#setOf(scope);
      if (set === null || set.isCountedAt(scope, 0)) return [];
      const cells = this.#isEmpty(scope) ? null : this.#scopeOf(scope);
      const counters = cells?.uncounted(scope, this.#planned) ?? [];
      const isCounted = counters.length === 0 || (scope === 'entity' && this.#isNewEntity);
      return isCounted ? [] : [{ scope, counters }];
    });
  }

  /** Reads what is written, so that nothing is missing then. Throws `NotLoaded` and `NotLocked`. */
  prepare(writes: readonly CounterWrite[]): void {
    if (this.#beginsTree) this.#scopeOf('tree');
    for (const { scope, counter, name } of writes) this.#scopeOf(scope)?.find(counter, name);
  }

  write(session: SessionState | null, writes: readonly CounterWrite[], at: number): void {
    if (session?.recordCount === 0 && !this.#set.isCountedAt('session', 0)) this.#beginSession(session, at);
    if (this.#beginsTree) this.#begin('tree', at);
    if (this.#isNewEntity) this.#begin('entity', at);
    for (const write of writes) this.#writeOne(session, write, at);
  }

  /** The scope has counted for the counters of the evaluation, and this is what they keep. */
  catchUp(
    scope: CounterScope,
    session: SessionState | null,
    writes: readonly CounterWrite[],
    at: number,
  ): void {
    const cells = this.#scopeOf(scope);
    const isNew = cells?.noteCounted(scope, cells.uncounted(scope, this.#planned), at);
    for (const write of writes) this.#writeOne(session, write, at);
    if (!isNew) return;
    if (scope === 'session') this.#note(session as SessionState);
    else (this.#keptOf(scope) as KeptScope).isChanged = true;
  }

  #begin(scope: Exclude<CounterScope, 'session'>, at: number): void {
    const one = this.#keptOf(scope);
    if (one?.scope.begin(at)) one.isChanged = true;
  }
  #beginSession(session: SessionState, at: number): void {
    if (this.#ofSession(session, this.#set).begin(at)) this.#note(session);
  }
  #note(session: SessionState): void {
    if (!session.hasCounters) this.#counters.noteEnd(session);
    session.hasCounters = true;
    this.#sessions.writes.change(session);
  }
  #writeOne(session: SessionState | null, write: CounterWrite, at: number): void {
    const { scope, endsAt } = write;
    if (scope === 'session') {
      if (session === null) return;
      this.#note(session);
      this.#ofSession(session, this.#set).write(write, endInSession(endsAt, session.expiresAt), at);
      return;
    }
    const one = this.#keptOf(scope);
    if (one === null) return;
    one.scope.write(write, endsAt, at);
    one.isChanged = true;
  }
}
