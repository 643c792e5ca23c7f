import type { QueryConfig } from 'pg';
import { lockNames } from '../../store/postgres/locks.ts';
import { endsTree, scopeName } from '../counters/counters.ts';
import { CellReader, CellWriter } from '../counters/encoding.ts';
import type { KeptCell } from '../counters/named-cells.ts';
import { type CellRows, CountedScope } from '../counters/scope.ts';
import { CounterSet } from '../counters/sets.ts';
import { lateResultMs } from '../session.ts';
import type { BatchLocks } from './batch-locks.ts';
import { inserting, Rows, WrittenRows } from './rows.ts';
import type { SessionRow, SessionState } from './session-state.ts';

/** A scope that is no session. */
export interface KeptScope {
  readonly integrationId: string;
  readonly name: string;
  scope: CountedScope;
  isChanged: boolean;
}

interface ScopeRow {
  data: Buffer;
  endsAt: number | null;
}

export const sessionScope = (id: string): string => `session ${id}`;

/** Sets by integration, as their text was last: reading one takes longer than comparing its text. */
export class KnownSets {
  /** The salt that the keys of cells are hashed with. */
  readonly salt: string;
  readonly #known = new Map<string, { text: string; set: CounterSet }>();

  constructor(salt: string) {
    this.salt = salt;
  }

  of(integrationId: string, text: string | null): CounterSet {
    if (text === null) return CounterSet.empty();
    const known = this.#known.get(integrationId);
    if (known?.text === text) return known.set;
    const set = CounterSet.parse(text);
    this.#known.set(integrationId, { text, set });
    return set;
  }
}

const cellWriter = new CellWriter();

/** The cells of counters that a batch reads or writes. */
export class BatchCounters {
  readonly scopes = new Rows<ScopeRow>({
    name: 'counter scopes',
    parts: 2,
    text: `SELECT integration_id::text AS k0, scope AS k1, data, ends_at AS "endsAt"
      FROM unnest($1::uuid[], $2::text[]) AS k(integration_id, scope) JOIN counter_scopes USING (integration_id, scope)`,
  });
  readonly cells = new Rows<ScopeRow>({
    name: 'counter cells',
    parts: 3,
    text: `SELECT integration_id::text AS k0, scope AS k1, key AS k2, data, ends_at AS "endsAt"
      FROM unnest($1::uuid[], $2::text[], $3::text[]) AS k(integration_id, scope, key)
      JOIN counter_cells USING (integration_id, scope, key)`,
  });
  readonly entities = new BatchEntities(this.scopes);
  readonly #locks: BatchLocks;
  readonly #known: KnownSets;
  readonly #integrations: Rows<{ counterSet: string | null }>;
  readonly #sets = new Map<string, CounterSet>();
  readonly #changedSets = new Set<string>();
  readonly #kept = new Map<string, KeptScope>();
  readonly #writtenCells = new Map<string, KeptCell & { place: readonly [string, string, string] }>();
  readonly #noted: { session: SessionState; endsAt: number }[] = [];
  /** Scopes that nothing reads any more, from when on. */
  readonly #ended: { integrationId: string; scope: string; at: number }[] = [];

  constructor(locks: BatchLocks, known: KnownSets, integrations: Rows<{ counterSet: string | null }>) {
    this.#locks = locks;
    this.#known = known;
    this.#integrations = integrations;
  }

  knownSetOf(integrationId: string): CounterSet {
    return (
      this.#sets.get(integrationId) ??
      this.#known.of(integrationId, this.#integrations.one(integrationId)?.counterSet ?? null)
    );
  }
  setOf(integrationId: string, ...of: Parameters<CounterSet['with']>): CounterSet {
    const before = this.knownSetOf(integrationId);
    const set = before.with(...of);
    if (set !== before) {
      this.#locks.name(lockNames.counterSet(integrationId));
      this.#changedSets.add(integrationId);
    }
    this.#sets.set(integrationId, set);
    return set;
  }

  find(integrationId: string, name: string, set: CounterSet): KeptScope {
    this.#locks.name(lockNames.counterScope(integrationId, name));
    const key = `${integrationId} ${name}`;
    let one = this.#kept.get(key);
    if (!one) {
      const data = this.scopes.one(integrationId, name)?.data ?? null;
      const scope = new CountedScope(set, this.cellsOf(integrationId, name), data);
      one = { integrationId, name, scope, isChanged: false };
      this.#kept.set(key, one);
    } else if (one.scope.set !== set) {
      this.keepCells(integrationId, name, one.scope);
      const bytes = one.scope.bytes && Buffer.from(one.scope.bytes);
      one.scope = new CountedScope(set, this.cellsOf(integrationId, name), bytes);
    }
    return one;
  }

