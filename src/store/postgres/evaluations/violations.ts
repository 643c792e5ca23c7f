import { and, desc, gte, lt, sql } from 'drizzle-orm';
import type { ViolationDatabase } from '../../../features/violations/store.ts';
import { call } from '../../../sql/steps.ts';
import { evaluations, violations } from '../tables.ts';

const { createdAt, evaluationId, place } = violations;

export const violationDatabase: ViolationDatabase = {
  // The json type keeps a text as it is.
  violation: sql`(${evaluations.violations}::json -> ${place})::text`,
  during: (from, to) =>
    call(() =>
      and(
        from === undefined ? undefined : gte(createdAt, from),
        to === undefined ? undefined : lt(createdAt, to),
      ),
    ),
  newestFirst: () => [desc(createdAt), desc(evaluationId), desc(place)],
};
