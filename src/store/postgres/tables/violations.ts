import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { violationStatuses } from '../../../features/violations/words.ts';
import { severities } from '../../../schemas/words.ts';
import { time } from './columns.ts';

/** What operators make of the violations, which are kept with their evaluations. The ids refer to rows that are never deleted. */
export const violations = pgTable(
  'violations',
  {
    id: uuid().primaryKey(),
    evaluationId: uuid().notNull(),
    /** Among the violations of its evaluation, from 0. */
    place: integer().notNull(),
    integrationId: uuid().notNull(),
    sessionId: uuid(),
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
    triagedAt: time(),
    /** That of the evaluation. */
    createdAt: time().notNull(),
  },
  (table) => [
    index('violations_by_time').on(table.createdAt, table.evaluationId, table.place),
    index('violations_by_status').on(table.status, table.createdAt),
    index('violations_by_rule').on(table.ruleId, table.createdAt),
    index('violations_by_session').on(table.sessionId, table.createdAt),
  ],
);
