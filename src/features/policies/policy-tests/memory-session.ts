import {
  attemptCountsOf,
  type SessionProgress,
  type TreeCounts,
  type WrittenStatus,
} from '../../../evaluate/session.ts';
import { rootIdOf, type SessionPlace } from '../../../evaluate/session-places.ts';
import type { Sighting } from '../../../schemas/sightings.ts';
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
