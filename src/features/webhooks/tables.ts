import { severities } from '../../schemas/words.ts';
import type { Columns } from '../../sql/sqlite/columns.ts';
import { webhookFormats, webhookStatuses } from './words.ts';

export function webhookTables({ table, key, text, time, big }: Columns) {
  const webhooks = table('webhooks', {
    ...key(),
    name: text().notNull(),
    format: text({ enum: webhookFormats }).notNull(),
    status: text({ enum: webhookStatuses }).notNull(),
    destination: text().notNull(),
    secret: text(),
    previousSecret: text(),
    previousSecretUntil: time(),
    /** JSON lists. */
    types: text().notNull(),
    integrationIds: text().notNull(),
    minSeverity: text({ enum: severities }),
    /** The number of the latest event when it was created: it gets only later ones. */
    afterEvent: big().notNull(),
    createdAt: time().notNull(),
    updatedAt: time().notNull(),
  });
  return { webhooks };
}
