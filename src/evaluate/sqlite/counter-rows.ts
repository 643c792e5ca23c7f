import { and, eq, sql } from 'drizzle-orm';
import type { Sqlite } from '../../store/sqlite/database.ts';
import { prepareHot, prepareHotRead } from '../../store/sqlite/hot-statement.ts';
import {
  counterCells,
  counterScopes,
  counterSets,
  countingSessions,
  sessionCells,
} from '../../store/sqlite/tables/counters.ts';
import { CellReader, CellWriter } from '../counters/encoding.ts';
import type { KeptCell } from '../counters/named-cells.ts';
import { type CellRows, CountedScope } from '../counters/scope.ts';
import type { CounterSet } from '../counters/sets.ts';

/** The cells of scopes that are no sessions, where they have rows of their own. Synchronous: they run inside a change. */
interface CounterCellRows {
  of(integrationRow: number, scope: string): CellRows;
  write(integrationRow: number, scope: string, cells: ReadonlyMap<string, KeptCell>): void;
  /** From `now` on, the scope's rows say nothing. */
  end(integrationRow: number, scope: string, now: number): void;
}

export function createCounterCellRows(
  { client, db }: Pick<Sqlite, 'client' | 'db'>,
  salt: string,
): CounterCellRows {
  const { placeholder } = sql;
  const place = ['integrationRow', 'scope', 'key'] as const;
  const fields = { data: counterCells.data, endsAt: counterCells.endsAt };
  const select = prepareHotRead<{ data: Buffer; endsAt: number | null }, [number, string, string]>(
    client,
    fields,
    db
      .select(fields)
      .from(counterCells)
      .where(
        and(
          eq(counterCells.integrationId, placeholder('integrationRow')),
          eq(counterCells.scope, placeholder('scope')),
          eq(counterCells.key, placeholder('key')),
        ),
      ),
    [...place],
  );
  const upsert = prepareHot<[number, string, string, Buffer, number | null]>(
    client,
    db
      .insert(counterCells)
      .values({
        integrationId: placeholder('integrationRow'),
        scope: placeholder('scope'),
        key: placeholder('key'),
        data: placeholder('data'),
        endsAt: placeholder('endsAt'),
      })
      .onConflictDoUpdate({
        target: [counterCells.integrationId, counterCells.scope, counterCells.key],
        set: { data: sql`excluded.data`, endsAt: sql`excluded.ends_at` },
      }),
    [...place, 'data', 'endsAt'],
  );
  const writer = new CellWriter();

  return {
    of: (integrationRow, scope) => ({
      salt,
      find(key) {
        const found = select.get(integrationRow, scope, key);
        return found ? { cell: new CellReader(found.data).cell(), endsAt: found.endsAt } : null;
      },
    }),
    write(integrationRow, scope, cells) {
      for (const [key, { cell, endsAt }] of cells) {
        writer.begin();
        writer.cell(cell);
        upsert.run(integrationRow, scope, key, writer.view(), endsAt);
      }
    },
    end(integrationRow, scope, now) {
      db.update(counterCells)
        .set({ endsAt: now })
        .where(and(eq(counterCells.integrationId, integrationRow), eq(counterCells.scope, scope)))
        .run();
    },
  };
}

/** The same for the cells of sessions. */
interface SessionCellRows {
  of(sessionRow: number): CellRows;
  write(sessionRow: number, cells: ReadonlyMap<string, KeptCell>): void;
}

