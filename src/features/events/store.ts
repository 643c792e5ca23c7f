import { asc, desc, gt, isNotNull, lt, lte, min, placeholder } from 'drizzle-orm';
import type { HotTables } from '../../sql/hot-tables.ts';
import { all, type Db, first, prepared, run, type Sql, type Step } from '../../sql/steps.ts';

/** An event, as it is written in the step that made it happen. */
export interface NewEvent {
  /** The same for every reader and every delivery, so that a repeat can be dropped. */
  id: string;
  type: string;
  at: number;
  /** Null for what belongs to no integration. */
  integrationId: string | null;
  /** The resource that it is about, as a path below `/v1`: `reviews/…`. */
  subject: string;
  /** JSON text of an object. It must hold no content. */
  data: string;
}

export interface StoredEvent extends NewEvent {
  /** Its place in the log: 1 for the first one, without gaps. */
  sequence: number;
}

/** The log keeps events in the order of the changes that they tell of, until they are too old or too many. */
export interface EventStore {
  /** The next `size` after a place, oldest first. */
  listAfter(sequence: number, size: number): Promise<StoredEvent[]>;
  /** The last `size` before a place, newest first; of all for null. */
  listBefore(sequence: number | null, size: number): Promise<StoredEvent[]>;
  /** Places of the oldest event that is kept, and of the latest one ever written. `oldest` is `latest` + 1 when none is kept. */
  bounds(): Promise<{ oldest: number; latest: number }>;
  /**
   * Deletes some events from the oldest on: those made before `before`, and those beyond `mostBytes` of all. An event that
   * waits for its delivery stays. False when none is left to delete.
   */
  prune(before: number, mostBytes: number): Promise<boolean>;
  /** Tells of every event that this process wrote, once it is durable, in order. */
  onAppended(tell: (events: readonly StoredEvent[]) => void): void;
}

type Events = HotTables['events'];

/** Columns of `events`, which each database keeps in its own way. */
export interface EventColumns {
  /** The key of a row, which deliveries refer to. */
  readonly key: Events['id'];
  readonly stored: Pick<Events, 'type' | 'at' | 'integrationId' | 'subject' | 'data'> & {
    readonly sequence: Events['id'];
    readonly id: Events['uid'];
  };
}

/** The log as each database keeps it. */
export interface EventDatabase {
  readonly columns: EventColumns;
  /** Resolves when readers find everything that was committed before. */
  settle(): Promise<void>;
  /** The number of the latest event ever written, and the bytes of all events up to it. */
  latest(db: Db): Step<{ sequence: number; totalBytes: number }>;
  /** No delivery is made of an event until the change ends. */
  holdDeliveries(db: Db): Step<void>;
}

/** How many events are looked at to prune the log once. */
const prunedAtOnce = 500;

export function createEventStore(
  sql: Sql,
  { columns: { key, stored }, settle, latest, holdDeliveries }: EventDatabase,
): Omit<EventStore, 'onAppended'> {
  const { events, webhookDeliveries } = sql.hot;
  const { sequence, at } = stored;
  const selectStored = (db: Db) => db.select(stored).from(events);
  const after = (db: Db) =>
    selectStored(db)
      .where(gt(sequence, placeholder('after')))
      .orderBy(asc(sequence))
      .limit(placeholder('size'));

  return {
    async listAfter(place, size) {
      await settle();
      return sql.read((db) => prepared(db, after, { after: place, size }));
    },

    async listBefore(before, size) {
      await settle();
      const where = before === null ? isNotNull(sequence) : lt(sequence, before);
      return sql.read((db) => all(selectStored(db).where(where).orderBy(desc(sequence)).limit(size)));
    },

    async bounds() {
      await settle();
      return sql.read(function* (db) {
        const { sequence: last } = yield* latest(db);
        const kept = yield* first(db.select({ oldest: min(sequence) }).from(events));
        return { oldest: kept?.oldest ?? last + 1, latest: last };
      });
    },

    prune: (before, mostBytes) =>
      sql.change(function* (db) {
        yield* holdDeliveries(db);
        const { totalBytes } = yield* latest(db);
        const oldest = yield* all(
          db
            .select({ sequence, key, at, totalBytes: events.totalBytes })
            .from(events)
            .where(isNotNull(sequence))
            .orderBy(asc(sequence))
            .limit(prunedAtOnce),
        );
        const { eventId, nextAttemptAt } = webhookDeliveries;
        const waiting = yield* first(
          db
            .select({ key: min(eventId) })
            .from(webhookDeliveries)
            .where(isNotNull(nextAttemptAt)),
        );
        const firstWaiting = waiting?.key ?? Number.POSITIVE_INFINITY;
        const limits = { before, mostBytes, totalBytes };
        const gone = eventsToPrune(oldest, limits, (event) => event.key >= firstWaiting);
        const last = gone.at(-1);
        if (!last) return false;
        yield* run(db.delete(events).where(lte(sequence, last.sequence)));
        return gone.length === prunedAtOnce;
      }),
  };
}

/**
 * The first of the `oldest` events, which may be deleted: up to the first one that `mustStay`, or that is young enough while it and
 * all later ones have at most `mostBytes`. `totalBytes` counts all events up to one; in the second parameter, all of them.
 */
function eventsToPrune<Event extends { at: number; totalBytes: number | null }>(
  oldest: readonly Event[],
  { before, mostBytes, totalBytes }: { before: number; mostBytes: number; totalBytes: number },
  mustStay: (event: Event) => boolean,
): readonly Event[] {
  const kept = oldest.findIndex(
    (event, place) =>
      mustStay(event) ||
      (event.at >= before && totalBytes - ((oldest[place - 1] ?? event).totalBytes ?? 0) <= mostBytes),
  );
  return kept < 0 ? oldest : oldest.slice(0, kept);
}
