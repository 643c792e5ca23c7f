import {
  type CounterScope,
  type CounterWrite,
  counterScopes as counterScopeNames,
  type PlannedCounter,
} from '../../schemas/counter-cells.ts';
import { CountedScope } from '../counted-scope.ts';
import { CounterSet } from '../counter-sets.ts';
import { endInSession, type ScopeCells, scopeName } from '../counters.ts';
import { createCounterCellRows } from './counter-cells.ts';
import { createCounterScopeRows } from './counter-scope-rows.ts';
import type { Sqlite } from './database.ts';
import type { SessionState } from './session-state.ts';

/**
 * What counters keep. Synchronous: it runs inside a change. Kept in memory as sessions are (`SessionStates`): what changed is
 * written at the end of the transaction, once, and all is dropped when it is rolled back or another connection wrote.
 */
export interface CounterScopes {
  /** The cells of an evaluation, in each scope that it has. `session`: null when it has none, or one that it opens. */
  load(
    integrationRow: number,
    session: SessionState | null,
    entityId: string | null,
    planned: readonly PlannedCounter[],
    delegated: boolean,
  ): LoadedScopes;
  write(
    loaded: LoadedScopes,
    session: SessionState | null,
    writes: readonly CounterWrite[],
    at: number,
  ): void;
  /** The scope has counted for all counters of the set, and this is what they keep. */
  begin(
    loaded: LoadedScopes,
    scope: CounterScope,
    session: SessionState | null,
    writes: readonly CounterWrite[],
    at: number,
  ): void;
  /** Rows were deleted that may be in memory. What changed in this transaction is written first. */
  forget(): void;
  /** The session has ended: nothing reads what it keeps any more. */
  endSession(session: SessionState, now: number): void;
}

export interface LoadedScopes {
  readonly set: CounterSet;
  readonly integrationRow: number;
  readonly entityId: string | null;
  of(scope: CounterScope): ScopeCells | null;
  /** The scopes that were there before some counters of the set, and these. */
  readonly uncounted: readonly { readonly scope: CounterScope; readonly counters: readonly string[] }[];
}

/** A scope that is no session. */
interface Kept {
  readonly integrationRow: number;
  readonly name: string;
  scope: CountedScope;
  /** As it is in the row; undefined when there is none. */
  writtenEnd: number | null | undefined;
}

/** Some 2 KB each as a rule; with very many counters and values, 100. */
const mostKept = 2_000;

