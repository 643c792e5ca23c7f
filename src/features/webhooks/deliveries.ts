import { minuteMs } from '../../schemas/durations.ts';
import { createCallbackSender } from '../../services/callbacks/callback-sender.ts';
import {
  createDeliveries,
  createDeliveryLoop,
  type Deliveries,
  nextWebhookAttemptDelayMs,
} from '../../services/callbacks/deliveries.ts';

import type { SecretBox } from '../../services/secrets/secret-box.ts';
import type { DueDelivery, Store } from '../../store/store.ts';
import type { Mailer, MailerOptions } from './mailer.ts';
import { createWebhookSender, type WebhookSender } from './sender.ts';
import { createWebhooks, matchesWebhook, type Webhooks } from './service.ts';

/** Sends every event to the webhooks that want it, until each is delivered or given up, across restarts. */
export interface WebhookDeliveries {
  start(): void;
  /** Must be called after a delivery became due. */
  wake(): void;
  /** Aborts the attempts in progress; they are made again after the next start. */
  stop(): Promise<void>;
}

/** Attempts in progress of one webhook. Each has its own, so that receivers that hang delay no other. */
const attemptsAtOnce = { working: 4, failing: 1 };
/** Deliveries of one webhook that are claimed while it works, those in progress included. */
const claimedAtOnce = 16;
/** The shortest time between two looks: their changes share a commit, so that evaluations have the disk. Milliseconds. */
const pauseMs = 50;
/** How long a claim lasts, in milliseconds. */
const claimMs = minuteMs;
/** The least time that a claim must still last when its attempt begins: longer than an attempt can take, mail included. Milliseconds. */
const longestAttemptMs = 40_000;
/** The time between two looks: another process on the same data may have written an event. Milliseconds. */
const sleepMs = 1_000;

/** The deliveries of one webhook that this process has claimed. */
interface Lane {
  claimed: { due: DueDelivery; until: number }[];
  inProgressCount: number;
  isFailing: boolean;
}

