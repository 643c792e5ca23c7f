import { getTableColumns } from 'drizzle-orm';
import { toWebhook as toStoredWebhook } from '../stored-webhooks.ts';
import type { StoredWebhook } from '../webhooks.ts';
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

export const toWebhook = ({ row: _, afterEvent: __, ...webhook }: WebhookRow): StoredWebhook =>
  toStoredWebhook(webhook);

const { id: sequence, uid: eventUid, totalBytes: _, ...plainEvent } = getTableColumns(events);
export const eventColumns = { sequence, id: eventUid, ...plainEvent };