export function createCounterScopes({
  client,
  db,
  writer,
}: Pick<Sqlite, 'client' | 'db' | 'writer'>): CounterScopes {
  const rows = createCounterCellRows({ client, db });
  const scopeRows = createCounterScopeRows({ client, db });
  const sets = new Map<number, CounterSet>();
  /** By integration, then by entity: null stands for all that has none, `integrationKey` for the integration. */
  const kept = new Map<number, Map<string | null, Kept>>();
  let keptCount = 0;
  const changed = new Set<Kept>();
  const changedSessions = new Set<SessionState>();
  function forget(): void {
    sets.clear();
    forgetKept();
  }
  function forgetKept(): void {
    kept.clear();
    keptCount = 0;
  }
  writer.onForeignCommit(forget);
  function writeAll(): void {
    for (const one of changed) writeScope(one);
    for (const session of changedSessions) {
      if (session.counters) writeCells(session.row.integrationId, sessionScope(session), session.counters);
    }
    changed.clear();
    changedSessions.clear();
    if (keptCount > mostKept) forgetKept();
  }
  writer.onEnd(writeAll);
  writer.onRollback(() => {
    changed.clear();
    changedSessions.clear();
    forget();
  });

  function writeCells(integrationRow: number, name: string, scope: CountedScope): void {
    if (scope.changedRows.size > 0) rows.write(integrationRow, name, scope.changedRows);
    scope.forgetRows();
  }

  function writeScope(one: Kept): void {
    const { integrationRow, name, scope, writtenEnd } = one;
    writeCells(integrationRow, name, scope);
    const data = scope.bytes;
    if (data === null) return;
    const { endsAt } = scope;
    scopeRows.write(integrationRow, name, { data, endsAt }, writtenEnd);
    one.writtenEnd = endsAt;
  }

  function setOf(integrationRow: number, planned: readonly PlannedCounter[], delegated: boolean): CounterSet {
    let before = sets.get(integrationRow);
    if (before === undefined) {
      const text = scopeRows.findSet(integrationRow);
      before = text === null ? CounterSet.empty() : CounterSet.parse(text);
      sets.set(integrationRow, before);
    }
    const set = before.with(planned, delegated);
    if (set !== before) {
      scopeRows.writeSet(integrationRow, set.text);
      sets.set(integrationRow, set);
    }
    return set;
  }

  function ofSession(session: SessionState, set: CounterSet): CountedScope {
    const { counters, row } = session;
    if (counters?.set === set) return counters;
    if (counters) writeCells(row.integrationId, sessionScope(session), counters);
    session.counters = new CountedScope(
      set,
      rows.of(row.integrationId, sessionScope(session)),
      session.counterBytes,
    );
    return session.counters;
  }

  function keptOf(
    integrationRow: number,
    scope: Exclude<CounterScope, 'session'>,
    entityId: string | null,
    set: CounterSet,
  ): Kept {
    const key = scope === 'integration' ? integrationKey : entityId;
    const ofIntegration = kept.get(integrationRow) ?? new Map<string | null, Kept>();
    if (ofIntegration.size === 0) kept.set(integrationRow, ofIntegration);
    let one = ofIntegration.get(key);
    if (!one) {
      one = loadScope(integrationRow, scopeName(scope, { entityId }), set);
      ofIntegration.set(key, one);
      keptCount++;
    } else if (one.scope.set !== set) {
      writeCells(integrationRow, one.name, one.scope);
      one.scope = new CountedScope(set, rows.of(integrationRow, one.name), one.scope.bytes);
    }
    return one;
  }

  function loadScope(integrationRow: number, name: string, set: CounterSet): Kept {
    const row = scopeRows.find(integrationRow, name);
    const scope = new CountedScope(set, rows.of(integrationRow, name), row?.data ?? null);
    return { integrationRow, name, scope, writtenEnd: row?.endsAt };
  }

  class Loaded implements LoadedScopes {
    readonly set: CounterSet;
    readonly integrationRow: number;
    readonly entityId: string | null;
    readonly #session: SessionState | null;
    #ofEntity: Kept | null = null;
    #ofIntegration: Kept | null = null;

    constructor(
      set: CounterSet,
      integrationRow: number,
      session: SessionState | null,
      entityId: string | null,
    ) {
      this.set = set;
      this.integrationRow = integrationRow;
      this.#session = session;
      this.entityId = entityId;
    }
    of(scope: CounterScope): CountedScope | null {
      if (scope === 'session') return this.#session && ofSession(this.#session, this.set);
      return this.keptOf(scope).scope;
    }
    keptOf(scope: Exclude<CounterScope, 'session'>): Kept {
      const { integrationRow, set } = this;
      if (scope === 'integration') {
        this.#ofIntegration ??= keptOf(integrationRow, scope, this.entityId, set);
        return this.#ofIntegration;
      }
      this.#ofEntity ??= keptOf(integrationRow, scope, this.entityId, set);
      return this.#ofEntity;
    }
    get uncounted(): LoadedScopes['uncounted'] {
      return counterScopeNames.flatMap((scope) => {
        if (this.set.isCountedAt(scope, 0)) return [];
        // In a session of which nothing is recorded there is nothing to count.
        const cells = scope === 'session' && this.#session?.recordCount === 0 ? null : this.of(scope);
        if (cells === null || this.set.isCountedAt(scope, cells.epoch)) return [];
        return [{ scope, counters: this.set.youngerThan(scope, cells.epoch) }];
      });
    }
  }

  function begin(one: Kept, at: number): void {
    if (one.scope.begin(at)) changed.add(one);
  }
  function beginSession(session: SessionState, set: CounterSet, at: number): void {
    if (ofSession(session, set).begin(at)) note(session);
  }
  function note(session: SessionState): void {
    if (!session.hasCounters) scopeRows.noteEnd(session.row.id, session.expiresAt);
    session.hasCounters = true;
    changedSessions.add(session);
  }

  function writeOne(loaded: Loaded, session: SessionState | null, write: CounterWrite, at: number): void {
    if (write.scope !== 'session') {
      const one = loaded.keptOf(write.scope);
      one.scope.write(write, write.endsAt, at);
      changed.add(one);
    } else if (session) {
      note(session);
      ofSession(session, loaded.set).write(write, endInSession(write.endsAt, session.expiresAt), at);
    }
  }

  return {
    load: (integrationRow, session, entityId, planned, delegated) =>
      new Loaded(setOf(integrationRow, planned, delegated), integrationRow, session, entityId),

    write(loaded, session, writes, at) {
      if (session?.recordCount === 0 && !loaded.set.isCountedAt('session', 0))
        beginSession(session, loaded.set, at);
      for (const write of writes) writeOne(loaded as Loaded, session, write, at);
    },

    begin(loaded, scope, session, writes, at) {
      for (const write of writes) writeOne(loaded as Loaded, session, write, at);
      if (scope !== 'session') begin((loaded as Loaded).keptOf(scope), at);
      else if (session) beginSession(session, loaded.set, at);
    },

    forget() {
      writeAll();
      forgetKept();
    },

    endSession(session, now) {
      session.dropCounters();
      changedSessions.delete(session);
      rows.end(session.row.integrationId, sessionScope(session), now);
      scopeRows.emptySession(session.row.id);
    },
  };
}

/** No entity has this id. */
const integrationKey = 'integration';
const sessionScope = (session: SessionState): string => `session ${session.id}`;
