import { and, desc, eq, getTableColumns, ne, sql as raw, type SQL } from 'drizzle-orm';
import type { Severity } from '../../schemas/decisions.ts';
import { keyOf, uidOf } from '../../sql/hot-tables.ts';
import { all, boundedTotalOf, type Db, first, run, type Sql, type Step, totalOf } from '../../sql/steps.ts';
import { mostCounted, offsetOf, type Page, type PageRequest } from '../../store/pages.ts';
import type { EventColumns, StoredEvent } from '../events/store.ts';
import type { DeliveryStatus, WebhookFormat, WebhookStatus } from './words.ts';

/** Selects the events that a webhook receives. */
export interface WebhookFilter {
  /** Types, or starts of types as `review.*`. */
  types: string[];
  /** Empty means all. */
  integrationIds: string[];
  minSeverity: Severity | null;
}

export interface NewWebhook extends WebhookFilter {
  id: string;
  name: string;
  format: WebhookFormat;
  /** JSON text of where to send, sealed. */
  destination: string;
  /** The secret that signs deliveries, sealed; null for a format that is not signed. */
  secret: string | null;
  createdAt: number;
}

export interface StoredWebhook extends NewWebhook {
  status: WebhookStatus;
  /** The secret before the last rotation, sealed, which signs too until `previousSecretUntil`. */
  previousSecret: string | null;
  previousSecretUntil: number | null;
  updatedAt: number;
}

/** Fields that are absent stay as they are. */
export interface WebhookChange extends Partial<WebhookFilter> {
  name?: string;
  status?: WebhookStatus;
  destination?: string;
}

export interface StoredDelivery {
  id: string;
  webhookId: string;
  event: StoredEvent;
  status: DeliveryStatus;
  attemptCount: number;
  /** Null once delivered or given up. */
  nextAttemptAt: number | null;
  lastAttemptAt: number | null;
  deliveredAt: number | null;
  lastStatusCode: number | null;
  lastError: string | null;
  createdAt: number;
}

export interface DueDelivery {
  id: string;
  /** Attempts made before this one. */
  attemptCount: number;
  event: StoredEvent;
  webhook: StoredWebhook;
}

export interface DeliveryFilter {
  webhookId?: string;
  status?: DeliveryStatus;
}

/** The result of a failed attempt. */
export interface FailedAttempt {
  at: number;
  statusCode: number | null;
  error: string;
  /** Null gives up: the delivery is a dead letter. */
  nextAttemptAt: number | null;
}

export interface WebhookStore extends Subscriptions, WebhookDeliveryStore {}

/** Written once for both databases. */
interface Subscriptions {
  /** It receives events from now on. Null when there are `most` already. */
  create(webhook: NewWebhook, most: number): Promise<StoredWebhook | null>;
  find(id: string): Promise<StoredWebhook | null>;
  /** Newest first. */
  list(page: PageRequest): Promise<Page<StoredWebhook>>;
  change(id: string, change: WebhookChange, now: number): Promise<StoredWebhook | null>;
  /** Deliveries are also signed with the previous secret until `until`. Null when there is no such webhook, or it is not signed. */
  rotateSecret(id: string, secret: string, until: number, now: number): Promise<StoredWebhook | null>;
  /** With its deliveries. Null when there was none. */
  delete(id: string): Promise<StoredWebhook | null>;
  /** Replaces sealed texts; `seal` must be pure. */
  reseal(
    seal: (webhook: StoredWebhook) => Pick<StoredWebhook, 'destination' | 'secret' | 'previousSecret'> | null,
  ): Promise<void>;
}

/**
 * Every event that a webhook matches becomes one delivery, which stays until it is delivered or given up, over restarts. Written
 * for each database: the loop of deliveries reads it all the time.
 */
export interface WebhookDeliveryStore {
  /**
   * Creates the deliveries of the next events, each event once for all webhooks. `matches` must be pure. False when no event is
   * left.
   */
  fanOut(
    now: number,
    matches: (webhook: WebhookFilter, event: StoredEvent) => boolean,
    newId: () => string,
  ): Promise<boolean>;
  /**
   * Claims deliveries of ACTIVE webhooks that are due at `now`, the longest waiting first, and at most `places` of each webhook.
   * The same step moves their next attempt to `until`, so that no other process on the same data claims them, and they become
   * due again if this process dies.
   */
  claimDue(now: number, until: number, places: (webhookId: string) => number): Promise<DueDelivery[]>;
  /** When the next delivery of an ACTIVE webhook is due; null when none waits. */
  findNextAttemptAt(): Promise<number | null>;
  /** Gives a claim back: the delivery is due at `now` again, and no attempt is counted. */
  release(id: string, now: number): Promise<void>;
  recordDelivered(id: string, at: number, statusCode: number | null): Promise<void>;
  recordFailed(id: string, attempt: FailedAttempt): Promise<void>;

