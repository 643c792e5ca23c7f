import type { EndStatus } from '../../features/sessions/schema.ts';
import type { SessionAction } from '../../store/store.ts';
import type { CountedScope } from '../counters/scope.ts';
import { attemptCountsOf, countToolNames, type SessionProgress } from '../session.ts';
import { parsePlace, rootIdOf, type SessionPlace } from '../session-places.ts';

/** A session as its rows are, of which states are made. */
export interface SessionRow {
  id: string;
  integrationId: string;
  status: 'ACTIVE' | EndStatus;
  entityId: string | null;
  externalSessionId: string;
  metadata: string;
  startedAt: number;
  expiresAt: number;
  endedAt: number | null;
  parentUid: string | null;
  place: string | null;
  hasChildren: boolean;
  /** Only of one that is opened. */
  endsWhenIdle?: boolean;
  actionCount: number;
  otherCount: number;
  warningCount: number;
  blockCount: number;
  reviewCount: number;
  rejectionCount: number;
  dataTags: string;
  labels: string;
  monitoredLabels: string;
  toolCounts: string;
  stoppedCounts: string;
  counters: Buffer | null;
  chainSeq: number;
  chainHash: string | null;
  sightingCount: number;
  sightingsFull: boolean;
}

const parseList = (text: string): string[] => (text === '[]' ? [] : (JSON.parse(text) as string[]));
const parseCounts = (text: string): Map<string, number> => new Map(JSON.parse(text) as [string, number][]);

/** The progress of a session in one batch, and what of it has to be written. */
export class SessionState implements SessionProgress {
  readonly row: SessionRow;
  actionCount: number;
  otherCount: number;
  warningCount: number;
  blockCount: number;
  reviewCount: number;
  rejectionCount: number;
  dataTags: string[];
  labels: string[];
  monitoredLabels: string[];
  sightingCount: number;
  sightingsFull: boolean;
  toolNameCount: number;
  readonly toolCounts: Map<string, number>;
  readonly stoppedCounts: Map<string, number>;
  /** `settle` knows the tree that the session is in. */
  readonly tree = null;
  /** The cells of counters over this session, once an evaluation has asked for them. */
  counters: CountedScope | null = null;
  /** Whether its end is noted, at which what they keep is deleted. */
  hasCounters: boolean;
  readonly #counterBytes: Buffer | null;
  chainSeq: number;
  chainHash: string | null;
  recentActions: readonly SessionAction[] = [];
  hasRecentActions = true;
  readonly place: SessionPlace | null;

  constructor(row: SessionRow) {
    this.row = row;
    this.actionCount = row.actionCount;
    this.otherCount = row.otherCount;
    this.warningCount = row.warningCount;
    this.blockCount = row.blockCount;
    this.reviewCount = row.reviewCount;
    this.rejectionCount = row.rejectionCount;
    this.dataTags = parseList(row.dataTags);
    this.labels = parseList(row.labels);
    this.monitoredLabels = parseList(row.monitoredLabels);
    this.sightingCount = row.sightingCount;
    this.sightingsFull = row.sightingsFull;
    this.toolCounts = parseCounts(row.toolCounts);
    this.stoppedCounts = parseCounts(row.stoppedCounts);
    this.toolNameCount = countToolNames(this);
    this.#counterBytes = row.counters;
    this.hasCounters = row.counters !== null;
    this.chainSeq = row.chainSeq;
    this.chainHash = row.chainHash;
    this.place = parsePlace(row.parentUid, row.place);
  }

  /** How many evaluations were recorded, of whatever phase. */
  get recordCount(): number {
    return this.actionCount + this.otherCount;
  }
  get attemptCounts(): ReadonlyMap<string, number> {
    return attemptCountsOf(this);
  }
  addToolCount(name: string): void {
    this.toolCounts.set(name, (this.toolCounts.get(name) ?? 0) + 1);
  }
  addStoppedCount(name: string): void {
    this.stoppedCounts.set(name, (this.stoppedCounts.get(name) ?? 0) + 1);
  }
  /** As they are written. */
  get counterBytes(): Buffer | null {
    return this.counters ? this.counters.bytes : this.#counterBytes;
  }
  get id(): string {
    return this.row.id;
  }
  get rootId(): string {
    return rootIdOf(this);
  }
  get parentId(): string | null {
    return this.row.parentUid;
  }
  get depth(): number {
    return this.place?.depth ?? 0;
  }
  get entityId(): string | null {
    return this.row.entityId;
  }
  get metadata(): string {
    return this.row.metadata;
  }
  get startedAt(): number {
    return this.row.startedAt;
  }
  get status(): SessionRow['status'] {
    return this.row.status;
  }
  get endedAt(): number | null {
    return this.row.endedAt;
  }
  get expiresAt(): number {
    return this.row.expiresAt;
  }
}
