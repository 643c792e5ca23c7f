import { TreeCounts } from '../../evaluate/session.ts';
import {
  createMemoryCounters,
  type MemoryCounters,
} from '../../features/policies/policy-tests/memory-counters.ts';
import { MemorySession } from '../../features/policies/policy-tests/memory-session.ts';
import { gather } from '../../features/policies/policy-tests/memory-trees.ts';
import type { Violation } from '../../schemas/decisions.ts';
import type { ReplaySession, ReplaySessionChange, ReplaySource } from '../../store/replay.ts';
import type { SightingRows, SightingWrites } from '../../store/store.ts';
import { ReplayedRepeats } from './replayed-repeats.ts';

/** A review in a replay. */
export interface ReplayedReview {
  /** What it shows. */
  violations: readonly Violation[];
  /** Counts that a person rejected it, in the counters of the replay. */
  countRejection: (at: number) => void;
}

interface JudgedInPart {
  readonly rows: number[];
  readonly changes: ReplaySessionChange[];
}

/** A recorded session, as far as it was replayed. */
export class ReplayedSession extends MemorySession {
  readonly row: number;
  /** Of the root of its tree. */
  readonly rootIntegrationRow: number;
  readonly lastRow: number;
  readonly hasChildren: boolean;
  /** Actions that were let through then, and are not in the replay: what came back from them did not happen. */
  readonly stopped = new Set<string>();
  readonly #reviews = new Map<string, ReplayedReview>();
  /** Whether something of it is not known: its data tags, what it has seen, how often actions were repeated. */
  hidesTags = false;
  hidesSightings = false;
  hidesRepeats = false;
  /** What was judged in part so far; null once all policies judge it, as they do in trees, whose sessions depend on each other. */
  inPart: JudgedInPart | null;
  readonly repeats = new ReplayedRepeats();
  #counters: MemoryCounters | null = null;

  constructor(
    { row, integrationRow, opened, lastRow, hasChildren }: ReplaySession,
    parent: ReplayedSession | null,
    readsRecentActions: boolean,
  ) {
    super(opened, parent);
    this.hasRecentActions = readsRecentActions;
    this.row = row;
    this.lastRow = lastRow;
    this.hasChildren = hasChildren;
    const { root } = this;
    this.rootIntegrationRow = parent === null ? integrationRow : parent.rootIntegrationRow;
    // A tree begins with the first child.
    if (parent !== null) root.treeCounts ??= new TreeCounts(root);
    this.inPart = parent === null && !hasChildren ? { rows: [], changes: [] } : null;
  }

  /** What it has seen, as a store has it. */
  sightingRows(inherited: SightingRows['inherited']): SightingRows {
    return {
      count: this.sightings.size,
      isFull: this.sightingsFull,
      find: (digest) => this.sightings.get(digest) ?? none,
      inherited,
    };
  }
  keepSightings({ writes, isFull }: SightingWrites): void {
    for (const { digest, sightings } of writes) this.sightings.set(digest, sightings);
    this.sightingsFull ||= isFull;
  }

  /** Of all sessions of its tree, by their ids: a rejection in one of them holds in all. */
  get reviews(): Map<string, ReplayedReview> {
    return (this.root as ReplayedSession).#reviews;
  }

  /** Its own, where no counter counts across sessions: it can be judged again from its beginning. */
  get counters(): MemoryCounters {
    this.#counters ??= createMemoryCounters(true);
    return this.#counters;
  }
}

const none: readonly never[] = [];

/** Nobody rejected what, in the replay, was not held. */
function countRejection(session: ReplayedSession, reviewId: string, at: number): void {
  const review = session.reviews.get(reviewId);
  if (!review) return;
  session.rejectionCount++;
  if (session.root.treeCounts) session.root.treeCounts.rejectionCount++;
  review.countRejection(at);
}

/** The sessions of a replay: those that something is still recorded of. */
export class ReplayedSessions {
  readonly #source: ReplaySource;
  readonly #readsRecentActions: boolean;
  readonly #open = new Map<number, ReplayedSession>();

  /** `readsRecentActions`: whether a policy of the replay does; else no session keeps them. */
  constructor(source: ReplaySource, readsRecentActions: boolean) {
    this.#source = source;
    this.#readsRecentActions = readsRecentActions;
  }

  of(row: number): ReplayedSession {
    return this.#open.get(row) ?? this.#load(this.#source.session(row));
  }

  #load(found: ReplaySession): ReplayedSession {
    const { place } = found.opened;
    const parent = place === null ? null : this.of(this.#source.sessionRow(place.parentId));
    const session = new ReplayedSession(found, parent, this.#readsRecentActions);
    this.#open.set(found.row, session);
    return session;
  }

  /** Nobody asks for a session again of which this was the last evaluation, unless it is in a tree. */
  passed(session: ReplayedSession, row: number): void {
    if (row >= session.lastRow && !session.hasChildren && session.parent === null) this.#drop(session);
  }

  /** The same session at its beginning, to be judged by all policies. */
  fromItsBeginning({ row }: ReplayedSession): ReplayedSession {
    const session = this.#load(this.#source.session(row));
    session.inPart = null;
    return session;
  }

  change(change: ReplaySessionChange): void {
    const { sessionRow, kind, label, reviewId, at } = change;
    const session = this.#open.get(sessionRow);
    session?.inPart?.changes.push(change);
    if (session && kind === 'ENDED') {
      session.status = 'COMPLETED';
      session.endedAt = at;
      if (session.parent) gather(session.parent, at);
    } else if (session && kind === 'REJECTED') countRejection(session, reviewId ?? '', at);
    else if (session) session.labels = session.labels.filter((one) => one !== label);
  }

  /** Drops the trees that are over: a child lives no longer than its parent. */
  sweep(at: number): void {
    for (const session of this.#open.values())
      if (session.expiresAt <= at && session.root.expiresAt <= at) this.#drop(session);
  }

  #drop(session: ReplayedSession): void {
    this.#open.delete(session.row);
  }
}
