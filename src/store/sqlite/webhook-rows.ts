import { desc, getTableColumns } from 'drizzle-orm';
import { toWebhook as toStoredWebhook } from '../stored-webhooks.ts';
import type { StoredWebhook } from '../webhooks.ts';
import type { Sqlite } from './database.ts';
import { prepareHotRead } from './hot-statement.ts';
import { events, webhooks } from './tables.ts';

const { id: row, uid: webhookUid, ...plain } = getTableColumns(webhooks);
/** `row` and `afterEvent` are for this backend alone. */
export const webhookColumns = { row, id: webhookUid, ...plain };

export type WebhookRow = Omit<StoredWebhook, 'types' | 'integrationIds'> & {
  row: number;
  afterEvent: number;
  types: string;
  integrationIds: string;
};

/** Every webhook, newest first. */
export function prepareWebhookRows({ client, db }: Pick<Sqlite, 'client' | 'db'>): () => WebhookRow[] {
  const query = db.select(webhookColumns).from(webhooks).orderBy(desc(row));
  const statement = prepareHotRead<WebhookRow, []>(client, webhookColumns, query, []);
  return () => statement.all();
}

export const toWebhook = ({ row: _, afterEvent: __, ...webhook }: WebhookRow): StoredWebhook =>
  toStoredWebhook(webhook);

const { id: sequence, uid: eventUid, totalBytes: _, ...plainEvent } = getTableColumns(events);
export const eventColumns = { sequence, id: eventUid, ...plainEvent };