export function createSessionCellRows(
  { client, db }: Pick<Sqlite, 'client' | 'db'>,
  salt: string,
): SessionCellRows {
  const { placeholder } = sql;
  const fields = { data: sessionCells.data };
  const select = prepareHotRead<{ data: Buffer }, [number, Buffer]>(
    client,
    fields,
    db
      .select(fields)
      .from(sessionCells)
      .where(
        and(eq(sessionCells.sessionId, placeholder('sessionRow')), eq(sessionCells.key, placeholder('key'))),
      ),
    ['sessionRow', 'key'],
  );
  const upsert = prepareHot<[number, Buffer, Buffer]>(
    client,
    db
      .insert(sessionCells)
      .values({
        sessionId: placeholder('sessionRow'),
        key: placeholder('key'),
        data: placeholder('data'),
      })
      .onConflictDoUpdate({
        target: [sessionCells.sessionId, sessionCells.key],
        set: { data: sql`excluded.data` },
      }),
    ['sessionRow', 'key', 'data'],
  );
  const writer = new CellWriter();
  const bytesOf = (key: string): Buffer => Buffer.from(key, 'base64url');

  return {
    of: (sessionRow) => ({
      salt,
      find(key) {
        const found = select.get(sessionRow, bytesOf(key));
        // The row goes when the session's counters go.
        return found ? { cell: new CellReader(found.data).cell(), endsAt: null } : null;
      },
    }),
    write(sessionRow, cells) {
      for (const [key, { cell }] of cells) {
        writer.begin();
        writer.cell(cell);
        upsert.run(sessionRow, bytesOf(key), writer.view());
      }
    },
  };
}

/** A scope that is no session, as it is in its row. */
interface ScopeRow {
  data: Buffer;
  endsAt: number | null;
}

/** The rows behind the scopes of counters. Synchronous: they run inside a change. */
interface CounterScopeRows {
  /** The text of a `CounterSet`. */
  findSet(integrationRow: number): string | null;
  writeSet(integrationRow: number, data: string): void;
  find(integrationRow: number, scope: string): ScopeRow | undefined;
  /** `writtenEnd`: as it is in the row; undefined when there is none. */
  write(integrationRow: number, scope: string, row: ScopeRow, writtenEnd: number | null | undefined): void;
  /** Nothing reads it any more. */
  end(integrationRow: number, scope: string, now: number): void;
  /** Notes when what counters keep in a session is to be deleted. */
  noteEnd(sessionRow: number, endsAt: number): void;
}

export function createCounterScopeRows({ client, db }: Pick<Sqlite, 'client' | 'db'>): CounterScopeRows {
  const { placeholder } = sql;
  const setFields = { data: counterSets.data };
  const selectSet = prepareHotRead<{ data: string }, [number]>(
    client,
    setFields,
    db
      .select(setFields)
      .from(counterSets)
      .where(eq(counterSets.integrationId, placeholder('integrationRow'))),
    ['integrationRow'],
  );
  const fields = { data: counterScopes.data, endsAt: counterScopes.endsAt };
  const select = prepareHotRead<ScopeRow, [number, string]>(
    client,
    fields,
    db
      .select(fields)
      .from(counterScopes)
      .where(
        and(
          eq(counterScopes.integrationId, placeholder('integrationRow')),
          eq(counterScopes.scope, placeholder('scope')),
        ),
      ),
    ['integrationRow', 'scope'],
  );
  const upsert = prepareHot<[number, string, Buffer, number | null]>(
    client,
    db
      .insert(counterScopes)
      .values({
        integrationId: placeholder('integrationRow'),
        scope: placeholder('scope'),
        data: placeholder('data'),
        endsAt: placeholder('endsAt'),
      })
      .onConflictDoUpdate({
        target: [counterScopes.integrationId, counterScopes.scope],
        set: { data: sql`excluded.data`, endsAt: sql`excluded.ends_at` },
      }),
    ['integrationRow', 'scope', 'data', 'endsAt'],
  );
  // Leaves the index of the ends alone.
  const update = prepareHot<[Buffer, number, string]>(
    client,
    db
      .update(counterScopes)
      .set({ data: sql`${placeholder('data')}` })
      .where(
        and(
          eq(counterScopes.integrationId, placeholder('integrationRow')),
          eq(counterScopes.scope, placeholder('scope')),
        ),
      ),
    ['data', 'integrationRow', 'scope'],
  );
  const insertCounting = prepareHot<[number, number]>(
    client,
    db
      .insert(countingSessions)
      .values({ endsAt: placeholder('endsAt'), sessionId: placeholder('sessionRow') })
      .onConflictDoNothing(),
    ['endsAt', 'sessionRow'],
  );

  return {
    findSet: (integrationRow) => selectSet.get(integrationRow)?.data ?? null,
    writeSet(integrationRow, data) {
      db.insert(counterSets)
        .values({ integrationId: integrationRow, data })
        .onConflictDoUpdate({ target: counterSets.integrationId, set: { data } })
        .run();
    },
    find: (integrationRow, scope) => select.get(integrationRow, scope),
    write(integrationRow, scope, { data, endsAt }, writtenEnd) {
      if (writtenEnd === endsAt) update.run(data, integrationRow, scope);
      else upsert.run(integrationRow, scope, data, endsAt);
    },
    end(integrationId, scope, endsAt) {
      const isIt = and(eq(counterScopes.integrationId, integrationId), eq(counterScopes.scope, scope));
      db.update(counterScopes).set({ endsAt }).where(isIt).run();
    },
    noteEnd: (sessionRow, endsAt) => void insertCounting.run(endsAt, sessionRow),
  };
}

