import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { operatorKey, request } from './process.ts';

/** A receiver of every event, which outlives the process that sends. */
export interface EventReceiver {
  url: string;
  /** How often each event came, by its id, and its place in the log. */
  received: Map<string, { sequence: number; times: number }>;
  /** What a receiver could not understand. */
  wrong: string[];
  close(): void;
}

export async function openEventReceiver(): Promise<EventReceiver> {
  const received: EventReceiver['received'] = new Map();
  const wrong: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const { id, sequence } = JSON.parse(body) as { id: string; sequence: string };
    const before = received.get(id);
    if (request.headers['webhook-id'] !== id)
      wrong.push(`event ${id} came as ${request.headers['webhook-id']}`);
    if (before && before.sequence !== Number(sequence)) {
      wrong.push(`event ${id} came from the places ${before.sequence} and ${sequence}`);
    }
    received.set(id, { sequence: Number(sequence), times: (before?.times ?? 0) + 1 });
    response.writeHead(204).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    received,
    wrong,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

export async function subscribe(url: string, receiver: EventReceiver): Promise<void> {
  const response = await request(`${url}/v1/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'all', format: 'EVENTS', url: receiver.url, types: ['*'] }),
  });
  if (!response.ok) throw new Error(`no webhook: ${await response.text()}`);
}

/** As if the minute had passed for which a killed process holds the deliveries that it was making. */
export function endClaims(database: string): void {
  const client = new Database(database);
  client.exec('UPDATE webhook_deliveries SET next_attempt_at = 0 WHERE next_attempt_at IS NOT NULL');
  client.close();
}

/** Sentences about what the event log does not say, or says twice, of what is recorded; none when each is told of once. */
export function auditEvents(database: string): string[] {
  const client = new Database(database, { readonly: true });
  try {
    const wrong = client.prepare<[], string>(disagreements).pluck().all();
    const [gap] = client
      .prepare<[], number>('SELECT max(id) - min(id) + 1 - count(*) FROM events')
      .pluck()
      .all();
    return gap ? [...wrong, `${gap} places of the event log are empty`] : wrong;
  } finally {
    client.close();
  }
}

const disagreements = `
  WITH expected (subject, type) AS (
    SELECT 'evaluations/' || uid, CASE enforcement_action
      WHEN 'WARN' THEN 'evaluation.warned' WHEN 'BLOCK' THEN 'evaluation.blocked' ELSE 'evaluation.held' END
    FROM evaluations WHERE enforcement_action <> 'ALLOW'
    UNION ALL SELECT 'evaluations/' || uid, 'review.limit-reached' FROM evaluations
    WHERE EXISTS (SELECT 1 FROM json_each(violations) WHERE value ->> '$.reason' = 'too_many_reviews')
    UNION ALL SELECT 'evaluation-sessions/' || uid, 'session.opened' FROM evaluation_sessions
    UNION ALL SELECT 'evaluation-sessions/' || uid, 'session.ended' FROM evaluation_sessions WHERE status <> 'ACTIVE'
    UNION ALL SELECT 'reviews/' || uid, 'review.opened' FROM reviews
    UNION ALL SELECT 'reviews/' || uid, CASE status WHEN 'REJECTED' THEN 'review.rejected' WHEN 'CANCELLED' THEN 'review.cancelled'
      ELSE 'review.approved' END
    FROM reviews WHERE status <> 'PENDING'
    UNION ALL SELECT 'reviews/' || uid, 'review.consumed' FROM reviews WHERE status = 'CONSUMED'
    UNION ALL SELECT 'reviews/' || uid, 'review.expiring' FROM reviews r JOIN review_handling h ON h.review_id = r.id
    WHERE h.reminded_at IS NOT NULL
    UNION ALL SELECT 'reviews/' || uid, 'review.expired' FROM reviews r
    WHERE status = 'PENDING' AND NOT EXISTS (SELECT 1 FROM review_contents c WHERE c.review_id = r.id)
  ), told (subject, type, times) AS (
    SELECT subject, type, count(*) FROM events
    WHERE type GLOB 'evaluation.*' OR type GLOB 'session.*' OR type GLOB 'review.*' GROUP BY 1, 2
  )
  SELECT subject || ': ' || type || ' was told ' || coalesce(times, 0) || ' times, and happened ' || count(expected.subject)
  FROM told FULL JOIN expected USING (subject, type)
  GROUP BY subject, type HAVING coalesce(times, 0) <> 1 OR count(expected.subject) <> 1 LIMIT 5`;

/** Waits until nothing is left to deliver, and says which events the receiver has not got, or got under another id. */
export async function proveDelivered(
  database: string,
  { received, wrong }: EventReceiver,
  patienceMs = 120_000,
): Promise<string[]> {
  const client = new Database(database, { readonly: true });
  try {
    const left = client
      .prepare<[], number>(
        `SELECT (SELECT count(*) FROM webhook_deliveries WHERE status = 'PENDING')
           + (SELECT max(id) FROM events) - (SELECT sequence FROM webhook_progress)`,
      )
      .pluck();
    const until = performance.now() + patienceMs;
    while (Number(left.get()) > 0 && performance.now() < until) await setTimeout(50);
    const events = client
      .prepare<[], { uid: string; id: number }>(
        'SELECT uid, id FROM events WHERE id > (SELECT min(after_event) FROM webhooks) ORDER BY id',
      )
      .all();
    const missing = events.filter(({ uid, id }) => received.get(uid)?.sequence !== id);
    return [
      ...wrong.splice(0),
      ...missing.slice(0, 5).map(({ uid, id }) => `event ${uid} at ${id} was not delivered`),
      ...(received.size > events.length
        ? [`${received.size - events.length} events came that are not kept`]
        : []),
    ];
  } finally {
    client.close();
  }
}
