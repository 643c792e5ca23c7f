import {
  type CounterScope,
  type CounterWrite,
  counterScopes as counterScopeNames,
  type PlannedCounter,
} from '../../schemas/counter-cells.ts';
import type { Sqlite } from '../../store/sqlite/database.ts';
import { endInSession, endsTree, type ScopeCells, scopeName } from '../counters/counters.ts';
import { CountedScope } from '../counters/scope.ts';
import { CounterSet, type Deciders } from '../counters/sets.ts';
import { lateResultMs } from '../session.ts';
import {
  createCounterCellRows,
  createCounterScopeRows,
  createSessionCellRows,
  type KeptScope,
  KeptScopes,
} from './counter-rows.ts';
import type { SessionState } from './session-state.ts';

/** The root of a tree of sessions, which may be opened only now. */
export interface CountedRoot {
  readonly id: string;
  readonly integrationRow: number;
  /** Whether nothing is recorded in the tree. */
  readonly isEmpty: boolean;
}

/** Whose counters an evaluation reads and changes. */
interface CountedEvaluation {
  readonly integrationRow: number;
  /** Null when it has none, or one that it opens. */
  readonly session: SessionState | null;
  readonly entityId: string | null;
  /** Null without a session, and when no counter counts over trees in a session that nobody delegated. */
  readonly root: CountedRoot | null;
}

/**
 * The cells of counters. Synchronous: it runs inside a change. Kept in memory as sessions are (`SessionStates`): what changed is
 * written at the end of the transaction, once, and all is dropped when it is rolled back or another connection wrote.
 */
export interface CounterScopes {
  /** The cells of an evaluation, in each scope that it has. Without counters, too: those that its deciders had miss it. */
  load(of: CountedEvaluation, planned: readonly PlannedCounter[], deciders: Deciders): LoadedScopes;
  /** The same of what was held earlier, with the counters that there are now. */
  loadKnown(of: CountedEvaluation): LoadedScopes;
  write(
    loaded: LoadedScopes,
    session: SessionState | null,
    writes: readonly CounterWrite[],
    at: number,
  ): void;
  /** The scope has counted for the counters of the evaluation, and this is what they keep. */
  catchUp(
    loaded: LoadedScopes,
    scope: CounterScope,
    session: SessionState | null,
    writes: readonly CounterWrite[],
    at: number,
  ): void;
  /** Rows were deleted that may be in memory. What changed in this transaction is written first. */
  forget(): void;
  /** The session has ended: nothing reads what it keeps once it takes no results either. */
  endSession(session: SessionState, now: number): void;
}

export interface LoadedScopes {
  of(scope: CounterScope): ScopeCells | null;
  /** Whether the integration still has a counter. */
  has(counter: string, scope: CounterScope): boolean;
  /** The scopes that were there before some counters of the set, and these. */
  readonly uncounted: readonly { readonly scope: CounterScope; readonly counters: readonly string[] }[];
}

