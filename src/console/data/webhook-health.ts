import type { WebhookDelivery } from '../../features/webhooks/schema.ts';
import { call } from './api.ts';

/** How the newest deliveries of a webhook went. */
export interface WebhookHealth {
  lastSuccessAt: string | null;
  /** Whether the newest attempt failed. */
  isFailing: boolean;
  delivered: number;
  failed: number;
}

/** So many of the newest deliveries count. */
const looksAt = 100;

export async function readWebhookHealth(webhookId: string, signal: AbortSignal): Promise<WebhookHealth> {
  const read = async (query: { status?: string; size: number }) =>
    call<WebhookDelivery[]>('/v1/webhook-deliveries', {
      query: { webhookId, ...query },
      signal,
      background: true,
    });
  const { data, pagination } = await read({ size: looksAt });
  const delivered = data.filter(({ status }) => status === 'DELIVERED');
  const isElsewhere = delivered.length === 0 && pagination.total > data.length;
  const earlier = isElsewhere ? (await read({ status: 'DELIVERED', size: 1 })).data : delivered;
  const success = newest(earlier.map(({ deliveredAt }) => deliveredAt));
  const notDelivered = data.filter(({ status }) => status !== 'DELIVERED');
  return {
    lastSuccessAt: success || null,
    isFailing: newest(notDelivered.map(({ lastAttemptAt }) => lastAttemptAt)) > success,
    delivered: delivered.length,
    failed: data.filter(({ status }) => status === 'DEAD').length,
  };
}

const newest = (times: readonly (string | null)[]): string =>
  times.reduce<string>((latest, at) => (at !== null && at > latest ? at : latest), '');

/** The share of the deliveries that were given up, of those that have ended; null when none has. */
export const failureRate = ({ delivered, failed }: WebhookHealth): number | null =>
  delivered + failed === 0 ? null : failed / (delivered + failed);
