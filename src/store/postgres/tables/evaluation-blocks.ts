import { pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core';
import { big } from './columns.ts';

/** Which values occur among neighbouring evaluations: those of a block have positions from `block * blockSize` on. */
export const evaluationBlocks = pgTable(
  'evaluation_blocks',
  {
    /** MD5 of a value and what it is a value of: a tool's name may be longer than an index takes. */
    value: uuid().notNull(),
    block: big().notNull(),
  },
  (table) => [primaryKey({ columns: [table.value, table.block] })],
);
