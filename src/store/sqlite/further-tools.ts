import { asc, eq, getTableColumns, sql } from 'drizzle-orm';
import type { Sqlite } from './database.ts';
import { prepareHot, prepareHotRead } from './hot-statement.ts';
import type { SplitCounts } from './split-counts.ts';
import type { sessionStoppedTools, sessionTools } from './tables.ts';

type Row = typeof sessionTools.$inferSelect;

/** The counts of tools that have rows of their own. */
export interface FurtherToolRows {
  /** In order of first use. */
  of(sessionRow: number): Row[];
  /** Makes the rows equal to the counts. */
  write(sessionRow: number, counts: SplitCounts): void;
}

export function createFurtherTools(
  { client, db }: Pick<Sqlite, 'client' | 'db'>,
  table: typeof sessionTools | typeof sessionStoppedTools,
): FurtherToolRows {
  const { placeholder } = sql;
  const fields = getTableColumns(table);
  const ofSession = prepareHotRead(
    client,
    fields,
    db
      .select(fields)
      .from(table)
      .where(eq(table.sessionId, placeholder('sessionRow')))
      .orderBy(asc(table.firstSeq)),
    ['sessionRow'],
  );
  const upsert = prepareHot<[number, string, number, number]>(
    client,
    db
      .insert(table)
      .values({
        sessionId: placeholder('sessionRow'),
        tool: placeholder('tool'),
        callCount: placeholder('callCount'),
        firstSeq: placeholder('firstSeq'),
      })
      .onConflictDoUpdate({
        target: [table.sessionId, table.tool],
        set: { callCount: sql`excluded.call_count` },
      }),
    ['sessionRow', 'tool', 'callCount', 'firstSeq'],
  );

  return {
    of: (sessionRow) => ofSession.all(sessionRow),
    write(sessionRow, { counts, further }) {
      for (const [tool, seq] of further) upsert.run(sessionRow, tool, counts.get(tool) ?? 0, seq);
      further.clear();
    },
  };
}
