import { Rows } from './rows.ts';
import type { SessionRow } from './session-state.ts';

/** More sessions than this are not looked at for one that has a record: that bounds the time of the batch. */
const mostSessions = 100;

/** Of which entities nothing is recorded, so that their counters have nothing to count. */
export class BatchEntities {
  /** Whether anything is, or may be, recorded in the sessions of an entity. */
  readonly rows = new Rows<{ mayHaveRecord: boolean }>({
    name: 'entities with a record',
    parts: 2,
    text: `SELECT k.integration_id::text AS k0, k.entity_id AS k1, found.may AS "mayHaveRecord"
      FROM unnest($1::uuid[], $2::text[]) AS k(integration_id, entity_id) CROSS JOIN LATERAL (
        SELECT count(*) = ${mostSessions} OR bool_or(EXISTS (SELECT FROM evaluations e WHERE e.session_id = s.id)) AS may
        FROM (SELECT id FROM evaluation_sessions
          WHERE integration_id = k.integration_id AND entity_id = k.entity_id LIMIT ${mostSessions}) s) found`,
  });
  readonly #scopes: Rows<unknown>;
  /** Those in whose sessions this batch has recorded. */
  readonly #recorded = new Set<string>();
  /** Those that jobs of this batch will ask for, with the names of their scopes. */
  #asked: (readonly [integrationId: string, entityId: string, scope: string])[] = [];

  constructor(scopes: Rows<unknown>) {
    this.#scopes = scopes;
  }

  /** Says what will be asked for. */
  want(integrationId: string, entityId: string, scope: string): void {
    this.#asked.push([integrationId, entityId, scope]);
  }
  noteRecorded({ integrationId, entityId }: Pick<SessionRow, 'integrationId' | 'entityId'>): void {
    if (entityId !== null) this.#recorded.add(`${integrationId} ${entityId}`);
  }
  /** Whether nothing was recorded in the sessions of the entity. Call it under the lock of its scope. Throws `NotLoaded`. */
  isNew(integrationId: string, entityId: string): boolean {
    if (this.#recorded.has(`${integrationId} ${entityId}`)) return false;
    // One read serves all entities of the batch of which nothing is counted.
    for (const [of, id, scope] of this.#asked) if (!this.#scopes.one(of, scope)) this.rows.want(of, id);
    this.#asked = [];
    return this.rows.one(integrationId, entityId)?.mayHaveRecord !== true;
  }
}
