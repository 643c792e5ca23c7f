import type { DueCallback, Store } from '../../store/store.ts';
import { FairShare } from '../fairness.ts';
import { integrationSecretPlace, type SecretBox } from '../secrets/secret-box.ts';
import type { CallbackSender } from './callback-sender.ts';
import { createDeliveryLoop, nextAttemptDelayMs } from './delivery-loop.ts';

/** Sends the callbacks that wait in the store until each is delivered or given up, across restarts. */
export interface Deliveries {
  /** Starts sending: what is due now, and from then on whatever becomes due. */
  start(): void;
  /** Must be called after a callback was added. */
  wake(): void;
  /** Aborts the attempts in progress; they are made again after the next start. */
  stop(): Promise<void>;
}

/** Attempts in progress at once. Integrations share them fairly, so the dead receivers of one delay no other. */
const concurrency = 32;
/** How long a claim on a callback lasts, in milliseconds: longer than an attempt can take. */
const claimMs = 30_000;
/** The longest time between two looks, in milliseconds: another process on the same data may have added a callback. */
const longestSleepMs = 30_000;
/** The shortest time, in milliseconds. */
const shortestSleepMs = 1_000;

export function createDeliveries(deps: {
  store: Store;
  sender: CallbackSender;
  /** Opens the secrets of integrations. */
  box: SecretBox;
  now: () => number;
  random: () => number;
  /** Called when the store fails; sending continues at the next look. */
  onError: (error: unknown) => void;
}): Deliveries {
  const { store, sender, box, now, random, onError } = deps;
  const shares = new FairShare();
  const loop = createDeliveryLoop({ look, onError });

  async function attempt(due: DueCallback): Promise<void> {
    const delivery = await sender.send({
      id: due.id,
      url: due.url,
      secrets: [box.open(due.webhookSecret, integrationSecretPlace(due.integrationId))],
      body: due.body,
    });
    // Aborted by a stop: the attempt is not counted.
    if (!delivery.delivered && loop.isStopped) return store.callbacks.release(due.id, now());
    if (delivery.delivered) return store.callbacks.recordDelivered(due.id, now());
    const delayMs = delivery.permanent ? null : nextAttemptDelayMs(due.attemptCount + 1, random);
    await store.callbacks.recordFailed(due.id, delivery.reason, delayMs === null ? null : now() + delayMs);
  }

  /** Starts every attempt that is due and whose integration has a share left. */
  async function look(): Promise<number> {
    while (!loop.isStopped && shares.used < concurrency) {
      const [due] = await store.callbacks.claimDue(now(), 1, now() + claimMs, shares.full(1, concurrency));
      if (!due) break;
      shares.take(due.integrationId, 1, concurrency);
      loop.track(attempt(due), () => shares.release(due.integrationId, 1));
    }
    const at = await store.callbacks.findNextAttemptAt();
    return at === null ? longestSleepMs : Math.min(Math.max(at - now(), shortestSleepMs), longestSleepMs);
  }

  return { start: loop.start, wake: loop.wake, stop: () => loop.stop(() => sender.close()) };
}
