import type { Ancestor } from '../../../evaluate/port.ts';
import {
  attemptCountsOf,
  gatherMarks,
  type SessionProgress,
  statusAt,
  type TreeCounts,
  type WrittenStatus,
} from '../../../evaluate/session.ts';
import { rootIdOf, type SessionPlace } from '../../../evaluate/session-places.ts';
import { gatheredSightings } from '../../../evaluate/sightings.ts';
import type { Sighting } from '../../../schemas/session-context.ts';
import type { NewSession, SessionAction } from '../../../store/store.ts';

/** A session as `advance` changes it, in memory. */
export class MemorySession implements SessionProgress {
  readonly opened: NewSession;
  status: WrittenStatus['status'] = 'ACTIVE';
  endedAt: number | null = null;
  actionCount = 0;
  otherCount = 0;
  warningCount = 0;
  blockCount = 0;
  reviewCount = 0;
  rejectionCount = 0;
  dataTags: string[] = [];
  labels: string[] = [];
  monitoredLabels: string[] = [];
  readonly sightings = new Map<string, readonly Sighting[]>();
  sightingsFull = false;
  readonly toolCounts = new Map<string, number>();
  readonly stoppedCounts = new Map<string, number>();
  toolNameCount = 0;
  recentActions: readonly SessionAction[] = [];
  hasRecentActions = true;

  readonly tree = null;
  readonly parent: MemorySession | null;
  /** The children that are not over, or not gathered yet. */
  children: MemorySession[] = [];
  /** The counts of the tree, in a root with children. */
  treeCounts: TreeCounts | null = null;

  constructor(opened: NewSession, parent: MemorySession | null) {
    this.opened = opened;
    this.parent = parent;
    parent?.children.push(this);
  }
  get root(): MemorySession {
    return this.parent?.root ?? this;
  }
  get place(): SessionPlace | null {
    return this.opened.place;
  }
  get parentId(): string | null {
    return this.place?.parentId ?? null;
  }
  get depth(): number {
    return this.place?.depth ?? 0;
  }
  get rootId(): string {
    return rootIdOf(this);
  }
  get id(): string {
    return this.opened.id;
  }
  get entityId(): string | null {
    return this.opened.entityId;
  }
  get metadata(): string {
    return this.opened.metadata;
  }
  get startedAt(): number {
    return this.opened.startedAt;
  }
  get expiresAt(): number {
    return this.opened.expiresAt;
  }
  get attemptCounts(): ReadonlyMap<string, number> {
    return attemptCountsOf(this);
  }
  addToolCount(name: string): void {
    addTo(this.toolCounts, name);
  }
  addStoppedCount(name: string): void {
    addTo(this.stoppedCounts, name);
  }
}

const addTo = (counts: Map<string, number>, name: string): void =>
  void counts.set(name, (counts.get(name) ?? 0) + 1);

/** The sessions above a session, from its parent on. `isNew`: the session is still to be opened. */
export function ancestorsOf(parent: MemorySession | null, isNew: boolean, at: number): Ancestor[] {
  const ancestors: Ancestor[] = [];
  for (let next = parent; next; next = next.parent) {
    gather(next, at);
    const { status, expiresAt, dataTags, labels, monitoredLabels, sightings, sightingsFull, children } = next;
    ancestors.push({
      status,
      expiresAt,
      dataTags,
      labels,
      monitoredLabels,
      childCount: isNew && ancestors.length === 0 ? children.length : 0,
      sightings: { isFull: sightingsFull, find: (digest) => sightings.get(digest) ?? [] },
    });
  }
  return ancestors;
}

/** Counts a child that is over for its parent, from now on. */
export function gather(session: MemorySession, at: number): void {
  const over = session.children.filter((child) => statusAt(child, at) !== 'ACTIVE');
  session.children = session.children.filter((child) => !over.includes(child));
  for (const child of over) {
    gather(child, at);
    gatherOne(session, child);
  }
}

function gatherOne(parent: MemorySession, child: MemorySession): void {
  gatherMarks(parent, child);
  for (const [digest, sightings] of child.sightings) {
    const gathered = gatheredSightings(parent.sightings.get(digest) ?? [], sightings);
    if (gathered !== null) parent.sightings.set(digest, gathered);
  }
  parent.sightingsFull ||= child.sightingsFull;
}

/** Counts the result of a session that is over for those above it as well. */
export function gatherLate(session: MemorySession, at: number): void {
  for (let child = session; child.parent && statusAt(child, at) !== 'ACTIVE'; child = child.parent)
    gatherOne(child.parent, child);
}

/** Ends a session and what is below it. */
export function end(session: MemorySession, at: number): void {
  session.status = 'COMPLETED';
  session.endedAt = at;
  for (const child of session.children) end(child, at);
}
