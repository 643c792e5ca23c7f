import { scopeName } from '../../../evaluate/counters/counters.ts';
import type { KeptCell } from '../../../evaluate/counters/named-cells.ts';
import { type CellRows, CountedScope } from '../../../evaluate/counters/scope.ts';
import { CounterSet, type Deciders, noCounters } from '../../../evaluate/counters/sets.ts';
import type { LoadedCounters } from '../../../evaluate/port.ts';
import { rootIdOf } from '../../../evaluate/session-places.ts';
import { counterScopes } from '../../../schemas/counter-cells.ts';
import type { CounterScope, CounterWrite, NewEvaluation, NewSession } from '../../../store/store.ts';
import type { MemorySession } from './memory-session.ts';

/** The part of an evaluation that counters need. */
export type CountedEvaluation = Deciders & Pick<NewEvaluation, 'at' | 'session' | 'needs'>;

/** The cells of one integration's counters, in memory. */
export interface MemoryCounters {
  /** `among`: the scopes whose counters are looked for. */
  load(
    evaluation: CountedEvaluation,
    session: MemorySession | null,
    among?: readonly CounterScope[],
  ): LoadedCounters | null;
  write(evaluation: CountedEvaluation, session: MemorySession | null, writes: readonly CounterWrite[]): void;
  /** The scope has counted for all counters, and this is what they keep. */
  begin(
    evaluation: CountedEvaluation,
    session: MemorySession | null,
    scope: CounterScope,
    writes: readonly CounterWrite[],
  ): void;
  /** The counter could not count something, and is not known in this scope until then; null for ever. */
  forget(evaluation: CountedEvaluation, session: MemorySession | null, counter: Forgotten): void;
  isForgotten(
    evaluation: CountedEvaluation,
    session: MemorySession | null,
    counter: string,
    scope: CounterScope,
  ): boolean;
}

export interface Forgotten {
  identity: string;
  over: CounterScope;
  until: number | null;
}

class Kept {
  scope: CountedScope;
  /** Cells beyond those that a scope keeps together. */
  readonly #rows = new Map<string, KeptCell>();
  readonly forgotten = new Map<string, number | null>();

  constructor(set: CounterSet) {
    this.scope = new CountedScope(set, this.#cellRows, null);
  }
  get #cellRows(): CellRows {
    return { salt: '', find: (key) => this.#rows.get(key) ?? null };
  }
  /** The cells of a set's counters; those that the set does not have any more are gone, as they are in the store. */
  of(set: CounterSet): CountedScope {
    if (this.scope.set === set) return this.scope;
    for (const [key, cell] of this.scope.changedRows) this.#rows.set(key, cell);
    const { bytes } = this.scope;
    this.scope = new CountedScope(set, this.#cellRows, bytes && Buffer.from(bytes));
    return this.scope;
  }
}

/** `recounts`: counters that come later first count what was recorded before, as in the service. */
export function createMemoryCounters(recounts = false): MemoryCounters {
  const scopes = new Map<string, Kept>();
  const ofSessions = new WeakMap<MemorySession, Kept>();
  let set = CounterSet.empty();
  /** Whether something was recorded before the counters of the set were there. */
  let isLate = false;

  function find(
    scope: CounterScope,
    evaluation: CountedEvaluation,
    session: MemorySession | null,
    at: number,
  ): Kept | null {
    if (scope === 'session') {
      if (session === null) return null;
      const kept = ofSessions.get(session) ?? open(at);
      ofSessions.set(session, kept);
      return kept;
    }
    const own = session ?? openedBy(evaluation);
    if (scope === 'tree' && own === null) return null;
    const of = { entityId: own?.entityId ?? null, rootId: own ? rootIdOf(own) : '' };
    const name = scopeName(scope, of);
    const kept = scopes.get(name) ?? open(at);
    scopes.set(name, kept);
    return kept;
  }
  function open(at: number): Kept {
    const kept = new Kept(set);
    if (!isLate) kept.scope.begin(at);
    return kept;
  }

  return {
    load(evaluation, session, among) {
      const { needs, at } = evaluation;
      if (needs.counters === null) {
        set = set.with(noCounters, evaluation, among);
        isLate = true;
        return null;
      }
      const planned = needs.counters;
      const next = set.with(planned, evaluation, among);
      if (next !== set && set.epoch > 0) isLate = true;
      set = next;
      const of = (scope: CounterScope) => find(scope, evaluation, session, at)?.of(set) ?? null;
      return {
        of,
        get uncounted() {
          if (!recounts) return [];
          return counterScopes.flatMap((scope) => {
            if (set.isCountedAt(scope, 0)) return [];
            const isNew = session !== null && session.actionCount + session.otherCount === 0;
            const cells = scope === 'session' && isNew ? null : of(scope);
            const counters = cells?.uncounted(scope, planned) ?? [];
            return counters.length === 0 ? [] : [{ scope, counters }];
          });
        },
      };
    },

    write(evaluation, session, writes) {
      const { at } = evaluation;
      if (session && session.actionCount + session.otherCount === 1)
        find('session', evaluation, session, at)?.of(set).begin(at);
      for (const write of writes)
        find(write.scope, evaluation, session, at)?.of(set).write(write, write.endsAt, at);
    },

    begin(evaluation, session, scope, writes) {
      const { at } = evaluation;
      const cells = find(scope, evaluation, session, at)?.of(set);
      cells?.noteCounted(scope, cells.uncounted(scope, evaluation.needs.counters ?? []), at);
      for (const write of writes) cells?.write(write, write.endsAt, at);
    },

    forget(evaluation, session, { identity, over, until }) {
      find(over, evaluation, session, evaluation.at)?.forgotten.set(identity, until);
    },

    isForgotten(evaluation, session, counter, scope) {
      const until = find(scope, evaluation, session, evaluation.at)?.forgotten.get(counter);
      return until !== undefined && (until === null || until > evaluation.at);
    },
  };
}

const openedBy = ({ session: asked }: CountedEvaluation): NewSession | null =>
  asked && 'open' in asked ? asked.open : null;
