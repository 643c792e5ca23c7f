import { minuteMs } from '../../schemas/durations.ts';
import type { DueDelivery, Store } from '../../store/store.ts';
import { nextWebhookAttemptDelayMs } from '../callbacks/backoff.ts';
import { createDeliveryLoop } from '../callbacks/delivery-loop.ts';
import { matchesWebhook } from './webhook-filter.ts';
import type { WebhookSender } from './webhook-sender.ts';

/** Sends every event to the webhooks that want it, until each is delivered or given up, across restarts. */
export interface WebhookDeliveries {
  start(): void;
  /** Must be called after a delivery became due. */
  wake(): void;
  /** Aborts the attempts in progress; they are made again after the next start. */
  stop(): Promise<void>;
}

/** Attempts in progress of one webhook. Each has places of its own, so that receivers that hang delay no other. */
const places = { working: 4, failing: 1 };
/** How long a claim lasts, in milliseconds: longer than an attempt can take, mail included. */
const claimMs = minuteMs;
/** The time between two looks: another process on the same data may have written an event. Milliseconds. */
const sleepMs = 1_000;

export function createWebhookDeliveries(deps: {
  store: Store;
  sender: WebhookSender;
  /** Aborts the attempts in progress. */
  close: () => Promise<void>;
  now: () => number;
  newId: () => string;
  random: () => number;
  /** Called when the store fails; sending continues at the next look. */
  onError: (error: unknown) => void;
}): WebhookDeliveries {
  const { store, sender, close, now, newId, random, onError } = deps;
  const loop = createDeliveryLoop({ look, onError });
  const used = new Map<string, number>();
  const failing = new Set<string>();

  async function attempt({ id, webhook, event, attemptCount }: DueDelivery): Promise<void> {
    const sent = await sender.send(webhook, event);
    const at = now();
    if (sent.delivered) {
      failing.delete(webhook.id);
      return store.webhooks.recordDelivered(id, at, sent.status);
    }
    // Aborted by a stop: the attempt is not counted.
    if (loop.isStopped) return store.webhooks.release(id, at);
    failing.add(webhook.id);
    const delayMs = sent.permanent ? null : nextWebhookAttemptDelayMs(attemptCount + 1, random);
    await store.webhooks.recordFailed(id, {
      at,
      statusCode: sent.status ?? null,
      error: sent.reason,
      nextAttemptAt: delayMs === null ? null : at + delayMs,
    });
  }

  const free = (webhookId: string): number =>
    (failing.has(webhookId) ? places.failing : places.working) - (used.get(webhookId) ?? 0);

  function begin(due: DueDelivery): void {
    const { id } = due.webhook;
    used.set(id, (used.get(id) ?? 0) + 1);
    loop.track(attempt(due), () => {
      const left = (used.get(id) ?? 1) - 1;
      if (left > 0) used.set(id, left);
      else used.delete(id);
    });
  }

  async function look(): Promise<number> {
    while (!loop.isStopped && (await store.webhooks.fanOut(now(), matchesWebhook, newId)));
    const next = loop.isStopped ? null : await store.webhooks.findNextAttemptAt();
    if (next !== null && next <= now()) {
      for (const due of await store.webhooks.claimDue(now(), now() + claimMs, free)) begin(due);
    }
    return sleepMs;
  }

  store.events.onAppended(loop.wake);
  return { start: loop.start, wake: loop.wake, stop: () => loop.stop(close) };
}