  cellsOf(integrationId: string, scope: string): CellRows {
    return {
      salt: this.#known.salt,
      find: (key) => {
        const written = this.#writtenCells.get(JSON.stringify([integrationId, scope, key]));
        if (written) return written;
        const row = this.cells.one(integrationId, scope, key);
        return row && { cell: new CellReader(row.data).cell(), endsAt: row.endsAt };
      },
    };
  }
  /** The changed cells of a scope that have rows of their own. */
  keepCells(integrationId: string, scope: string, counted: CountedScope): void {
    for (const [key, { cell, endsAt }] of counted.changedRows)
      this.#writtenCells.set(JSON.stringify([integrationId, scope, key]), {
        place: [integrationId, scope, key],
        cell,
        endsAt,
      });
    counted.forgetRows();
  }

  /** Says what will be asked for. */
  want(integrationId: string, scope: 'entity' | 'integration', entityId: string | null): void {
    const name = scopeName(scope, { entityId, rootId: '' });
    this.#locks.name(lockNames.counterScope(integrationId, name));
    this.scopes.want(integrationId, name);
    if (scope === 'entity' && entityId !== null) this.entities.want(integrationId, entityId, name);
  }

  /** Notes when what counters keep in a session is to be deleted. */
  noteEnd(session: SessionState): void {
    this.#noted.push({ session, endsAt: session.expiresAt + lateResultMs });
  }

  /** The session has ended: nothing reads what it keeps once it takes no results either. */
  endSession(session: SessionState, now: number): void {
    const { integrationId } = session.row;
    const at = now + lateResultMs;
    if (session.hasCounters) {
      this.#noted.push({ session, endsAt: at });
      this.#ended.push({ integrationId, scope: sessionScope(session.id), at });
    }
    if (!endsTree(session)) return;
    const scope = scopeName('tree', session);
    this.#kept.delete(`${integrationId} ${scope}`);
    this.#ended.push({ integrationId, scope, at });
  }

  /** After all else: also of the sessions, whose states are written then. */
  statements(changedSessions: Iterable<SessionState>): (QueryConfig | null)[] {
    const sets = new WrittenRows(
      'write counter sets',
      { integration_id: 'uuid', data: 'text' },
      inserting('counter_sets', 'ON CONFLICT (integration_id) DO UPDATE SET data = excluded.data'),
    );
    for (const id of this.#changedSets)
      sets.add({ integration_id: id, data: this.#sets.get(id)?.text ?? '' });
    const scopes = new WrittenRows(
      'write counter scopes',
      { integration_id: 'uuid', scope: 'text', data: 'bytea', ends_at: 'bigint' },
      inserting(
        'counter_scopes',
        'ON CONFLICT (integration_id, scope) DO UPDATE SET data = excluded.data, ends_at = excluded.ends_at',
      ),
    );
    for (const { integrationId, name, scope, isChanged } of this.#kept.values()) {
      if (!isChanged) continue;
      this.keepCells(integrationId, name, scope);
      const { bytes, endsAt } = scope;
      if (bytes !== null)
        scopes.add({ integration_id: integrationId, scope: name, data: bytes, ends_at: endsAt });
    }
    for (const { counters, row, id } of changedSessions)
      if (counters) this.keepCells(row.integrationId, sessionScope(id), counters);
    return [
      sets.statement,
      scopes.statement,
      this.#cellStatement,
      this.#notedStatement,
      ...this.#endStatements,
    ];
  }

  get #cellStatement(): QueryConfig | null {
    const rows = new WrittenRows(
      'write counter cells',
      { integration_id: 'uuid', scope: 'text', key: 'text', data: 'bytea', ends_at: 'bigint' },
      inserting(
        'counter_cells',
        'ON CONFLICT (integration_id, scope, key) DO UPDATE SET data = excluded.data, ends_at = excluded.ends_at',
      ),
    );
    for (const { place, cell, endsAt } of this.#writtenCells.values()) {
      cellWriter.begin();
      cellWriter.cell(cell);
      const [integrationId, scope, key] = place;
      rows.add({
        integration_id: integrationId,
        scope,
        key,
        data: cellWriter.view(),
        ends_at: endsAt,
      });
    }
    return rows.statement;
  }
  get #notedStatement(): QueryConfig | null {
    const rows = new WrittenRows(
      'note counting sessions',
      { ends_at: 'bigint', session_id: 'uuid' },
      inserting('counting_sessions', 'ON CONFLICT DO NOTHING'),
    );
    for (const { session, endsAt } of this.#noted) rows.add({ ends_at: endsAt, session_id: session.id });
    return rows.statement;
  }
  get #endStatements(): (QueryConfig | null)[] {
    return (['counter_scopes', 'counter_cells'] as const).map((table) => {
      const rows = new WrittenRows(
        `end ${table}`,
        { integration_id: 'uuid', scope: 'text', at: 'bigint' },
        (source) => `UPDATE ${table} t SET ends_at = rows.at FROM ${source}
          WHERE t.integration_id = rows.integration_id AND t.scope = rows.scope`,
      );
      for (const { integrationId, scope, at } of this.#ended)
        rows.add({ integration_id: integrationId, scope, at });
      return rows.statement;
    });
  }
}

/** More sessions than this are not looked at for one that has a record: that bounds the time of the batch. */
const mostSessions = 100;

/** Finds entities of which nothing is recorded: their counters have nothing to count. */
class BatchEntities {
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
  /** Entities in whose sessions this batch has recorded. */
  readonly #recorded = new Set<string>();
  /** Entities that jobs of this batch will ask for, with the names of their scopes. */
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