  /** Newest first. `total` is counted up to `mostCounted`. */
  listDeliveries(filter: DeliveryFilter, page: PageRequest): Promise<Page<StoredDelivery>>;
  /** Makes a delivery that has ended due again, as if it were new. Null when there is none; 'pending' while it waits. */
  redeliver(id: string, now: number): Promise<StoredDelivery | 'pending' | null>;
  /** Redelivers every dead letter of a webhook, and returns how many. Null when there is no such webhook. */
  redeliverDead(webhookId: string, now: number): Promise<number | null>;
}

/**
 * `startingAt` returns the number of the latest event. Events before it are not looked at any more when no webhook was there to
 * get them.
 */
export function createWebhookStore(
  sql: Sql,
  { startingAt }: { startingAt(db: Db, isFirst: boolean): Step<number> },
): Subscriptions {
  const { webhooks } = sql.tables;
  const { row: _, ...columns } = getTableColumns(webhooks);

  function* find(db: Db, id: string): Step<StoredWebhook | null> {
    const row = yield* first(db.select(columns).from(webhooks).where(eq(webhooks.id, id.toLowerCase())));
    return row && toWebhook(row);
  }

  return {
    create: ({ types, integrationIds, ...webhook }, most) =>
      sql.change(function* (db) {
        const known = yield* totalOf(db, webhooks);
        if (known >= most) return null;
        const afterEvent = yield* startingAt(db, known === 0);
        yield* run(
          db.insert(webhooks).values({
            ...webhook,
            types: JSON.stringify(types),
            integrationIds: JSON.stringify(integrationIds),
            status: 'ACTIVE',
            afterEvent,
            updatedAt: webhook.createdAt,
          }),
        );
        return yield* find(db, webhook.id);
      }),

    find: (id) => sql.read((db) => find(db, id)),

    list: (page) =>
      sql.read(function* (db) {
        const rows = yield* all(
          db
            .select(columns)
            .from(webhooks)
            .orderBy(desc(webhooks.createdAt), desc(webhooks.id))
            .limit(page.size)
            .offset(offsetOf(page)),
        );
        return { items: rows.map(toWebhook), total: yield* totalOf(db, webhooks) };
      }),

    change: (id, { types, integrationIds, ...change }, now) =>
      sql.change(function* (db) {
        yield* run(
          db
            .update(webhooks)
            .set({
              ...change,
              ...(types && { types: JSON.stringify(types) }),
              ...(integrationIds && { integrationIds: JSON.stringify(integrationIds) }),
              updatedAt: now,
            })
            .where(eq(webhooks.id, id.toLowerCase())),
        );
        return yield* find(db, id);
      }),

    rotateSecret: (id, secret, previousSecretUntil, now) =>
      sql.change(function* (db) {
        const before = yield* find(db, id);
        if (!before || before.secret === null) return null;
        yield* run(
          db
            .update(webhooks)
            .set({ secret, previousSecret: before.secret, previousSecretUntil, updatedAt: now })
            .where(eq(webhooks.id, before.id)),
        );
        return yield* find(db, id);
      }),

    delete: (id) =>
      sql.change(function* (db) {
        const last = yield* find(db, id);
        if (last) yield* run(db.delete(webhooks).where(eq(webhooks.id, last.id)));
        return last;
      }),

    reseal: (seal) =>
      sql.change(function* (db) {
        for (const row of yield* all(db.select(columns).from(webhooks))) {
          const sealed = seal(toWebhook(row));
          if (sealed) yield* run(db.update(webhooks).set(sealed).where(eq(webhooks.id, row.id)));
        }
      }),
  };
}

