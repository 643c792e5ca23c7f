import { and, eq, sql } from 'drizzle-orm';
import { CellReader, CellWriter } from '../../evaluate/counters/encoding.ts';
import type { CellRows, KeptCell } from '../../evaluate/counters/scope.ts';
import type { Sqlite } from './database.ts';
import { prepareHot, prepareHotRead } from './hot-statement.ts';
import { counterCells } from './tables.ts';

/** The cells that have rows of their own. Synchronous: they run inside a change. */
export interface CounterCellRows {
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