function createWebhookDeliveries(deps: {
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
  const loop = createDeliveryLoop({ look, pauseMs, onError });
  const lanes = new Map<string, Lane>();
  /** How attempts ended: the next look records them. */
  let ended: (() => Promise<void>)[] = [];

  const laneOf = (webhookId: string): Lane => {
    const lane = lanes.get(webhookId) ?? { claimed: [], inProgressCount: 0, isFailing: false };
    lanes.set(webhookId, lane);
    return lane;
  };
  const release = (id: string): void => {
    const at = now();
    ended.push(() => store.webhooks.release(id, at));
  };

  async function attempt(lane: Lane, { id, webhook, event, attemptCount }: DueDelivery): Promise<void> {
    const sent = await sender.send(webhook, event);
    const at = now();
    lane.isFailing = !sent.delivered;
    if (sent.delivered) {
      ended.push(() => store.webhooks.recordDelivered(id, at, sent.status));
      return;
    }
    // Aborted by a stop: the attempt is not counted.
    if (loop.isStopped) return release(id);
    const delayMs = sent.permanent ? null : nextWebhookAttemptDelayMs(attemptCount + 1, random);
    const failed = {
      at,
      statusCode: sent.status ?? null,
      error: sent.reason,
      nextAttemptAt: delayMs === null ? null : at + delayMs,
    };
    ended.push(() => store.webhooks.recordFailed(id, failed));
  }

  /** Begins as many claimed deliveries as the lane may attempt at once. */
  function begin(webhookId: string, lane: Lane): void {
    const most = lane.isFailing ? attemptsAtOnce.failing : attemptsAtOnce.working;
    while (!loop.isStopped && lane.inProgressCount < most) {
      const claim = lane.claimed.shift();
      if (!claim) break;
      // It waited too long: another process may take it before its attempt ends.
      if (claim.until - now() < longestAttemptMs) {
        release(claim.due.id);
        continue;
      }
      lane.inProgressCount++;
      loop.track(attempt(lane, claim.due), () => {
        lane.inProgressCount--;
        begin(webhookId, lane);
      });
    }
    // Deliveries that would wait for a failing receiver, or for the next start, are released.
    if (lane.isFailing || loop.isStopped) for (const { due } of lane.claimed.splice(0)) release(due.id);
    if (lane.inProgressCount === 0 && !lane.isFailing) lanes.delete(webhookId);
  }

  const free = (webhookId: string): number => {
    const lane = lanes.get(webhookId);
    const most = lane?.isFailing ? attemptsAtOnce.failing : claimedAtOnce;
    return most - (lane?.inProgressCount ?? 0) - (lane?.claimed.length ?? 0);
  };

  /** All in one turn of the event loop, so that the store commits them together. */
  async function recordEnded(): Promise<void> {
    const records = ended;
    ended = [];
    await Promise.all(records.map((record) => record().catch(onError)));
  }

  async function fanOut(): Promise<void> {
    while (!loop.isStopped && (await store.webhooks.fanOut(now(), matchesWebhook, newId)));
  }

  async function look(): Promise<number> {
    await Promise.all([recordEnded(), fanOut()]);
    const next = loop.isStopped ? null : await store.webhooks.findNextAttemptAt();
    if (next !== null && next <= now()) {
      const until = now() + claimMs;
      const claimed = await store.webhooks.claimDue(now(), until, free);
      for (const due of claimed) laneOf(due.webhook.id).claimed.push({ due, until });
      for (const [id, lane] of lanes) begin(id, lane);
    }
    return sleepMs;
  }

  store.events.onAppended(loop.wake);
  return {
    start: loop.start,
    wake: loop.wake,
    async stop() {
      await loop.stop(close);
      for (const [id, lane] of lanes) begin(id, lane);
      await recordEnded();
    },
  };
}

/** Sends callbacks of reviews, and events to webhooks and by mail. */
export interface DeliveryServices {
  deliveries: Deliveries;
  webhooks: Webhooks;
  webhookDeliveries: WebhookDeliveries;
}

export interface DeliveryOptions {
  store: Store;
  box: SecretBox;
  now: () => number;
  /** The system's clock, by which receivers check how old a callback is: milliseconds since 1970. */
  system: () => number;
  newId: () => string;
  random: () => number;
  /** Non-public addresses that callbacks may go to. */
  callbackAllow: readonly string[];
  /** The `source` of every event: a URI. */
  eventSource: string;
  /** The start of links; null when it is not known. */
  publicUrl: string | null;
  mail: { url: string; from: string } | null;
  onError: (error: unknown) => void;
}

/** Throws when an entry of `callbackAllow` cannot be used. */
export function createDeliveryServices(options: DeliveryOptions): DeliveryServices {
  const { store, box, now, system, newId, random, callbackAllow: allow, mail, onError } = options;
  const sender = createCallbackSender({ allow, now: system });
  const http = createCallbackSender({ allow, now: system, keepAliveMs: 1_000 });
  const webhookSender = createWebhookSender({
    http,
    mailer: mail && loadMailerLate({ ...mail, allow }),
    box,
    now,
    source: options.eventSource,
    publicUrl: options.publicUrl,
  });
  const webhookDeliveries = createWebhookDeliveries({
    store,
    sender: webhookSender,
    close: () => http.close(),
    now,
    newId,
    random,
    onError,
  });
  return {
    deliveries: createDeliveries({ store, sender, box, now, random, onError }),
    webhooks: createWebhooks({
      store,
      now,
      newId,
      box,
      sender: webhookSender,
      hasMail: mail !== null,
      wake: webhookDeliveries.wake,
    }),
    webhookDeliveries,
  };
}

/** The first mail loads the package: with all that it loads, it is a quarter of a start. */
function loadMailerLate(options: MailerOptions): Mailer {
  let mailer: Promise<Mailer> | undefined;
  return {
    async send(mail) {
      mailer ??= import('./mailer.ts').then(({ createMailer }) => createMailer(options));
      return (await mailer).send(mail);
    },
  };
}