/** A scope that is no session. */
export interface KeptScope {
  readonly integrationRow: number;
  readonly name: string;
  scope: CountedScope;
  /** As it is in the row; undefined when there is none. */
  writtenEnd: number | null | undefined;
}

/** Some 2 KB each as a rule; with very many counters and values, 100. */
const mostKept = 2_000;

/** The scopes that are no sessions, in memory. */
export class KeptScopes {
  readonly #rows: CounterCellRows;
  readonly #scopeRows: CounterScopeRows;
  readonly #kept = new Map<number, Map<string, KeptScope>>();
  #count = 0;
  readonly #changed = new Set<KeptScope>();

  constructor(rows: CounterCellRows, scopeRows: CounterScopeRows) {
    this.#rows = rows;
    this.#scopeRows = scopeRows;
  }

  find(integrationRow: number, name: string, set: CounterSet): KeptScope {
    let ofIntegration = this.#kept.get(integrationRow);
    if (!ofIntegration) {
      ofIntegration = new Map();
      this.#kept.set(integrationRow, ofIntegration);
    }
    let one = ofIntegration.get(name);
    if (!one) {
      const row = this.#scopeRows.find(integrationRow, name);
      const scope = new CountedScope(set, this.#rows.of(integrationRow, name), row?.data ?? null);
      one = { integrationRow, name, scope, writtenEnd: row?.endsAt };
      ofIntegration.set(name, one);
      this.#count++;
    } else if (one.scope.set !== set) {
      this.#writeCells(one);
      one.scope = new CountedScope(set, this.#rows.of(integrationRow, name), one.scope.bytes);
    }
    return one;
  }

  change(one: KeptScope): void {
    this.#changed.add(one);
  }

  /** Its end was written: it must not be written again. */
  drop(integrationRow: number, name: string): void {
    const one = this.#kept.get(integrationRow)?.get(name);
    if (!one) return;
    this.#kept.get(integrationRow)?.delete(name);
    this.#changed.delete(one);
    this.#count--;
  }

  writeAll(): void {
    for (const one of this.#changed) this.#write(one);
    this.#changed.clear();
    if (this.#count > mostKept) this.forget();
  }
  forget(): void {
    this.#changed.clear();
    this.#kept.clear();
    this.#count = 0;
  }

  #write(one: KeptScope): void {
    const { integrationRow, name, scope, writtenEnd } = one;
    this.#writeCells(one);
    const data = scope.bytes;
    if (data === null) return;
    const { endsAt } = scope;
    this.#scopeRows.write(integrationRow, name, { data, endsAt }, writtenEnd);
    one.writtenEnd = endsAt;
  }
  #writeCells({ integrationRow, name, scope }: KeptScope): void {
    if (scope.changedRows.size > 0) this.#rows.write(integrationRow, name, scope.changedRows);
    scope.forgetRows();
  }
}
