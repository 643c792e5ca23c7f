import type { DueCallback, Store } from '../../store/store.ts';
import { FairShare } from '../fair-share.ts';
import { nextAttemptDelayMs } from './backoff.ts';
import type { CallbackSender } from './callback-sender.ts';

/** Sends the callbacks that wait in the store until each is delivered or given up; a restart goes on where it stopped. */
export interface Deliveries {
  /** Looks now, and from then on whenever one is due. */
  start(): void;
  /** Says that a callback may have been added. */
  wake(): void;
  /** Cuts off what is under way, to be tried again after the next start. */
  stop(): Promise<void>;
}

/** Attempts in progress at once. Integrations share them fairly, so the dead receivers of one delay no other. */
const concurrency = 32;
/** How long an attempt belongs to one process: longer than it can take. Milliseconds. */
const claimMs = 30_000;
/** The longest sleep: another process on the same data may have added one. Milliseconds. */
const longestSleepMs = 30_000;
/** The shortest one, and the one after a failure. Milliseconds. */
const shortestSleepMs = 1_000;

export function createDeliveries(deps: {
  store: Store;
  sender: CallbackSender;
  now: () => number;
  random: () => number;
  /** A callback could not be looked up or its attempt not be kept: the work goes on at the next look. */
  onError: (error: unknown) => void;
}): Deliveries {
  const { store, sender, now, random, onError } = deps;
  const inProgress = new Set<Promise<void>>();
  const shares = new FairShare();
  let looking: Promise<void> | null = null;
  let again = false;
  let stopped = true;
  let timer: NodeJS.Timeout | undefined;

  async function attempt(due: DueCallback): Promise<void> {
    const delivery = await sender.send({
      id: due.id,
      url: due.url,
      secret: due.webhookSecret,
      body: due.body,
    });
    // Stopped in the middle: the attempt is not counted, and is made again after the next start.
    if (!delivery.delivered && stopped) return store.callbacks.release(due.id, now());
    if (delivery.delivered) return store.callbacks.recordDelivered(due.id, now());
    const delayMs = delivery.permanent ? null : nextAttemptDelayMs(due.attemptCount + 1, random);
    await store.callbacks.recordFailed(due.id, delivery.reason, delayMs === null ? null : now() + delayMs);
  }

  /** Starts every attempt that is due and whose integration has a share left. Each attempt that ends looks again. */
  async function sendDue(): Promise<void> {
    while (!stopped && shares.used < concurrency) {
      const [due] = await store.callbacks.claimDue(now(), 1, now() + claimMs, shares.full(1, concurrency));
      if (!due) return;
      shares.take(due.integrationId, 1, concurrency);
      const sending = attempt(due)
        .catch(onError)
        .finally(() => {
          inProgress.delete(sending);
          shares.release(due.integrationId, 1);
          look();
        });
      inProgress.add(sending);
    }
  }

  function look(): void {
    if (stopped) return;
    if (looking) {
      again = true;
      return;
    }
    again = false;
    clearTimeout(timer);
    looking = sendDue()
      .catch(onError)
      .then(sleepMsUntilDue)
      // A store that fails must not put the deliveries to sleep for ever.
      .catch((error: unknown) => {
        onError(error);
        return shortestSleepMs;
      })
      .then((ms) => {
        looking = null;
        if (again) look();
        else if (!stopped) timer = setTimeout(look, ms).unref();
      });
  }

  async function sleepMsUntilDue(): Promise<number> {
    const at = await store.callbacks.findNextAttemptAt();
    return at === null ? longestSleepMs : Math.min(Math.max(at - now(), shortestSleepMs), longestSleepMs);
  }

  return {
    start() {
      stopped = false;
      look();
    },
    wake: look,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await sender.close();
      await looking;
      await Promise.all(inProgress);
    },
  };
}
