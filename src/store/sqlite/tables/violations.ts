import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { violationStatuses } from '../../../features/violations/words.ts';
import { severities } from '../../../schemas/words.ts';
import { integrations } from '../../../sql/sqlite/tables.ts';
import { evaluationSessions } from './evaluation-sessions.ts';
import { evaluations } from './evaluations.ts';

/** What operators make of the violations, which are kept with their evaluations. */
export const violations = sqliteTable(
  'violations',
  {
    evaluationId: integer()
      .notNull()
      .references(() => evaluations.id),
    /** Among the violations of its evaluation, from 0. */
    place: integer().notNull(),
    uid: text().notNull(),
    integrationId: integer()
      .notNull()
      .references(() => integrations.row),
    sessionId: integer().references(() => evaluationSessions.id),
    /** Empty where no policy decided. */
    policyUid: text().notNull(),
    ruleId: text().notNull(),
    severity: text({ enum: severities }).notNull(),
    status: text({ enum: violationStatuses }).notNull().default('NEW'),
    /** The type of a resolution, or the reason of a dismissal. */
    outcome: text(),
    note: text(),
    /** The id of the operator who changed the status last. */
    triagedBy: text(),
    triagedAt: integer(),
  },
  (table) => [
    primaryKey({ columns: [table.evaluationId, table.place] }),
    uniqueIndex('violations_by_uid').on(table.uid),
    index('violations_by_status').on(table.status, table.evaluationId),
    index('violations_by_rule').on(table.ruleId, table.evaluationId),
    index('violations_by_integration').on(table.integrationId, table.evaluationId),
    index('violations_by_session').on(table.sessionId, table.evaluationId),
  ],
);
