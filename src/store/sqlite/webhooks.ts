import { asc, desc, eq, getTableColumns, gt, sql } from 'drizzle-orm';
import type { StoredEvent } from '../../features/events/store.ts';
import {
  createDeliveryStore,
  createWebhookStore,
  type StoredWebhook,
  toWebhook,
  type WebhookDeliveryStore,
  type WebhookRow,
  type WebhookStore,
} from '../../features/webhooks/store.ts';
import { call, type Sql } from '../../sql/steps.ts';
import type { Sqlite } from './database.ts';
import { eventColumns } from './events.ts';
import { prepareHotRead } from './hot-statement.ts';
import { events, webhooks } from './tables.ts';

/** Events that are looked at in one change. */
const eventsAtOnce = 100;

interface Claimed {
  id: string;
  attemptCount: number;
  eventId: number;
}

interface ActiveWebhook {
  row: number;
  afterEvent: number;
  webhook: StoredWebhook;
}

/** `sql` is for operators: what they change is recorded. `ordinary` is for deliveries. */
export function createWebhooks(sql: Sql, ordinary: Sql, sqlite: Sqlite): WebhookStore {
  const { startingAt, ...deliveries } = createDeliveries(sqlite);
  return {
    ...createWebhookStore(sql, { startingAt: (_, isFirst) => call(() => startingAt(isFirst)) }),
    ...createDeliveryStore(sql, ordinary, eventColumns),
    ...deliveries,
  };
}

function createDeliveries({ client, db, writer, look }: Sqlite): Pick<
  WebhookDeliveryStore,
  'fanOut' | 'claimDue' | 'findNextAttemptAt' | 'recordDelivered'
> & {
  /** Returns the number of the latest event; the first webhook starts there. Runs inside a change. */
  startingAt(isFirst: boolean): number;
} {
  const active = prepareHotRead<WebhookRow & { row: number }, []>(
    client,
    getTableColumns(webhooks),
    db.select().from(webhooks).where(sql`status = 'ACTIVE'`).orderBy(desc(webhooks.row)),
    [],
  );
  const listActive = (): ActiveWebhook[] =>
    active
      .all()
      .map(({ row, ...found }) => ({ row, afterEvent: found.afterEvent, webhook: toWebhook(found) }));

  // Each takes its place in the index of one webhook: a long queue of one receiver costs the others nothing.
  const due = client
    .prepare<[number, number, number], number>(
      `SELECT id FROM webhook_deliveries WHERE webhook_id = ? AND next_attempt_at IS NOT NULL AND next_attempt_at <= ?
       ORDER BY next_attempt_at LIMIT ?`,
    )
    .pluck();
  const claim = client.prepare<[number, number], Claimed>(
    `UPDATE webhook_deliveries SET next_attempt_at = ? WHERE id = ?
     RETURNING uid AS id, attempt_count AS attemptCount, event_id AS eventId`,
  );
  const eventAt = prepareHotRead<StoredEvent, [number]>(
    client,
    eventColumns.stored,
    db
      .select(eventColumns.stored)
      .from(events)
      .where(eq(events.id, sql.placeholder('id'))),
    ['id'],
  );
  const delivered = client.prepare<[number, number, number | null, string]>(
    `UPDATE webhook_deliveries SET status = 'DELIVERED', attempt_count = attempt_count + 1, next_attempt_at = NULL,
       last_attempt_at = ?, delivered_at = ?, last_status_code = ?, last_error = NULL WHERE uid = ?`,
  );
  const next = client
    .prepare<[], number | null>(
      `SELECT min(at) FROM (
         SELECT (SELECT next_attempt_at FROM webhook_deliveries
                 WHERE webhook_id = webhooks.row AND next_attempt_at IS NOT NULL ORDER BY next_attempt_at LIMIT 1) AS at
         FROM webhooks WHERE status = 'ACTIVE')`,
    )
    .pluck();

  const latest = client.prepare<[], number>("SELECT seq FROM sqlite_sequence WHERE name = 'events'").pluck();
  const one = client.prepare<[], number>('SELECT 1 FROM webhooks LIMIT 1').pluck();
  const kept = client.prepare<[], number>('SELECT sequence FROM webhook_progress').pluck();
  const keep = client.prepare<[number]>(
    'INSERT INTO webhook_progress (id, sequence) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET sequence = excluded.sequence',
  );
  const eventsAfter = prepareHotRead<StoredEvent, [number, number]>(
    client,
    eventColumns.stored,
    db
      .select(eventColumns.stored)
      .from(events)
      .where(gt(events.id, sql.placeholder('after')))
      .orderBy(asc(events.id))
      .limit(sql.placeholder('size')),
    ['after', 'size'],
  );
  // An event becomes at most one delivery of a webhook.
  const addDelivery = client.prepare<[string, number, number, number, number]>(
    `INSERT INTO webhook_deliveries (uid, webhook_id, event_id, status, attempt_count, next_attempt_at, created_at)
     VALUES (?, ?, ?, 'PENDING', 0, ?, ?) ON CONFLICT DO NOTHING`,
  );

  /** Where the next look begins. Before the first one, events have no webhook to be sent to. */
  const progress = (): number => kept.get() ?? latest.get() ?? 0;

  return {
    startingAt(isFirst) {
      const sequence = latest.get() ?? 0;
      if (isFirst) keep.run(sequence);
      return sequence;
    },

    async fanOut(now, matches, newId) {
      // Looked at first, after every commit with events: without webhooks and events nothing is written.
      const isBehind = await look(() => one.get() !== undefined && progress() < (latest.get() ?? 0));
      if (!isBehind) return false;
      return writer.run(() => {
        const next = eventsAfter.all(progress(), eventsAtOnce);
        const last = next.at(-1);
        if (!last) return false;
        const listening = listActive();
        for (const event of next) {
          for (const { row, afterEvent, webhook } of listening) {
            if (event.sequence > afterEvent && matches(webhook, event))
              addDelivery.run(newId(), row, event.sequence, now, now);
          }
        }
        keep.run(last.sequence);
        return next.length === eventsAtOnce;
      });
    },

    claimDue: (now, until, places) =>
      writer.run(() =>
        listActive().flatMap(({ row: webhookRow, webhook }) => {
          const limit = places(webhook.id);
          if (limit <= 0) return [];
          return due.all(webhookRow, now, limit).map((row) => {
            const { id, attemptCount, eventId } = claim.get(until, row) as ReturnType<typeof claim.get> &
              object;
            return { id, attemptCount, event: eventAt.get(eventId) as StoredEvent, webhook };
          });
        }),
      ),

    findNextAttemptAt: () => look(() => next.get() ?? null),

    recordDelivered: (id, at, statusCode) =>
      writer.run(() => void delivered.run(at, at, statusCode, id.toLowerCase())),
  };
}
