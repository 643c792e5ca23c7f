import { eq, getTableColumns } from 'drizzle-orm';
import { toWebhook } from '../stored-webhooks.ts';
import type { StoredWebhook } from '../webhooks.ts';
import type { Db } from './database.ts';
import { webhooks } from './tables.ts';

const { afterEvent: _, ...columns } = getTableColumns(webhooks);
export const webhookColumns = columns;

export async function findWebhook(db: Db, id: string): Promise<StoredWebhook | null> {
  const [row] = await db.select(webhookColumns).from(webhooks).where(eq(webhooks.id, id));
  return row ? toWebhook(row) : null;
}
