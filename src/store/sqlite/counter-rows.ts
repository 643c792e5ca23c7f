import { hash } from 'node:crypto';
import { and, asc, eq, lt, sql } from 'drizzle-orm';
import { type CounterRow, type CounterStore, type FindCounterRow, sessionScope } from '../counters.ts';
import type { Sqlite } from './database.ts';
import { prepareHot, prepareHotRead } from './hot-statement.ts';
import { counterRows } from './tables.ts';

/**
 * The first three are synchronous: they run inside a change. Rows are kept in memory as sessions are (`SessionStates`): those that changed are
 * written at the end of the transaction, once, and all are dropped when it is rolled back or another connection wrote.
 */
export interface CounterRowsOfStore extends CounterStore {
  find(integrationRow: number, ...row: Parameters<FindCounterRow>): ReturnType<FindCounterRow>;
  write(integrationRow: number, row: CounterRow): void;
  /** The session has ended: nothing reads its rows any more. */
  endSession(integrationRow: number, sessionId: string, now: number): void;
}

interface Kept {
  readonly place: readonly [integrationRow: number, scope: string, key: string];
  data: string | null;
  endsAt: number | null;
  /** As it is in the row; undefined when there is none. */
  writtenEnd: number | null | undefined;
}

/** A step deletes so many rows: a few milliseconds. */
const mostDeleted = 500;
/** At most some 1.5 KB each. */
const mostKept = 20_000;

export function createCounterRows({
  client,
  db,
  writer,
}: Pick<Sqlite, 'client' | 'db' | 'writer'>): CounterRowsOfStore {
  const { placeholder } = sql;
  const place = ['integrationRow', 'scope', 'key'] as const;
  const fields = { data: counterRows.data, endsAt: counterRows.endsAt };
  const select = prepareHotRead<{ data: string; endsAt: number | null }, [number, string, string]>(
    client,
    fields,
    db
      .select(fields)
      .from(counterRows)
      .where(
        and(
          eq(counterRows.integrationId, placeholder('integrationRow')),
          eq(counterRows.scope, placeholder('scope')),
          eq(counterRows.key, placeholder('key')),
        ),
      ),
    [...place],
  );
  const upsert = prepareHot<[number, string, string, string, number | null]>(
    client,
    db
      .insert(counterRows)
      .values({
        integrationId: placeholder('integrationRow'),
        scope: placeholder('scope'),
        key: placeholder('key'),
        data: placeholder('data'),
        endsAt: placeholder('endsAt'),
      })
      .onConflictDoUpdate({
        target: [counterRows.integrationId, counterRows.scope, counterRows.key],
        set: { data: sql`excluded.data`, endsAt: sql`excluded.ends_at` },
      }),
    [...place, 'data', 'endsAt'],
  );
  // Leaves the index of the ends alone.
  const update = prepareHot<[string, number, string, string]>(
    client,
    db
      .update(counterRows)
      .set({ data: sql`${placeholder('data')}` })
      .where(
        and(
          eq(counterRows.integrationId, placeholder('integrationRow')),
          eq(counterRows.scope, placeholder('scope')),
          eq(counterRows.key, placeholder('key')),
        ),
      ),
    ['data', ...place],
  );
  const kept = new Map<string, Kept>();
  const changed = new Set<Kept>();
  const dataVersion = client.prepare('PRAGMA data_version').pluck();
  let seenVersion = dataVersion.get();
  writer.onBegin(() => {
    const version = dataVersion.get();
    if (version !== seenVersion) kept.clear();
    seenVersion = version;
  });
  writer.onEnd(flush);
  writer.onRollback(() => {
    changed.clear();
    kept.clear();
  });

  function flush(): void {
    for (const row of changed) {
      const { place, data, endsAt, writtenEnd } = row;
      if (data === null) continue;
      if (writtenEnd === endsAt) update.run(data, ...place);
      else upsert.run(...place, data, endsAt);
      row.writtenEnd = endsAt;
    }
    changed.clear();
    if (kept.size > mostKept) kept.clear();
  }

  function keep(integrationRow: number, scope: string, counter: string, name: string): Kept {
    const id = `${integrationRow} ${scope} ${counter} ${name}`;
    let row = kept.get(id);
    if (!row) {
      const place = [integrationRow, scope, hash('sha256', `${counter} ${name}`, 'base64url')] as const;
      const found = select.get(...place);
      row = { place, data: found?.data ?? null, endsAt: found?.endsAt ?? null, writtenEnd: found?.endsAt };
      kept.set(id, row);
    }
    return row;
  }

  return {
    find: (integrationRow, scope, counter, name) => keep(integrationRow, scope, counter, name).data,

    write(integrationRow, { scope, counter, name, data, endsAt }) {
      const row = keep(integrationRow, scope, counter, name);
      row.data = data;
      row.endsAt = endsAt;
      changed.add(row);
    },

    endSession(integrationRow, sessionId, now) {
      // What an action of the same transaction counted must be there to be ended.
      flush();
      db.update(counterRows)
        .set({ endsAt: now })
        .where(
          and(eq(counterRows.integrationId, integrationRow), eq(counterRows.scope, sessionScope(sessionId))),
        )
        .run();
      kept.clear();
    },

    forgetEnded: (before) =>
      writer.run(() => {
        flush();
        const ended = db
          .select({ rowid: sql`rowid` })
          .from(counterRows)
          .where(lt(counterRows.endsAt, before))
          .orderBy(asc(counterRows.endsAt))
          .limit(mostDeleted);
        const { changes } = db.delete(counterRows).where(sql`rowid IN (${ended})`).run();
        if (changes > 0) kept.clear();
        return changes === mostDeleted;
      }),
  };
}
