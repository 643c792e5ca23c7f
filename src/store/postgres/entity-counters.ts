import { and, asc, eq, isNull } from 'drizzle-orm';
import { type CounterStore, scopeName } from '../../evaluate/counters/counters.ts';
import { entityCells } from '../../evaluate/counters/scope.ts';
import type { Postgres } from './database.ts';
import { counterScopes, counterSets, integrations } from './tables.ts';

export function createEntityCounters({ read }: Pick<Postgres, 'read'>): Pick<CounterStore, 'ofEntity'> {
  return {
    ofEntity: (id) =>
      read(async (db) => {
        const scope = scopeName('entity', { entityId: id.toLowerCase(), rootId: '' });
        const rows = await db
          .select({ integrationId: integrations.id, set: counterSets.data, cells: counterScopes.data })
          .from(integrations)
          .innerJoin(counterSets, eq(counterSets.integrationId, integrations.id))
          .innerJoin(
            counterScopes,
            and(eq(counterScopes.integrationId, integrations.id), eq(counterScopes.scope, scope)),
          )
          .where(isNull(integrations.deletedAt))
          .orderBy(asc(integrations.createdAt), asc(integrations.id));
        return rows.map(entityCells);
      }),
  };
}
