import { type CompiledCounter, readCell, readKeyCount } from '../engine/index.ts';
import type { EntityCounter } from '../schemas/entities.ts';
import type { EntityCells, Store } from '../store/store.ts';
import type { DecidingPoliciesSource } from './deciding-policies.ts';

/** The counters `over: entity` of the policies in force, as they are now. */
export type EntityCounters = (entityId: string) => Promise<EntityCounter[]>;

export function createEntityCounters(deps: {
  store: Store;
  now: () => number;
  deciding: Pick<DecidingPoliciesSource, 'find'>;
}): EntityCounters {
  const { store, now, deciding } = deps;

  async function ofIntegration(cells: EntityCells, at: number): Promise<EntityCounter[]> {
    const inForce = await deciding.find(cells.integrationId);
    if (!inForce) return [];
    const { id: integrationId, name: integrationName } = inForce.integration;
    return inForce.policies.flatMap(({ policyId, policyName, counters }) =>
      counters
        .filter(({ over }) => over === 'entity')
        .map((counter) => ({
          integrationId,
          integrationName,
          policyId,
          policyName,
          name: counter.name,
          window: counter.windowText,
          splitBy: counter.splitBy,
          ...numberOf(counter, cells, at),
        })),
    );
  }

  return async (entityId) => {
    const at = now();
    const found = await store.counters.ofEntity(entityId);
    return (await Promise.all(found.map((cells) => ofIntegration(cells, at)))).flat();
  };
}

function numberOf(
  { identity, counting, splitBy }: CompiledCounter,
  cells: EntityCells,
  at: number,
): Pick<EntityCounter, 'value' | 'keyCount' | 'why'> {
  const none = { value: null, keyCount: null, why: null };
  if (!cells.isCounted(identity))
    return { ...none, why: 'it is new: the next action of the entity counts the record first' };
  const cell = cells.find(identity);
  const reading = splitBy === null ? readCell(cell, counting, at) : readKeyCount(cell, counting, at);
  if (typeof reading !== 'number') return { ...none, why: reading.failure };
  return splitBy === null ? { ...none, value: reading } : { ...none, keyCount: reading };
}
