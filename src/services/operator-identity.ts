import type { Store } from '../store/store.ts';
import { localOperatorId, localOperatorName, type OperatorCaller } from './authentication.ts';

/** Who did something, by the id of the operator; `name` null for an id that no operator has. */
export const personOf = (id: string, name: string | null): { id: string; name: string } => ({
  id,
  // An operator key decided before operators had names.
  name: name ?? (id === localOperatorId ? localOperatorName : 'operator key'),
});

/** The operators that are one person: this one, and all others with the same `entityId`. */
export async function operatorsOfPerson(
  { operators }: Pick<Store, 'operators'>,
  { id, entityId }: Pick<OperatorCaller['operator'], 'id' | 'entityId'>,
): Promise<readonly string[]> {
  return entityId === null ? [id] : [...new Set([id, ...(await operators.listIdsOfEntity(entityId))])];
}
