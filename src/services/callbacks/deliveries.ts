import type { DueCallback, Store } from '../../store/store.ts';
import { FairShare } from '../fairness.ts';
import { integrationSecretPlace, type SecretBox } from '../secrets/secret-box.ts';
import type { CallbackSender } from './callback-sender.ts';

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

/** Attempts that come due in the store: one look at a time, and another one when something may have changed. */
export interface DeliveryLoop {
  /** Looks now, and from then on whenever something becomes due. */
  start(): void;
  /** Looks as soon as the pause after the last look is over; must be called after something became due. */
  wake(): void;
  /** Keeps an attempt that has begun; when it has ended, `ended` runs and the loop looks again. */
  track(attempt: Promise<void>, ended: () => void): void;
  readonly isStopped: boolean;
  /** Starts no further look; resolves after `abort` when all attempts have ended. */
  stop(abort: () => Promise<void>): Promise<void>;
}

/** The time until the next look after the store failed, in milliseconds. */
const afterFailureMs = 1_000;

export function createDeliveryLoop(deps: {
  /** Begins every attempt that is due and resolves with the milliseconds until the next look. */
  look: () => Promise<number>;
  /** The shortest time between the beginnings of two looks, in milliseconds: what comes meanwhile shares one look. */
  pauseMs?: number;
  /** Called when the store fails; the loop goes on. */
  onError: (error: unknown) => void;
}): DeliveryLoop {
  const { look, pauseMs = 0, onError } = deps;
  const inProgress = new Set<Promise<void>>();
  let looking: Promise<void> | null = null;
  let beganAt = Number.NEGATIVE_INFINITY;
  let awake = false;
  let stopped = true;
  let timer: NodeJS.Timeout | undefined;

  function wake(): void {
    if (stopped || awake) return;
    awake = true;
    if (!looking) lookSoon();
  }

  function lookSoon(): void {
    const leftMs = beganAt + pauseMs - performance.now();
    if (leftMs > 0) lookIn(leftMs);
    else begin();
  }

  function lookIn(ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(begin, ms).unref();
  }

  function begin(): void {
    clearTimeout(timer);
    awake = false;
    beganAt = performance.now();
    looking = look()
      .catch((error: unknown) => {
        onError(error);
        return afterFailureMs;
      })
      .then((ms) => {
        looking = null;
        if (stopped) return;
        if (awake) lookSoon();
        else lookIn(ms);
      });
  }

  return {
    start() {
      stopped = false;
      awake = false;
      wake();
    },
    wake,
    track(attempt, ended) {
      const sending = attempt.catch(onError).finally(() => {
        inProgress.delete(sending);
        ended();
        wake();
      });
      inProgress.add(sending);
    },
    get isStopped() {
      return stopped;
    },
    async stop(abort) {
      stopped = true;
      clearTimeout(timer);
      await abort();
      await looking;
      await Promise.all(inProgress);
    },
  };
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/**
 * The wait before each attempt. The first ones outlive a dropped connection or a restarted receiver, the middle ones a
 * deployment, the last ones a night: together about 19 h 13 min. Two long waits end the list, because a review that
 * was decided a day ago has expired for most callers and polling still answers.
 */
const delaysMs = [0, 5 * second, 30 * second, 2 * minute, 10 * minute, hour, 6 * hour, 12 * hour] as const;

/** How many attempts one delivery gets. */
export const attemptLimit = delaysMs.length;

/** Each wait is stretched or shortened by up to this share, so that what failed together is not repeated together. */
const jitter = 0.2;

/**
 * Milliseconds from now to the next attempt at a delivery, or null when it is given up.
 * `attempt` counts the attempts already made: 0 for a delivery that is new. `random` gives a number in [0, 1).
 *
 * | attempts made | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 |
 * |---|---|---|---|---|---|---|---|---|---|
 * | wait, ± 20 % | 0 | 5 s | 30 s | 2 min | 10 min | 1 h | 6 h | 12 h | give up |
 */
export const nextAttemptDelayMs = (attempt: number, random: () => number): number | null =>
  delayAfter(delaysMs, attempt, random);

/** The same for a webhook, whose events still matter a day later: retries go on for 24 h more. */
export const nextWebhookAttemptDelayMs = (attempt: number, random: () => number): number | null =>
  delayAfter([...delaysMs, 24 * hour], attempt, random);

function delayAfter(delays: readonly number[], attempt: number, random: () => number): number | null {
  if (!Number.isSafeInteger(attempt) || attempt < 0) {
    throw new RangeError('the count of attempts made is a whole number from 0');
  }
  const delayMs = delays[attempt];
  if (delayMs === undefined) return null;
  return Math.round(delayMs * (1 - jitter + 2 * jitter * random()));
}