export function createCounterScopes(
  { client, db, writer }: Pick<Sqlite, 'client' | 'db' | 'writer'>,
  salt: string,
): CounterScopes {
  const rows = createCounterCellRows({ client, db }, salt);
  const sessionRows = createSessionCellRows({ client, db }, salt);
  const scopeRows = createCounterScopeRows({ client, db });
  const sets = new Map<number, CounterSet>();
  const kept = new KeptScopes(rows, scopeRows);
  const changedSessions = new Set<SessionState>();
  function forget(): void {
    sets.clear();
    kept.forget();
  }
  writer.onForeignCommit(forget);
  function writeAll(): void {
    kept.writeAll();
    for (const session of changedSessions) {
      if (session.counters) writeCells(session, session.counters);
    }
    changedSessions.clear();
  }
  writer.onEnd(writeAll);
  writer.onRollback(() => {
    changedSessions.clear();
    forget();
  });

  function writeCells({ row }: SessionState, scope: CountedScope): void {
    if (scope.changedRows.size > 0) sessionRows.write(row.id, scope.changedRows);
    scope.forgetRows();
  }

  function knownSetOf(integrationRow: number): CounterSet {
    let known = sets.get(integrationRow);
    if (known === undefined) {
      const text = scopeRows.findSet(integrationRow);
      known = text === null ? CounterSet.empty() : CounterSet.parse(text);
      sets.set(integrationRow, known);
    }
    return known;
  }
  function setOf(integrationRow: number, ...of: Parameters<CounterSet['with']>): CounterSet {
    const before = knownSetOf(integrationRow);
    const set = before.with(...of);
    if (set !== before) {
      scopeRows.writeSet(integrationRow, set.text);
      sets.set(integrationRow, set);
    }
    return set;
  }

  function ofSession(session: SessionState, set: CounterSet): CountedScope {
    const { counters, row } = session;
    if (counters?.set === set) return counters;
    if (counters) writeCells(session, counters);
    session.counters = new CountedScope(set, sessionRows.of(row.id), session.counterBytes);
    return session.counters;
  }

  /** The set that counts in a tree is that of its root's integration: all sessions of the tree have the same. */
  function treeSetOf(root: CountedRoot, own: CounterSet, ...of: Parameters<typeof setOf>): CounterSet {
    const [integrationRow, planned, deciders] = of;
    if (root.integrationRow === integrationRow) return own;
    return setOf(root.integrationRow, planned, deciders, ['tree']);
  }

  class Loaded implements LoadedScopes {
    readonly #set: CounterSet;
    readonly #treeSet: CounterSet | null;
    readonly #of: CountedEvaluation;
    readonly planned: readonly PlannedCounter[];
    readonly #kept: Partial<Record<CounterScope, KeptScope>> = {};

    constructor(
      set: CounterSet,
      treeSet: CounterSet | null,
      of: CountedEvaluation,
      planned: readonly PlannedCounter[],
    ) {
      this.#set = set;
      this.#treeSet = treeSet;
      this.#of = of;
      this.planned = planned;
    }
    setOf(scope: CounterScope): CounterSet | null {
      return scope === 'tree' ? this.#treeSet : this.#set;
    }
    has(counter: string, scope: CounterScope): boolean {
      return this.setOf(scope)?.idOf(counter) !== undefined;
    }
    of(scope: CounterScope): CountedScope | null {
      const { session } = this.#of;
      if (scope === 'session') return session && ofSession(session, this.#set);
      return this.keptOf(scope)?.scope ?? null;
    }
    keptOf(scope: Exclude<CounterScope, 'session'>): KeptScope | null {
      const { entityId, root } = this.#of;
      const set = this.setOf(scope);
      const integrationRow = scope === 'tree' ? root?.integrationRow : this.#of.integrationRow;
      if (set === null || integrationRow === undefined) return null;
      this.#kept[scope] ??= kept.find(
        integrationRow,
        scopeName(scope, { entityId, rootId: root?.id ?? '' }),
        set,
      );
      return this.#kept[scope];
    }
    /** Whether nothing is recorded in the session or tree, so that there is nothing to count. */
    isEmpty(scope: CounterScope): boolean {
      const { session, root } = this.#of;
      if (scope === 'tree') return root?.isEmpty ?? true;
      return scope === 'session' && session?.recordCount === 0;
    }
    get uncounted(): LoadedScopes['uncounted'] {
      return counterScopeNames.flatMap((scope) => {
        const set = this.setOf(scope);
        if (set === null || set.isCountedAt(scope, 0)) return [];
        const cells = this.isEmpty(scope) ? null : this.of(scope);
        const counters = cells?.uncounted(scope, this.planned) ?? [];
        return counters.length === 0 ? [] : [{ scope, counters }];
      });
    }
  }

  function begin(one: KeptScope | null, at: number): void {
    if (one?.scope.begin(at)) kept.change(one);
  }
  function beginSession(session: SessionState, set: CounterSet | null, at: number): void {
    if (set !== null && ofSession(session, set).begin(at)) note(session);
  }
  function note(session: SessionState): void {
    if (!session.hasCounters) scopeRows.noteEnd(session.row.id, session.expiresAt + lateResultMs);
    session.hasCounters = true;
    changedSessions.add(session);
  }

  function writeOne(loaded: Loaded, session: SessionState | null, write: CounterWrite, at: number): void {
    const { scope, endsAt } = write;
    if (scope === 'session') {
      const set = loaded.setOf(scope);
      if (session === null || set === null) return;
      note(session);
      ofSession(session, set).write(write, endInSession(endsAt, session.expiresAt), at);
      return;
    }
    const one = loaded.keptOf(scope);
    if (one === null) return;
    one.scope.write(write, endsAt, at);
    kept.change(one);
  }

  return {
    load(of, planned, deciders) {
      const set = setOf(of.integrationRow, planned, deciders);
      const { root } = of;
      const treeSet = root && treeSetOf(root, set, of.integrationRow, planned, deciders);
      return new Loaded(set, treeSet, of, planned);
    },

    loadKnown(of) {
      const { root } = of;
      return new Loaded(knownSetOf(of.integrationRow), root && knownSetOf(root.integrationRow), of, []);
    },

    write(scopes, session, writes, at) {
      const loaded = scopes as Loaded;
      if (session?.recordCount === 0 && !loaded.setOf('session')?.isCountedAt('session', 0))
        beginSession(session, loaded.setOf('session'), at);
      if (loaded.isEmpty('tree') && loaded.setOf('tree')?.isCountedAt('tree', 0) === false)
        begin(loaded.keptOf('tree'), at);
      for (const write of writes) writeOne(loaded, session, write, at);
    },

    catchUp(scopes, scope, session, writes, at) {
      const loaded = scopes as Loaded;
      const cells = loaded.of(scope);
      const isNew = cells?.noteCounted(scope, cells.uncounted(scope, loaded.planned), at);
      for (const write of writes) writeOne(loaded, session, write, at);
      if (!isNew) return;
      if (scope === 'session') note(session as SessionState);
      else kept.change(loaded.keptOf(scope) as KeptScope);
    },

    forget() {
      writeAll();
      kept.forget();
    },

    endSession(session, now) {
      const { integrationId, id } = session.row;
      const at = now + lateResultMs;
      // Changes before the end are written first: the cells are read until then.
      writeAll();
      if (session.hasCounters) scopeRows.noteEnd(id, at);
      if (!endsTree(session)) return;
      const name = scopeName('tree', session);
      kept.drop(integrationId, name);
      rows.end(integrationId, name, at);
      scopeRows.end(integrationId, name, at);
    },
  };
}
