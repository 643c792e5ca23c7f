import { and, eq, sql } from 'drizzle-orm';
import type { Sqlite } from './database.ts';
import { prepareHot, prepareHotRead } from './hot-statement.ts';
import { counterScopes, counterSets, countingSessions } from './tables.ts';

/** A scope that is no session, as it is in its row. */
interface ScopeRow {
  data: Buffer;
  endsAt: number | null;
}

/** The rows behind the scopes of counters. Synchronous: they run inside a change. */
export interface CounterScopeRows {
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
