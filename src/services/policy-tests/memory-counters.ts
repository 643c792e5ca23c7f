import { CountedScope } from '../../store/counted-scope.ts';
import { CounterSet } from '../../store/counter-sets.ts';
import { scopeName } from '../../store/counters.ts';
import type { LoadedCounters } from '../../store/record-evaluation.ts';
import type { CounterScope, CounterWrite, NewEvaluation } from '../../store/store.ts';
import type { MemorySession } from './memory-session.ts';

/** What the counters of one test keep: its steps are all that they ever count. */
export interface MemoryCounters {
  load(evaluation: NewEvaluation, session: MemorySession | null): LoadedCounters | null;
  write(evaluation: NewEvaluation, session: MemorySession | null, writes: readonly CounterWrite[]): void;
}

const noRows = { find: () => null };

export function createMemoryCounters(): MemoryCounters {
  const scopes = new Map<string, CountedScope>();
  let set = CounterSet.empty();

  function find(scope: CounterScope, session: MemorySession | null, entityId: string | null) {
    if (scope === 'session' && session === null) return null;
    const name = scope === 'session' ? `session ${session?.id}` : scopeName(scope, { entityId });
    const found = scopes.get(name) ?? new CountedScope(set, noRows, null);
    scopes.set(name, found);
    return found;
  }
  const entityOf = ({ session: asked }: NewEvaluation, session: MemorySession | null): string | null => {
    if (session) return session.entityId;
    return asked && 'open' in asked ? asked.open.entityId : null;
  };

  return {
    load(evaluation, session) {
      const { counters } = evaluation.needs;
      if (counters === null) return null;
      set = set.with(counters, false);
      return { of: (scope) => find(scope, session, entityOf(evaluation, session)), uncounted: [] };
    },
    write(evaluation, session, writes) {
      for (const write of writes)
        find(write.scope, session, entityOf(evaluation, session))?.write(write, write.endsAt, evaluation.at);
    },
  };
}
