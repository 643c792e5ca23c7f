import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** What occurs among 128 neighbouring evaluations: one row for each value, however often it does. */
export const evaluationBlocks = sqliteTable(
  'evaluation_blocks',
  {
    /** An index of `facets` in evaluation-blocks.ts. */
    facet: integer().notNull(),
    value: text().notNull(),
    /** The id of an evaluation, divided by 128. */
    block: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.facet, table.value, table.block] })],
);
