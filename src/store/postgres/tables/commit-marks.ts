import { integer, pgTable, uuid } from 'drizzle-orm/pg-core';
import { time } from './columns.ts';

/** Which transactions were committed: see `commit-marks.ts`. */
export const commitMarks = pgTable('commit_marks', {
  id: uuid().primaryKey(),
  number: integer().notNull(),
  writtenAt: time().notNull(),
});
