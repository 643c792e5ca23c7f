import type { Client } from './client.ts';
import { hideValues } from './stable-plan.ts';

/** The rows of an entity's evaluations up to `high`, newest first, whatever their sessions and integrations. */
export type EntityEvaluations = (
  entityId: string,
  high: number,
  limits: { rows: { left: number }; reached: number | null },
) => Generator<number>;

/** Follows the evaluations of all sessions of the entity backwards at once, always from the newest one. */
export function createEntityEvaluations({ client }: { client: Client }): EntityEvaluations {
  const ends = client
    .prepare<[string], number>(
      hideValues(`SELECT states.last_evaluation_id FROM integrations
        CROSS JOIN evaluation_sessions AS sessions ON sessions.integration_id = integrations.row AND sessions.entity_id = ?
        JOIN session_states AS states ON states.session_id = sessions.id
        WHERE states.last_evaluation_id IS NOT NULL`),
    )
    .pluck();
  const previousOf = client
    .prepare<[number], number | null>(hideValues('SELECT previous_id FROM evaluations WHERE id = ?'))
    .pluck();

  return function* (entityId, high, limits) {
    // A heap would be faster for thousands of sessions that are interleaved; most entities have a few at a time.
    const open = ends.all(entityId).sort((a, b) => a - b);
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      limits.rows.left -= 1;
      if (limits.rows.left < 0) {
        limits.reached = id + 1;
        return;
      }
      if (id <= high) yield id;
      const previous = previousOf.get(id) ?? null;
      if (previous === null || previous === 0) continue;
      open.splice(place(open, previous), 0, previous);
    }
  };
}

/** Where a number belongs in a list in ascending order. */
function place(list: readonly number[], wanted: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle] as number) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
