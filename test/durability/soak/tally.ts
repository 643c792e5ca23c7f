import type Database from 'better-sqlite3';
import type { Sent } from '../load.ts';

interface Counts {
  actions: number;
  WARN: number;
  BLOCK: number;
  APPROVAL_REQUIRED: number;
}

/**
 * Counts that come from responses alone. A request that got none is looked up by its correlation id: whether it was recorded, nobody
 * told the caller.
 */
export function createTally() {
  const bySession = new Map<string, Counts>();
  let last = 0;

  function count(session: string, action: string): void {
    const counts = bySession.get(session) ?? { actions: 0, WARN: 0, BLOCK: 0, APPROVAL_REQUIRED: 0 };
    counts.actions += 1;
    if (action !== 'ALLOW') counts[action as 'WARN'] += 1;
    bySession.set(session, counts);
  }

  return {
    /** What was sent since the last time. Says how many that got no response were recorded. */
    add(client: Database.Database, journal: readonly Sent[]): { unanswered: number; recorded: number } {
      const recent = new Map(
        recordedSince(client)
          .all(last)
          .map((row) => [row.correlation, row]),
      );
      for (const { row } of recent.values()) last = Math.max(last, row);
      let [unanswered, recorded] = [0, 0];
      for (const { kind, response, correlationId } of journal) {
        if (kind !== 'evaluate') continue;
        if (response?.status === 200) {
          const { data } = JSON.parse(response.text);
          count(data.sessionId, data.enforcementAction);
        } else if (!response) {
          unanswered += 1;
          const found = recent.get(correlationId ?? '');
          if (!found) continue;
          recorded += 1;
          count(found.session, found.action);
        }
      }
      return { unanswered, recorded };
    },

    /** Sentences about sessions whose counters are not those of the tally. `others`: sessions that are not counted here. */
    compare(client: Database.Database, others: ReadonlySet<string>): string[] {
      const rows = client
        .prepare<[], { uid: string } & Record<'actions' | 'warnings' | 'blocks' | 'reviews', number>>(
          `SELECT s.uid, coalesce(action_count, 0) AS actions, coalesce(warning_count, 0) AS warnings,
             coalesce(block_count, 0) AS blocks, coalesce(review_count, 0) AS reviews
           FROM evaluation_sessions s LEFT JOIN session_states t ON t.session_id = s.id`,
        )
        .all()
        .filter(({ uid }) => !others.has(uid));
      const known = new Set(rows.map(({ uid }) => uid));
      const missing = [...bySession.keys()].filter((uid) => !known.has(uid));
      return [
        ...missing.map((uid) => `session ${uid} was counted, and is not there`),
        ...rows.flatMap(({ uid, ...stored }) => {
          const { actions, WARN, BLOCK, APPROVAL_REQUIRED } = bySession.get(uid) ?? none;
          const told = { actions, warnings: WARN, blocks: BLOCK, reviews: APPROVAL_REQUIRED };
          const is = JSON.stringify(stored);
          return is === JSON.stringify(told)
            ? []
            : [`session ${uid} says ${is}, its callers ${JSON.stringify(told)}`];
        }),
      ];
    },
    get sessions() {
      return bySession.size;
    },
  };
}
const none: Counts = { actions: 0, WARN: 0, BLOCK: 0, APPROVAL_REQUIRED: 0 };

const recordedSince = (client: Database.Database) =>
  client.prepare<[number], { row: number; correlation: string; session: string; action: string }>(
    `SELECT e.id AS row, e.correlation_id AS correlation, s.uid AS session, e.enforcement_action AS action
     FROM evaluations e JOIN evaluation_sessions s ON s.id = e.session_id
     WHERE e.id > ? AND e.correlation_id IS NOT NULL`,
  );
