import { AppError } from '../../errors.ts';
import { dayMs } from '../../schemas/durations.ts';
import type { Clock } from '../../services/clock.ts';
import { createSweeper, type Sweeper } from '../../services/sweeper.ts';
import type { Store, StoredEvent } from '../../store/store.ts';
import type { OperatorRole } from '../operators/schema.ts';
import { eventTypes, mayRead, typesNamed } from './event-types.ts';
import { cloudEvent, sequenceText } from './forms.ts';
import type { EventPage } from './schema.ts';

interface EventQuery {
  /** Types, or starts of types as `review.*`, separated by commas; all when absent. */
  type?: string;
  integrationId?: string;
}

/** A filter that was checked, for one reader. */
export interface EventFilter {
  matches(event: StoredEvent): boolean;
}

/** The next message to a reader. A `gap` says that events between two places are no longer kept. */
type Followed =
  | { kind: 'events'; events: readonly StoredEvent[]; sequence: number }
  | { kind: 'gap'; after: number; oldest: number };

export interface Events {
  /** Refuses a type that there is not. Events that the roles may not read never match. */
  filter(roles: readonly OperatorRole[], query: EventQuery): EventFilter;
  /** The events after a place, or the last ones, oldest first. */
  list(filter: EventFilter, after: number | null, size: number): Promise<EventPage>;
  /** Checks a place that a reader resumes after; null begins with what comes next. */
  resumeAfter(after: number | null, path: string): Promise<number>;
  /** The events after a place, without end: recorded ones at once, the rest as they come. Ends with the signal. */
  follow(filter: EventFilter, after: number, signal: AbortSignal): AsyncGenerator<Followed>;
  /** The event as every reader gets it, in JSON: made once for all who follow. */
  text(event: StoredEvent): string;
}

/** Rows read at once: what is held for one reader. */
const readAtOnce = 200;
/** Rows that a list of the last events looks through at most, so that a filter that matches nothing ends. */
const mostLookedThrough = 20_000;
/** The shortest time between two reads for those who wait: what comes meanwhile is read at once, for all. Milliseconds. */
const gatherMs = 25;
/** Another process on the same data writes events too, and cannot tell this one: readers look this often, in milliseconds. */
const lookEveryMs = 1_000;

export function createEvents({ store, source }: { store: Store; source: string }): Events {
  const waiting = new Set<() => void>();
  let appendedCount = 0;
  let gathering: NodeJS.Timeout | null = null;
  store.events.onAppended(() => {
    appendedCount++;
    if (waiting.size === 0 || gathering) return;
    gathering = setTimeout(() => {
      gathering = null;
      for (const wake of [...waiting]) wake();
    }, gatherMs).unref();
  });

  /** Reads in progress: those who wait at one place read it together, and get the same rows. */
  const reads = new Map<number, Promise<readonly StoredEvent[]>>();
  function readAfter(place: number): Promise<readonly StoredEvent[]> {
    const known = reads.get(place);
    if (known) return known;
    const read = store.events.listAfter(place, readAtOnce).finally(() => reads.delete(place));
    reads.set(place, read);
    return read;
  }

  const texts = new WeakMap<StoredEvent, string>();
  function text(event: StoredEvent): string {
    const known = texts.get(event);
    if (known !== undefined) return known;
    const made = JSON.stringify(show(event));
    texts.set(event, made);
    return made;
  }

  function nextEvent(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const go = () => {
        clearTimeout(timer);
        waiting.delete(go);
        signal.removeEventListener('abort', go);
        resolve();
      };
      const timer = setTimeout(go, lookEveryMs).unref();
      waiting.add(go);
      signal.addEventListener('abort', go);
    });
  }

  const show = (event: StoredEvent) => cloudEvent(event, source);

  async function listLast(filter: EventFilter, size: number): Promise<EventPage> {
    const { latest } = await store.events.bounds();
    const found: StoredEvent[] = [];
    let before: number | null = latest + 1;
    for (let looked = 0; looked < mostLookedThrough && found.length < size; looked += readAtOnce) {
      const events: StoredEvent[] = await store.events.listBefore(before, readAtOnce);
      found.push(...events.filter(filter.matches).slice(0, size - found.length));
      if (events.length < readAtOnce) break;
      before = events.at(-1)?.sequence ?? null;
    }
    return { events: found.reverse().map(show), lastEventId: sequenceText(latest) };
  }

  async function listNext(filter: EventFilter, after: number, size: number): Promise<EventPage> {
    const found: StoredEvent[] = [];
    let last = after;
    for (let looked = 0; looked < mostLookedThrough && found.length < size; looked += readAtOnce) {
      const events = await store.events.listAfter(last, readAtOnce);
      for (const event of events) {
        if (found.length === size) break;
        if (filter.matches(event)) found.push(event);
        last = event.sequence;
      }
      if (events.length < readAtOnce) break;
    }
    return { events: found.map(show), lastEventId: sequenceText(last) };
  }

  const events: Events = {
    text,

    filter(roles, { type, integrationId }) {
      const types = type === undefined ? null : new Set(typesIn(type));
      const integration = integrationId?.toLowerCase();
      return {
        matches: (event) =>
          (types === null || types.has(event.type)) &&
          (integration === undefined || event.integrationId === integration) &&
          mayRead(roles, event.type),
      };
    },

    async list(filter, after, size) {
      if (after === null) return listLast(filter, size);
      return listNext(filter, await events.resumeAfter(after, '/after'), size);
    },

    async resumeAfter(after, path) {
      const { latest } = await store.events.bounds();
      if (after === null) return latest;
      if (after <= latest) return after;
      throw new AppError('invalid', `there is no such event: the latest is ${sequenceText(latest)}`, {
        path,
      });
    },

    async *follow(filter, begin, signal) {
      let after = begin;
      while (!signal.aborted) {
        const seen = appendedCount;
        const next = await readAfter(after);
        const [first] = next;
        if (first && first.sequence > after + 1) yield { kind: 'gap', after, oldest: first.sequence };
        const last = next.at(-1);
        if (last) {
          after = last.sequence;
          yield { kind: 'events', events: next.filter(filter.matches), sequence: after };
        }
        if (next.length < readAtOnce && seen === appendedCount) await nextEvent(signal);
      }
    },
  };
  return events;
}

