import type { MemoryCounters } from '../../features/policies/policy-tests/memory-counters.ts';

/** The counters of an integration, in a tree whose root may be another one's: that one keeps what trees count, as in a store. */
export function countersInTree(own: MemoryCounters, ofRoot: MemoryCounters): MemoryCounters {
  if (own === ofRoot) return own;
  const of = (scope: string): MemoryCounters => (scope === 'tree' ? ofRoot : own);
  return {
    load(evaluation, session) {
      const loaded = own.load(evaluation, session);
      const trees = ofRoot.load(evaluation, session, ['tree']);
      if (!loaded || !trees) return loaded;
      return {
        of: (scope) => (scope === 'tree' ? trees : loaded).of(scope),
        get uncounted() {
          return [
            ...loaded.uncounted.filter(({ scope }) => scope !== 'tree'),
            ...trees.uncounted.filter(({ scope }) => scope === 'tree'),
          ];
        },
      };
    },
    write(evaluation, session, writes) {
      own.write(
        evaluation,
        session,
        writes.filter(({ scope }) => scope !== 'tree'),
      );
      ofRoot.write(
        evaluation,
        session,
        writes.filter(({ scope }) => scope === 'tree'),
      );
    },
    begin: (evaluation, session, scope, writes) => of(scope).begin(evaluation, session, scope, writes),
    forget: (evaluation, session, counter) => of(counter.over).forget(evaluation, session, counter),
    isForgotten: (evaluation, session, counter, scope) =>
      of(scope).isForgotten(evaluation, session, counter, scope),
  };
}
