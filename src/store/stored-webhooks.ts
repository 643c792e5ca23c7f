import type { StoredWebhook, WebhookFilter } from './webhooks.ts';

type WebhookRow = Omit<StoredWebhook, 'types' | 'integrationIds'> & { types: string; integrationIds: string };

export const toWebhook = (row: WebhookRow): StoredWebhook => ({
  ...row,
  types: JSON.parse(row.types),
  integrationIds: JSON.parse(row.integrationIds),
});

/** How those of the lists that are given stand in a row. */
export const filterColumns = ({ types, integrationIds }: Partial<WebhookFilter>) => ({
  ...(types && { types: JSON.stringify(types) }),
  ...(integrationIds && { integrationIds: JSON.stringify(integrationIds) }),
});

/** A delivery that is due at `now`, as if it were new. */
export const renewedDelivery = (now: number) =>
  ({ status: 'PENDING', attemptCount: 0, nextAttemptAt: now, deliveredAt: null }) as const;