/** Results of attempts, which `ordinary` records nowhere, and what operators see and do of deliveries. */
export function createDeliveryStore(
  sql: Sql,
  ordinary: Sql,
  delivered: EventColumns,
): Omit<WebhookDeliveryStore, 'fanOut' | 'claimDue' | 'findNextAttemptAt'> {
  const { webhookDeliveries: deliveries, events } = sql.hot;
  const { webhooks } = sql.tables;
  const uid = uidOf(deliveries);
  const withId = (id: string): SQL => eq(uid, id.toLowerCase());
  const columns = {
    id: uid,
    webhookId: webhooks.id,
    status: deliveries.status,
    attemptCount: deliveries.attemptCount,
    nextAttemptAt: deliveries.nextAttemptAt,
    lastAttemptAt: deliveries.lastAttemptAt,
    deliveredAt: deliveries.deliveredAt,
    lastStatusCode: deliveries.lastStatusCode,
    lastError: deliveries.lastError,
    createdAt: deliveries.createdAt,
    event: delivered.stored,
  };
  const select = (db: Db, where: SQL | undefined) =>
    db
      .select(columns)
      .from(deliveries)
      .innerJoin(webhooks, eq(keyOf(webhooks), deliveries.webhookId))
      .innerJoin(events, eq(delivered.key, deliveries.eventId))
      .where(where);
  const find = (db: Db, id: string) => first(select(db, withId(id))) as Step<StoredDelivery | null>;
  const attempted = (id: string, set: Partial<typeof deliveries.$inferInsert>): Promise<void> =>
    ordinary.change((db) =>
      run(
        db
          .update(deliveries)
          .set({ ...set, attemptCount: raw`${deliveries.attemptCount} + 1` })
          .where(withId(id)),
      ),
    );

  return {
    release: (id, nextAttemptAt) =>
      ordinary.change((db) => run(db.update(deliveries).set({ nextAttemptAt }).where(withId(id)))),

    recordDelivered: (id, at, lastStatusCode) =>
      attempted(id, {
        status: 'DELIVERED',
        nextAttemptAt: null,
        lastAttemptAt: at,
        deliveredAt: at,
        lastStatusCode,
        lastError: null,
      }),

    recordFailed: (id, { at, statusCode, error, nextAttemptAt }) =>
      attempted(id, {
        status: nextAttemptAt === null ? 'DEAD' : 'PENDING',
        nextAttemptAt,
        lastAttemptAt: at,
        lastStatusCode: statusCode,
        lastError: error,
      }),

    listDeliveries: ({ webhookId, status }, page) =>
      sql.read(function* (db) {
        const webhook = db.select({ key: keyOf(webhooks) }).from(webhooks);
        const where = and(
          webhookId === undefined
            ? undefined
            : eq(deliveries.webhookId, webhook.where(eq(webhooks.id, webhookId.toLowerCase()))),
          status === undefined ? undefined : eq(deliveries.status, status),
        );
        // On PostgreSQL, ids are in the order of creation, too; its index of a status has the time.
        const isByTime = !sql.keysAreInOrder && status !== undefined;
        const items = yield* all(
          select(db, where)
            .orderBy(...(isByTime ? [desc(deliveries.createdAt)] : []), desc(deliveries.id))
            .limit(page.size)
            .offset(offsetOf(page)),
        );
        const total = yield* boundedTotalOf(db, deliveries, where, mostCounted);
        return { items: items as StoredDelivery[], total };
      }),

    redeliver: (id, now) =>
      sql.change(function* (db) {
        const ended = and(withId(id), ne(deliveries.status, 'PENDING'));
        const renewed = yield* all(
          db.update(deliveries).set(renewedDelivery(now)).where(ended).returning({ id: uid }),
        );
        const delivery = yield* find(db, id);
        return delivery && renewed.length === 0 ? 'pending' : delivery;
      }),

    redeliverDead: (webhookId, now) =>
      sql.change(function* (db) {
        const webhook = yield* first(
          db
            .select({ key: keyOf(webhooks) })
            .from(webhooks)
            .where(eq(webhooks.id, webhookId.toLowerCase())),
        );
        if (!webhook) return null;
        const dead = and(eq(deliveries.webhookId, webhook.key), eq(deliveries.status, 'DEAD'));
        const renewed = db.update(deliveries).set(renewedDelivery(now)).where(dead).returning({ id: uid });
        return (yield* all(renewed)).length;
      }),
  };
}

export type WebhookRow = Omit<StoredWebhook, 'types' | 'integrationIds'> & {
  types: string;
  integrationIds: string;
  afterEvent: number;
};

export const toWebhook = ({ afterEvent: _, ...row }: WebhookRow): StoredWebhook => ({
  ...row,
  types: JSON.parse(row.types),
  integrationIds: JSON.parse(row.integrationIds),
});

/** A delivery that is due at `now`, as if it were new. */
const renewedDelivery = (now: number) =>
  ({ status: 'PENDING', attemptCount: 0, nextAttemptAt: now, deliveredAt: null }) as const;