function typesIn(filter: string): string[] {
  return filter.split(',').flatMap((text) => {
    const types = typesNamed(text.trim());
    if (types) return types;
    throw new AppError('invalid', `must be types separated by commas: ${eventTypes.join(', ')}, review.*`, {
      path: '/type',
    });
  });
}

/** Keeps the event log within its age and its size; by age nothing is deleted while the clock is in doubt. */
export type EventRetention = Sweeper;

const pruneEveryMs = 10_000;

export interface EventLimits {
  days: number;
  bytes: number;
}

export function createEventRetention(deps: {
  store: Store;
  clock: Pick<Clock, 'now' | 'isHeld'>;
  limits: EventLimits;
  onError: (error: unknown) => void;
}): EventRetention {
  const { store, clock, limits, onError } = deps;
  return createSweeper({
    everyMs: pruneEveryMs,
    onError,
    async run() {
      const before = (await clock.isHeld()) ? 0 : clock.now() - limits.days * dayMs;
      while (await store.events.prune(before, limits.bytes));
    },
  });
}

/** Tells readers that an evaluation was recorded, by any process on the same data. */
export interface RecordedWatch {
  /** Calls with the id of the newest evaluation, now and whenever that is another one, at most ten times a second, until the signal. */
  watch(signal: AbortSignal, call: (evaluationRunId: string) => void): void;
}

/** Looked up instead of told: most evaluations have no event, and a note for each would cost every one of them. */
const lookAtNewestEveryMs = 100;

export function createRecordedWatch(deps: {
  store: Store;
  onError: (error: unknown) => void;
}): RecordedWatch {
  const { store, onError } = deps;
  /** The evaluation that each reader was told last. */
  const readers = new Map<(evaluationRunId: string) => void, string | null>();
  let isLooking = false;

  async function look(): Promise<void> {
    try {
      const [newest] = (await store.evaluations.listRecorded(null, 1, 0)) ?? [];
      for (const [call, told] of [...readers]) {
        if (!newest || newest.id === told) continue;
        readers.set(call, newest.id);
        call(newest.id);
      }
    } catch (error) {
      onError(error);
    }
    isLooking = readers.size > 0;
    if (isLooking) lookLater(lookAtNewestEveryMs);
  }
  const lookLater = (ms: number): void => void setTimeout(() => void look(), ms).unref();

  return {
    watch(signal, call) {
      readers.set(call, null);
      signal.addEventListener('abort', () => readers.delete(call), { once: true });
      if (!isLooking) lookLater(0);
      isLooking = true;
    },
  };
}
