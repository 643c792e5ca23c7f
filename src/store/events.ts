/** What happened, as it is written in the step that made it happen. */
export interface NewEvent {
  /** The same for every reader and every delivery, so that a repeat can be dropped. */
  id: string;
  type: string;
  at: number;
  /** Null for what belongs to no integration. */
  integrationId: string | null;
  /** What it is about, as a path below `/v1`: `reviews/…`. */
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

/** How many events a log looks at to prune it once. */
export const prunedAtOnce = 500;

/**
 * The first of the `oldest` events, which may be deleted: up to the first one that `mustStay`, or that is young enough while it and
 * all later ones have at most `mostBytes`. `totalBytes` counts all events up to one; in the second parameter, all of them.
 */
export function eventsToPrune<Event extends { at: number; totalBytes: number | null }>(
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
