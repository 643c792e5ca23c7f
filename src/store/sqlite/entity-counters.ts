import { and, asc, eq, isNull } from 'drizzle-orm';
import { type CounterStore, scopeName } from '../../evaluate/counters/counters.ts';
import { entityCells } from '../../evaluate/counters/scope.ts';
import type { Sqlite } from './database.ts';
import { counterScopes, counterSets, integrations } from './tables.ts';

export function createEntityCounters({
  db,
  read,
}: Pick<Sqlite, 'db' | 'read'>): Pick<CounterStore, 'ofEntity'> {
  return {
    ofEntity: (id) =>
      read(() => {
        const scope = scopeName('entity', { entityId: id.toLowerCase(), rootId: '' });
        return (
          db
            .select({ integrationId: integrations.id, set: counterSets.data, cells: counterScopes.data })
            .from(integrations)
            .innerJoin(counterSets, eq(counterSets.integrationId, integrations.row))
            // Its key begins with the integration.
            .crossJoin(counterScopes)
            .where(
              and(
                eq(counterScopes.integrationId, integrations.row),
                eq(counterScopes.scope, scope),
                isNull(integrations.deletedAt),
              ),
            )
            .orderBy(asc(integrations.row))
            .all()
            .map(entityCells)
        );
      }),
  };
}
